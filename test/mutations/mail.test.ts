import { expect, it } from 'vitest'
import mail from '../../src/mutations/mail.ts'
import { mutationSuite, typed } from './table.ts'

mutationSuite(mail, {
  means: [
    ['mail -s Released team@example.com < notes.txt', 'harmful', 'mail team@example.com', 'Released'],
    ['mailx -s Hi -c B@example.com a@example.com', 'harmful', 'mail a@example.com,b@example.com', 'Hi'],
    ['sendmail team@example.com < mail.eml', 'harmful', 'mail team@example.com', null],
    ['/usr/sbin/sendmail -f me@example.com team@example.com', 'harmful', 'mail team@example.com', null],
    ['msmtp -a work team@example.com < mail.eml', 'harmful', 'mail team@example.com', null],
    ['mutt -s Hi -a x.pdf -- team@example.com', 'harmful', 'mail team@example.com', 'Hi'],
    ['sendmail -t < mail.eml', 'harmful', null, null],
    ['mail -s Hi root', 'harmful', null, 'Hi'],
  ],
  not: ['mail', 'mail -H', 'mailq', 'sendmail -bp', 'sendmail -bd', 'msmtp --pretend a@example.com', 'msmtp --version', 'mutt', 'mail -f inbox', 'git send-email x', 'newmail a@example.com'],
  done: [
    ['mail -s Released team@example.com < notes.txt', '', 'mail team@example.com', 'Released'],
    ['sendmail team@example.com < mail.eml', '', 'mail team@example.com', null],
    ['msmtp team@example.com < mail.eml', '', 'mail team@example.com', null],
  ],
  open: [
    ['?mail -s Released team@example.com < notes.txt', '', null],
    ['mail -s Hi root', '', null],
    ['?msmtp team@example.com < mail.eml', 'msmtp: cannot connect to smtp.example.com, port 587: Connection timed out\n', 'not-done'],
    ['mail -s Hi a@example.com', 'mail: cannot send message: Process exited with a non-zero status\n', 'not-done'],
  ],
})

it('keeps no password', () => {
  expect(JSON.stringify(mail.intends(typed('msmtp --passwordeval hunter2pass --user me a@example.com')))).toMatch(/^(?!.*hunter2pass).*a@example\.com/)
})
