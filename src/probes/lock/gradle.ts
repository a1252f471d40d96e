import { type Lockfile, locked } from './entry.ts'

/** `GROUP:NAME:VERSION=CONFIGURATIONS`. It holds no hashes. Maven has no lockfile at all. */
export const gradle: Lockfile = {
  names: ['gradle.lockfile', 'buildscript-gradle.lockfile'],
  isOne: (path) => /(?:^|\/)gradle\/dependency-locks\/[\w.-]+\.lockfile$/.test(path),
  *entries(bytes, decode) {
    for (const line of decode(bytes).split('\n')) {
      const [, name, version] = /^([^\s:#=]+:[^\s:=]+):([^\s:=]+)(?:=.*)?$/.exec(line.trimEnd()) ?? []
      if (name !== undefined && version !== undefined) yield locked(name, version)
    }
  },
}
