import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs what is missing, exactly as locked, and says so in one line. */
const NEEDED = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(`git-remnant needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}`)
  process.exit(69)
}

const top = fileURLToPath(new URL('..', import.meta.url))
if (!isInstalled()) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: top,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('set-up failed: npm could not install what package-lock.json names')
    process.exit(69)
  }
  console.error('set-up: installed what package-lock.json names')
}

/** Npm's own record of what it installed holds every package of the lock that this machine needs. */
function isInstalled() {
  const record = `${top}node_modules/.package-lock.json`
  if (!existsSync(record)) return false
  const packages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
  const installed = packages(record)
  return Object.entries(packages(`${top}package-lock.json`)).every(
    ([path, { integrity, optional }]) => path === '' || optional || installed[path]?.integrity === integrity,
  )
}
