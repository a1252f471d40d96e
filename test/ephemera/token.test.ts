import { describe } from 'vitest'
import token from '../../src/ephemera/token.ts'
import { finds } from './finds.ts'

describe('token', () => {
  const gitlab = 'glpat' + '-' + 'a9Zk3Lq7Wm2Xv8Bn5Rt1'
  const pypi = 'pypi' + '-AgEIcHlwaS5vcmcCJ' + 'a9Zk3Lq7Wm2Xv8Bn5Rt1Yc6H'
  const openai = 'sk' + '-proj-' + 'a9Zk3Lq7Wm2Xv8Bn5Rt1Yc6H'
  finds(token, [
    [`x ${gitlab}.`, gitlab],
    [`(${pypi})`, pypi],
    [openai, openai],
    ['sk-fading-circle-loading-indicator'],
    ['task-runner-with-a-long-name-2'],
    ['glpat-short'],
    ['key-value-store'],
    ['hf_transfer'],
    ['npm_config_registry'],
    ['pypi-publish'],
  ])
})
