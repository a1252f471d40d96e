import type { Probe } from './model/probe.ts'
import absent from './probes/absent.ts'
import absentTool from './probes/absent-tool.ts'
import alike from './probes/alike.ts'
import env from './probes/env.ts'
import exists from './probes/exists.ts'
import file from './probes/file.ts'
import interfaceVersion from './probes/interface.ts'
import lock from './probes/lock.ts'
import makefiles from './probes/makefiles.ts'
import manifests from './probes/manifests.ts'
import names from './probes/names.ts'
import osRelease from './probes/os-release.ts'
import platform from './probes/platform.ts'
import privilege from './probes/privilege.ts'
import reads from './probes/reads.ts'
import repository from './probes/repository.ts'
import target from './probes/target.ts'
import tool from './probes/tool.ts'
import tree from './probes/tree.ts'

/** Every kind of key, one member each; a key's part before `:` is its member's id. */
export const probes: readonly Probe[] = [
  platform,
  privilege,
  osRelease,
  repository,
  tool,
  file,
  exists,
  tree,
  makefiles,
  manifests,
  names,
  alike,
  reads,
  lock,
  absent,
  absentTool,
  env,
  target,
  interfaceVersion,
]
