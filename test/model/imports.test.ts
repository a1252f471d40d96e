import { describe, expect, it } from 'vitest'
import { isInstalled, restsOnInstalled } from '../../src/model/imports.ts'

describe('failed imports', () => {
  it.each([
    ["ModuleNotFoundError: No module named 'requests'", true],
    ["ImportError: cannot import name 'discount' from 'shop.cart' (/repo/shop/cart.py)", false],
    ["ImportError: cannot import name 'discount' from 'shop.cart' (C:\\work\\repo\\shop\\cart.py)", false],
    ["ImportError: cannot import name 'a' from partially initialized module 'shop.a' (most likely due to a circular import) (/repo/shop/a.py)", false],
    ["ImportError: cannot import name 'randint' from 'random' (consider renaming '/repo/random.py' since it has the same name as the standard library module named 'random' and prevents importing that standard library module)", false],
    ['ImportError: attempted relative import with no known parent package', false],
    ["ImportError: cannot import name 'x' from 'requests' (/repo/.venv/lib/python3.11/site-packages/requests/__init__.py)", true],
    ["ImportError: cannot import name 'x' from 'json' (/usr/lib/python3.11/json/__init__.py)", true],
    ["ImportError: cannot import name 'storage' from 'google.cloud' (unknown location)", true],
    ['ImportError: libssl.so.1.1: cannot open shared object file: No such file or directory', true],
    ["ImportError: Missing optional dependency 'openpyxl'.", true],
    ["ImportError: cannot import name 'x'", true],
    ["AttributeError: module 'shop' has no attribute 'discount'", false],
    ['SyntaxError: invalid syntax', false],
  ])('rest on what is installed, %s: %s', (thrown, rests) => {
    expect(restsOnInstalled(thrown)).toBe(rests)
  })

  it.each([
    ['/usr/lib/python3/dist-packages/x.py', true],
    ['C:\\Users\\x\\Python311\\Lib\\random.py', true],
    ['/opt/pypy/lib/pypy3.10/json.py', true],
    ['/repo/lib/pythonic/x.py', false],
    ['/repo/src/lib/x.py', false],
  ])('know where things are installed, %s: %s', (path, installed) => {
    expect(isInstalled(path)).toBe(installed)
  })
})
