import { describe, expect, it } from 'vitest'
import { looksOnly, posixOf } from '../../src/model/shell/powershell.ts'

describe('a PowerShell text in the words of a POSIX shell', () => {
  it.each<[string, string]>([
    ['npm.cmd run build', 'npm.cmd run build'],
    ['.\\.venv\\Scripts\\python.exe -m pytest -q', './.venv/Scripts/python.exe -m pytest -q'],
    ['& ".\\my tools\\run.exe" --all', "'./my tools/run.exe' --all"],
    ["git commit -m 'it''s \"so\"'", "git commit -m 'it'\\''s \"so\"'"],
    ['rg "\\d+\\s" src', "rg '\\d+\\s' src"],
    ['cd web; $env:CI = "true"; npm test', 'cd web ; export CI=true ; npm test'],
    ['npm ci && npm test || exit 1', 'npm ci && npm test || exit 1'],
    ['npm test 2>$null | Tee-Object out.log', 'npm test 2>/dev/null | tee out.log'],
    ['cargo test *>&1 | Select-Object -First 5', 'cargo test 2>&1 | head -n 5'],
    ['go vet ./...\r\ngo test ./...', 'go vet ./...\ngo test ./...'],
    ['Get-Content src\\a.ts', 'cat src/a.ts'],
  ])('has the same commands: %s', (text, posix) => {
    expect(posixOf(text)).toBe(posix)
  })

  it.each([
    'if ($LASTEXITCODE) { npm test }',
    'npm test -- $name',
    'npm test > out.log',
    'npm test (Get-Date)',
    'pytest -k a,b',
    '$env:CI=$true; npm test',
    '$env:CI; npm test',
    'Remove-Item dist -Recurse',
    'Select-Object -Property a',
    '"npm" test',
    'npm test `\n --all',
    'npm test "open',
    '# npm test',
    'npm test;;ls',
    '@args',
    'git commit -m \u201cfix; git push origin main\u201d',
    "echo 'a\u2019; npm test; echo \u2018b'",
    'npm test --% a | b',
    'npm test & npm run lint',
    '',
  ])('is none, where PowerShell works something out, or nobody can tell: %s', (text) => {
    expect(posixOf(text)).toBeNull()
  })

  it('takes a name that objects have of their own for a program as any other', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) expect(posixOf(`${name} x`)).toBe(`${name} x`)
  })

  it('is bounded', () => {
    expect(posixOf(`echo ${'x'.repeat(20_000)}`)).toBeNull()
    expect(posixOf("'".repeat(19_999))).toBeNull()
  })

  it('ends at any white space', () => {
    for (const space of ['\f', '\v', '\u00a0', '\u2003', '\u2028', '\ufeff']) expect(posixOf(`npm${space}test`)).toBe('npm test')
  })
})

describe('a PowerShell text that only looks', () => {
  it.each([
    'Get-Content a.ts -TotalCount 20',
    'Select-String -Path src\\a.ts -Pattern "x|y" -Context 1,1',
    'Get-ChildItem -Recurse src | Where-Object { $_.Name -like "*x*" } | Select-Object FullName',
    '$newest = Get-ChildItem logs | Sort-Object LastWriteTime | Select-Object -First 1; Write-Output $newest.FullName',
    'Get-Process git,node -ErrorAction SilentlyContinue; git status --short',
    'if (Test-Path a.txt) { Get-Content a.txt }',
    'Get-ChildItem src 2>$null',
  ])('leaves everything as it was: %s', (text) => {
    expect(looksOnly(text)).toBe(true)
  })

  it.each([
    'Get-ChildItem a | ForEach-Object { Remove-Item $_ }',
    'Get-Content a | Set-Content b',
    'Get-Content a > b',
    'Get-Content a 2>errors.txt',
    'if (Test-Path a) { rm a }',
    '[IO.File]::WriteAllText("a", "b")',
    '(Get-Item a).Delete()',
    '& $tool',
    'npm test',
    '.\\build.ps1',
    '. .\\build.ps1',
    'git diff --output=a.txt',
    'Write-Output \u201ca\u201d',
    'git checkout .',
    'Get-Content $(rm a)',
  ])('is not one that may change something: %s', (text) => {
    expect(looksOnly(text)).toBe(false)
  })
})
