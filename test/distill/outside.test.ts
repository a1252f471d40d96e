import { describe, expect, it } from 'vitest'
import { worksOutside } from '../../src/distill/outside.ts'
import { distilled, kept, purgedBy, ran } from './session.ts'

const leads = (text: string, folder = '.'): boolean => worksOutside({ argv: text.split(' '), folder })

describe('a command that works on what lies outside the repository', () => {
  it.each([
    'npm --prefix ../other test', 'npm --prefix /elsewhere test', 'npm --prefix=/elsewhere test', 'npm -C /elsewhere test', 'yarn --cwd /elsewhere test', 'pnpm -C /opt/other test', 'pnpm --dir ../x test',
    'cargo test --manifest-path ../x/Cargo.toml', 'cargo test --manifest-path /srv/x/Cargo.toml', 'cargo -C ../x test', 'go test -C /elsewhere ./...', 'make -C /elsewhere check', 'make -C.. check',
    'make -f ../x/Makefile test', 'pytest ../elsewhere/tests', 'pytest ..', 'pytest --rootdir /elsewhere', 'pytest --rootdir=../x', 'node --test ../elsewhere/a.test.js', 'node --test a/../../x.js',
    'tsc -p /elsewhere', 'gradle -p /elsewhere test', 'python -m unittest discover -s /elsewhere', 'eslint /home/dev/other/src', 'npm --prefix C:/other test', 'make -C sub -f ../../x.mk',
  ])('is one: %s', (text) => {
    expect(leads(text)).toBe(true)
  })

  it.each([
    ['npm --prefix sub test', '.'], ['npm --prefix ../b test', 'packages/a'], ['make -C sub -f ../x.mk', '.'], ['pytest ../tests', 'src'], ['cargo test --manifest-path sub/Cargo.toml', '.'],
    ['git diff --exit-code HEAD..main', '.'], ['git diff --exit-code ../main..HEAD', 'a'], ['go test ./...', '.'], ['./configure --prefix=/usr/local', '.'], ['cmake --install build --prefix /opt/x', '.'],
    ['make CC=/usr/bin/gcc check', '.'], ['pytest -k /login', '.'], ['msbuild -m /nologo', '.'], ['python3 -c print(1)', '.'], ['ruff check --config /etc/ruff.toml', '.'],
  ])('is none: %s in %s', (text, folder) => {
    expect(leads(text, folder)).toBe(false)
  })

  it('gives no gate and no dead end of this one', async () => {
    const green = await distilled([ran('npm --prefix ../other test', 0, '# tests 3\n# pass 3\n# fail 0\n')])
    expect([kept(green), purgedBy(green)]).toEqual([[], ['other-repository']])
    const red = await distilled([ran('npm --prefix /elsewhere run nope', 1, 'npm error Missing script: "nope"\n')])
    expect([kept(red), purgedBy(red)]).toEqual([[], ['other-repository']])
  })
})
