/**
 * Whether Python's own line of a failed import tells of what is installed, which no key can see: a module that is not there, a name
 * that an installed module lacks, a library that can't be loaded. Not where a file outside every place of installation lacks the
 * name, or an import is relative to no package: that is the importing program's own fault.
 */
export function restsOnInstalled(thrown: string): boolean {
  if (/^ModuleNotFoundError: /.test(thrown)) return true
  if (!/^ImportError(?::|$)/.test(thrown)) return false
  if (/^ImportError: attempted relative import (?:beyond top-level package|with no known parent package)$/.test(thrown)) return false
  // Of a folder without a file of its own ("unknown location") nobody is told where it lies.
  const file = /^ImportError: cannot import name '[^']{1,200}' from .{1,400}\((?:consider renaming ')?((?:[\\/]|[A-Za-z]:[\\/])[^()']{1,400}?)(?:' since it has the same name as .{1,400})?\)$/.exec(thrown)?.[1]
  return file === undefined || isInstalled(file)
}

/** Whether a path lies where Python itself or a package is installed. */
export const isInstalled = (path: string): boolean =>
  /[\\/](?:lib[\\/](?:python|pypy)[\d.]*|lib-dynload|python[\d.]*[\\/]lib|site-packages|dist-packages|[^\\/]+\.egg)[\\/]/i.test(path)
