import { expect, it } from 'vitest'
import swaks from '../../src/mutations/swaks.ts'
import { mutationSuite, typed } from './table.ts'

const SENT = ' -> MAIL FROM:<a@example.com>\n<-  250 2.1.0 Ok\n -> RCPT TO:<b@example.com>\n<-  250 2.1.5 Ok\n -> DATA\n<-  354 End data\n -> Subject: x\n -> .\n<-  250 2.0.0 Ok: queued as ABC\n -> QUIT\n<-  221 2.0.0 Bye\n'

mutationSuite(swaks, {
  means: [
    ['swaks --to b@example.com --server mail.example.com', 'harmful', 'mail b@example.com', null],
    ['swaks -t b@example.com,A@example.com', 'harmful', 'mail a@example.com,b@example.com', null],
    ["swaks --to b@example.com --header 'Subject: Hi'", 'harmful', 'mail b@example.com', 'Hi'],
    ['swaks --to=b@example.com --h-Subject Hi', 'harmful', 'mail b@example.com', 'Hi'],
    ['swaks --to $TO', 'harmful', null, null],
  ],
  not: ['swaks --server mail.example.com --quit-after EHLO', 'swaks --to b@example.com --quit-after RCPT', 'swaks --help', 'swaks --version', 'swaks --dump --to b@example.com', 'swaks', 'swak --to b@example.com', 'mail --to b@example.com'],
  done: [
    ['swaks --to b@example.com', SENT, 'mail b@example.com', null],
    ['?swaks --to b@example.com --h-Subject Hi', SENT, 'mail b@example.com', 'Hi'],
  ],
  open: [
    ['swaks --to b@example.com', '', null],
    ['swaks --to b@example.com', ' -> RCPT TO:<b@example.com>\n<** 550 5.1.1 unknown user\n', 'not-done'],
    ['swaks --to b@example.com', SENT.replace('<-  250 2.0.0 Ok', '<** 554 5.7.1 No'), 'not-done'],
    ['swaks --to b@example.com', '*** Error connecting to mail.example.com:25\n', 'not-done'],
    ['swaks --to b@example.com', SENT.slice(0, SENT.indexOf(' -> .')), null],
    ['swaks --to $TO', SENT, null],
  ],
})

it('keeps no password', () => {
  expect(JSON.stringify(swaks.intends(typed('swaks --to b@example.com --auth-user u --auth-password hunter2pass -ap hunter2pass')))).toMatch(/^(?!.*hunter2pass).*b@example\.com/)
})
