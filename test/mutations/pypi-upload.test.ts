import { expect, it } from 'vitest'
import pypiUpload from '../../src/mutations/pypi-upload.ts'
import { mutationSuite, typed } from './table.ts'

const PRINTED = `Uploading distributions to https://upload.pypi.org/legacy/
Uploading My_Lib-1.2.3-py3-none-any.whl
Uploading my_lib-1.2.3.tar.gz

View at:
https://pypi.org/project/my-lib/1.2.3/
`

mutationSuite(pypiUpload, {
  means: [
    ['twine upload dist/*', 'harmful', null, null],
    ['twine upload dist/My_Lib-1.2.3-py3-none-any.whl dist/my_lib-1.2.3.tar.gz', 'harmful', 'pypi my-lib', 'my-lib@1.2.3'],
    ['python -m twine upload -r testpypi dist/lib-1.0.tar.gz', 'harmful', 'pypi test.pypi.org lib', 'lib@1.0'],
    ['twine upload --repository-url https://u:p@pkgs.example.com/simple/ lib-1.0.tar.gz', 'harmful', 'pypi https://pkgs.example.com/simple lib', 'lib@1.0'],
    ['uv publish', 'harmful', null, null],
    ['poetry publish --build', 'harmful', null, null],
    ['uv run twine upload dist/*', 'harmful', null, null],
    ['flit publish', 'harmful', null, null],
  ],
  not: ['twine check dist/*', 'twine --version', 'uv publish --dry-run', 'poetry publish --dry-run', 'poetry build', 'pip install twine', 'uv build', 'npm publish', 'twine upload --help', 'hatch build'],
  done: [
    ['twine upload dist/*', PRINTED, 'pypi my-lib', 'my-lib@1.2.3'],
    ['?twine upload dist/*', PRINTED, 'pypi my-lib', 'my-lib@1.2.3'],
    ['twine upload -r testpypi dist/*', 'View at:\nhttps://test.pypi.org/project/lib/1.0/\n', 'pypi test.pypi.org lib', 'lib@1.0'],
    ['twine upload --repository-url https://pkgs.example.com/simple/ dist/*', 'Uploading lib-1.0-py3-none-any.whl\n', 'pypi https://pkgs.example.com/simple lib', 'lib@1.0'],
    ['uv publish', 'Publishing 1 file https://upload.pypi.org/legacy/\nUploading lib-1.0.tar.gz (3.2KiB)\n', 'pypi lib', 'lib@1.0'],
    ['poetry publish', 'Publishing lib (1.0) to PyPI\n - Uploading lib-1.0.tar.gz 100%\n', 'pypi lib', 'lib@1.0'],
  ],
  open: [
    ['twine upload dist/*', '', null],
    ['?uv publish', 'Uploading lib-1.0.tar.gz (3.2KiB)\n', null],
    ['?twine upload dist/*', 'ERROR    HTTPError: 400 Bad Request from https://upload.pypi.org/legacy/\n         File already exists\n', 'not-done'],
    ['twine upload dist/*', 'Uploading a-1.0.tar.gz\nUploading b-1.0.tar.gz\n', null],
    ['twine upload dist/*', 'InvalidDistribution: x\n', null],
  ],
})

it('keeps no token', () => {
  for (const line of ['twine upload -u __token__ -p pypi-hunter2pass lib-1.0.tar.gz', 'uv publish --token hunter2pass lib-1.0.tar.gz', 'TWINE_PASSWORD=hunter2pass twine upload lib-1.0.tar.gz'])
    expect(JSON.stringify(pypiUpload.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*lib@1\.0/)
})
