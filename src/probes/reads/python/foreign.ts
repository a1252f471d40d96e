import { table } from '../../../base/table.ts'
import { inFolder, knownPlace, upFrom } from '../pattern.ts'
import type { Place } from '../place.ts'

/** Modules that are neither Python's own nor found where the repository keeps some: what holds them, if anything does. */
export class Foreign {
  readonly #at: Place
  readonly #asked = new Set<string>()
  readonly #held = new Set<string>()

  constructor(at: Place) {
    this.#at = at
  }

  /** A module of this dotted name is none of those that were found in the repository. */
  ask(name: string): void {
    const [top = ''] = name.split('.')
    if (/^\w+$/.test(top) && !STANDARD.has(top) && !this.#held.has(top)) this.#asked.add(top)
  }

  /** A tool that is counted by its own version brings these. */
  held(names: readonly string[]): void {
    for (const name of names) this.#held.add(name)
  }

  /** `searched`: the program is told where else to look for modules, so that one from anywhere in the repository may be meant. */
  async settle(searched: boolean): Promise<void> {
    for (const name of this.#asked) if (!(await this.#isHeld(name, searched))) this.#at.inputs.strange(name)
    this.#asked.clear()
  }

  async #isHeld(name: string, searched: boolean): Promise<boolean> {
    const { inputs, folder } = this.#at
    for (const path of (this.#at.searched ?? []).flatMap((value) => value.split(':'))) {
      const place = path === '' ? null : knownPlace(path, folder)
      if (place !== null) for (const ending of ['', '.py']) if ((await inputs.kind(inFolder(place, name + ending))) !== null) return true
    }
    if (searched && [`${name}.py`, `${name}/__init__.py`].some((path) => inputs.known(path).length > 0)) return true
    for (const up of upFrom(folder)) {
      // A project that is installed where it lies keeps its packages here.
      for (const path of [`src/${name}/__init__.py`, `src/${name}.py`]) if (inputs.tracked(inFolder(up, path))) return true
      for (const file of LOCKFILES) {
        const path = inFolder(up, file)
        if ((await inputs.kind(path)) === 'file' && names((await inputs.text(path)) ?? '', file, DISTRIBUTIONS[name] ?? name)) return true
      }
    }
    return this.#isInstalled(name)
  }

  /** It lies in an environment of the repository, whose Python is the one that is started. */
  async #isInstalled(name: string): Promise<boolean> {
    const { inputs, folder } = this.#at
    const { world } = inputs
    const started = await world.program('python3', folder).catch(() => null)
    if (started?.own !== true) return false
    for (const up of upFrom(folder))
      for (const home of ['.venv', 'venv', 'env'])
        for (const one of (await world.entries(inFolder(up, `${home}/lib`)).catch(() => null)) ?? []) {
          const packages = await world.entries(inFolder(up, `${home}/lib/${one.name}/site-packages`)).catch(() => null)
          if (packages?.some((found) => found.name === name || (found.name.startsWith(`${name}.`) && /\.(?:py|so|pyd)$/.test(found.name))) === true) return true
        }
    return false
  }
}

/** Whether a lockfile of Python has an entry for a distribution. */
function names(text: string, file: string, wanted: string): boolean {
  const pattern = wanted.replace(/[-_.]+/g, '[-_.]+')
  if (file.endsWith('.txt')) return new RegExp(`^\\s*${pattern}\\s*(?:$|[=<>~!;@#\\[\\\\])`, 'im').test(text)
  return new RegExp(file === 'Pipfile.lock' ? `"${pattern}"\\s*:\\s*\\{` : `^name\\s*=\\s*"${pattern}"`, 'im').test(text)
}

const LOCKFILES = ['poetry.lock', 'uv.lock', 'pdm.lock', 'pylock.toml', 'Pipfile.lock', 'requirements.txt', 'requirements-dev.txt', 'requirements-test.txt', 'dev-requirements.txt', 'test-requirements.txt']

/** Distributions that bring a module of another name. */
const DISTRIBUTIONS: Readonly<Record<string, string>> = table({
  yaml: 'pyyaml', PIL: 'pillow', cv2: 'opencv-python', sklearn: 'scikit-learn', bs4: 'beautifulsoup4', dateutil: 'python-dateutil', dotenv: 'python-dotenv', attr: 'attrs', jwt: 'pyjwt',
  OpenSSL: 'pyopenssl', Crypto: 'pycryptodome', serial: 'pyserial', zmq: 'pyzmq', MySQLdb: 'mysqlclient', docx: 'python-docx', pkg_resources: 'setuptools', _pytest: 'pytest', skimage: 'scikit-image',
})

/** Modules that come with Python, of all versions that are in use. */
const STANDARD = new Set(
  (
    '__future__ __main__ _abc _ast _collections_abc _io _json _socket _struct _thread _weakref abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore ' +
    'atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression ' +
    'concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ' +
    'ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq ' +
    'hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math ' +
    'mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle ' +
    'pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re ' +
    'readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ' +
    'sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile ' +
    'termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu ' +
    'uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'
  ).split(' '),
)
