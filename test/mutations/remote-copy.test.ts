import remoteCopy from '../../src/mutations/remote-copy.ts'
import { mutationSuite } from './table.ts'

mutationSuite(remoteCopy, {
  means: [
    ['scp dist.tgz deploy@web.example.com:/srv/app/', 'convergent', 'host web.example.com:/srv/app/', null],
    ['scp -P 2222 -r dist web:', 'convergent', 'host web:~', null],
    ['rsync -avz --delete dist/ deploy@web.example.com:/srv/app', 'convergent', 'host web.example.com:/srv/app', null],
    ["rsync -e 'ssh -p 22' dist/ web:/srv", 'convergent', 'host web:/srv', null],
    ['rsync dist/ rsync://web.example.com/module/x', 'convergent', 'host web.example.com:/module/x', null],
    ['rsync dist/ web.example.com::module/x', 'convergent', 'host web.example.com:module/x', null],
  ],
  not: ['scp web:/srv/a .', 'rsync -a src/ dst/', 'rsync -an dist/ web:/srv', 'rsync --dry-run dist/ web:/srv', 'rsync web:/srv/ local/', 'scp a b', 'rsync --list-only x web:/srv', 'rsync -a x localhost:/srv', 'scp --help', 'sftp web:/srv', 'rsync --version', 'rsync -a $SRC $DST'],
  done: [
    ['scp a web:/srv/', '', 'host web:/srv/', null],
    ['rsync -a dist/ me@web:/srv', '', 'host web:/srv', null],
    ['?rsync -av dist/ web:/srv', 'sent 1,234 bytes  received 35 bytes  2,538.00 bytes/sec\ntotal size is 1,000  speedup is 0.79\n', 'host web:/srv', null],
  ],
  open: [
    ['?scp a web:/srv/', '', null],
    ['?scp a web:/srv/', 'ssh: connect to host web port 22: Connection refused\n', 'not-done'],
    ['?rsync -a a web:/srv', 'rsync error: error in rsync protocol data stream (code 12)\n', 'not-done'],
    ['?scp a web:/srv/', 'Permission denied (publickey).\n', 'not-done'],
  ],
})
