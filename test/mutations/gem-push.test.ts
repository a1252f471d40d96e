import { expect, it } from 'vitest'
import gemPush from '../../src/mutations/gem-push.ts'
import { mutationSuite, typed } from './table.ts'

mutationSuite(gemPush, {
  means: [
    ['gem push lib-1.0.0.gem', 'harmful', 'rubygems lib', 'lib@1.0.0'],
    ['gem push pkg/my-lib-1.0.0.gem --host https://gems.example.com/', 'harmful', 'rubygems https://gems.example.com my-lib', 'my-lib@1.0.0'],
    ['gem push lib-1.0.0-x86_64-linux.gem', 'harmful', 'rubygems lib', 'lib@1.0.0'],
    ['bundle exec gem push lib-1.0.0.gem', 'harmful', 'rubygems lib', 'lib@1.0.0'],
    ['gem push *.gem', 'harmful', null, null],
    ['gem yank lib -v 1.0.0', 'convergent', 'rubygems lib', 'lib@1.0.0'],
  ],
  not: ['gem build lib.gemspec', 'gem install lib', 'gem list', 'gem push --help', 'gem search push', 'gem info lib', 'git push lib-1.0.0.gem', 'gem unpack lib-1.0.0.gem', 'gem outdated'],
  done: [
    ['gem push lib-1.0.0.gem', 'Pushing gem to https://rubygems.org...\nSuccessfully registered gem: lib (1.0.0)\n', 'rubygems lib', 'lib@1.0.0'],
    ['?gem push *.gem', 'Successfully registered gem: lib (1.0.0)\n', 'rubygems lib', 'lib@1.0.0'],
    ['gem push x.gem', 'Pushing gem to https://u:p@gems.example.com...\nSuccessfully registered gem: x (2.0)\n', 'rubygems https://gems.example.com x', 'x@2.0'],
    ['gem yank lib -v 1.0.0', 'Successfully deleted gem: lib (1.0.0)\n', 'rubygems lib', 'lib@1.0.0'],
  ],
  open: [
    ['gem push lib-1.0.0.gem', '', null],
    ['gem push lib-1.0.0.gem', 'Pushing gem to https://rubygems.org...\n', null],
    ['gem push lib-1.0.0.gem', 'Pushing gem to https://rubygems.org...\nRepushing of gem versions is not allowed.\n', 'not-done'],
    ['gem push lib-1.0.0.gem', 'ERROR:  Your password was not right\n', 'not-done'],
  ],
})

it('keeps no key', () => {
  expect(JSON.stringify(gemPush.intends(typed('gem push lib-1.0.0.gem -k hunter2pass --otp 123456 --host https://u:hunter2pass@gems.example.com')))).toMatch(/^(?!.*hunter2pass)(?!.*123456).*gems\.example\.com/)
})
