/** Folders and files that tools keep for themselves, and make from other files again when those changed. */
const CACHES = new Set('__pycache__ .pytest_cache .mypy_cache .ruff_cache .cache .vite .vite-temp .eslintcache .nyc_output .gradle .turbo .nx .parcel-cache'.split(' '))

/** Whether a path is, or lies in, what a tool keeps for itself. */
export const isCache = (path: string): boolean => /\.py[co]$/.test(path) || path.split('/').some((step) => CACHES.has(step))
