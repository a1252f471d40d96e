import { describe } from 'vitest'
import ephemeralPort from '../../src/ephemera/ephemeral-port.ts'
import { finds } from './finds.ts'

describe('ephemeral-port', () => {
  finds(ephemeralPort, [
    ['localhost:49152 refused', '49152'],
    ['127.0.0.1:54321', '54321'],
    ['http://[::1]:40000/x', '40000'],
    ['http://db.acme.dev:51234/x', '51234'],
    ['0.0.0.0:65535', '65535'],
    ['address already in use :::49200', '49200'],
    ['listening on port 51234', '51234'],
    ['PORT=51234 npm start', '51234'],
    ['--port 51234', '51234'],
    ['docker run -p 49160:8080 x', '49160'],
    ['localhost:3000'],
    ['127.0.0.1:8080'],
    ['localhost:32767'],
    ['localhost:65536'],
    ['src/a.ts:40000:5'],
    ['40000 files'],
    ['the port is 5432'],
  ])
})
