/** Modules of Python that look at no file of their own accord, and `pytest`. */
export const QUIET = new Set(
  ('unittest re math json sys os collections itertools functools typing typing_extensions dataclasses enum datetime time random string textwrap abc copy decimal fractions statistics operator contextlib numbers hashlib ' +
    'hmac base64 binascii struct heapq bisect uuid warnings types secrets pprint argparse logging threading queue __future__ array calendar cmath colorsys difflib html keyword unicodedata weakref zlib ' +
    'ipaddress graphlib traceback errno signal gc locale numbers platform contextvars stringprep reprlib sched pytest').split(' '),
)
/** Of packages whose other modules do look at files. */
export const QUIET_PARTS = new Set(['collections.abc', 'unittest.mock', 'unittest.case', 'os.path', 'urllib', 'urllib.parse', 'typing.re', 'html.parser', 'html.entities', 'json.decoder', 'json.encoder'])
export const WILD = new Set('eval exec compile __import__ globals execfile pytest_plugins linecache'.split(' '))
export const WILD_PARTS = new Set('__builtins__ __loader__ __spec__ __globals__ __import__ fromfile_prefix_chars FileType FileHandler importorskip loadTestsFromName discover chdir syspath_prepend makepyfile parametrize_from_file pytest_plugins'.split(' '))
export const OS_QUIET = new Set('environ getenv getcwd sep linesep name pathsep getpid curdir pardir extsep devnull cpu_count urandom getlogin uname fspath PathLike path error makedirs mkdir remove unlink rmdir umask environb getuid get_terminal_size'.split(' '))
export const PATH_QUIET = new Set('join dirname basename abspath realpath normpath splitext split relpath expanduser isabs commonpath commonprefix sep normcase'.split(' '))
export const SYS_QUIET = new Set('argv exit stdout stderr stdin version version_info platform maxsize executable byteorder float_info getrecursionlimit setrecursionlimit getsizeof exc_info intern hexversion implementation maxunicode flags'.split(' '))
/** Fixtures of pytest itself that hand nothing of the repository on. */
export const FIXTURES = new Set('self cls tmp_path tmp_path_factory tmpdir tmpdir_factory capsys capfd capsysbinary capfdbinary caplog monkeypatch recwarn cache doctest_namespace record_property record_testsuite_property mocker subtests'.split(' '))

/** Whether a module of Python itself looks at no file of its own accord. */
export const isQuiet = (name: string): boolean => QUIET.has(name) || QUIET_PARTS.has(name)
