import outsideFiles from '../../src/mutations/outside-files.ts'
import { mutationSuite } from './table.ts'

mutationSuite(outsideFiles, {
  means: [
    ['cp nginx.conf /etc/nginx/nginx.conf', 'convergent', 'machine file:/etc/nginx/nginx.conf', null],
    ['sudo mv app /usr/local/bin/app', 'convergent', 'machine file:/usr/local/bin/app', null],
    ['mv /opt/old new', 'convergent', 'machine file:/opt/old', null],
    ['ln -sf /repo/x /usr/local/bin/x', 'convergent', 'machine file:/usr/local/bin/x', null],
    ['install -m 755 -t /usr/local/bin app', 'convergent', 'machine file:/usr/local/bin', null],
    ['mkdir -p /opt/app /opt/b', 'convergent', 'machine file:/opt/app /opt/b', null],
    ['rm -rf /opt/app', 'convergent', 'machine file:/opt/app', null],
    ['tee -a /etc/hosts < x', 'harmful', 'machine file:/etc/hosts', null],
    ['touch /var/lib/flag', 'convergent', 'machine file:/var/lib/flag', null],
  ],
  not: ['cp a b', 'cp /etc/hosts .', 'mv a src/b', 'cp x /tmp/y', 'mkdir -p build', 'rm -rf /tmp/x', 'cp a /repo/b', 'touch /dev/null', 'cp --help', 'cat /etc/hosts', 'ls /opt', 'ln -s /usr/bin/x bin/x', 'chmod 755 x', 'install', 'cp ../a ../b'],
  done: [
    ['cp nginx.conf /etc/nginx/nginx.conf', '', 'machine file:/etc/nginx/nginx.conf', null],
    ['mkdir -pv /opt/app', "mkdir: created directory '/opt/app'\n".replace('mkdir: ', ''), 'machine file:/opt/app', null],
    ['rm -rf /opt/app', '', 'machine file:/opt/app', null],
  ],
  open: [
    ['?cp a /etc/x', '', null],
    ['?cp a /etc/x', "cp: cannot create regular file '/etc/x': Permission denied\n", 'not-done'],
    ['?rm /opt/x', "rm: cannot remove '/opt/x': No such file or directory\n", 'not-done'],
    ['cp a b /etc', "cp: warning: source file 'a' specified more than once\n", null],
  ],
})
