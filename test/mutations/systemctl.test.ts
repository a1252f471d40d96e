import systemctl from '../../src/mutations/systemctl.ts'
import { mutationSuite } from './table.ts'

mutationSuite(systemctl, {
  means: [
    ['sudo systemctl start nginx', 'convergent', 'machine service:nginx', 'start'],
    ['systemctl restart nginx.service', 'harmful', 'machine service:nginx', 'restart'],
    ['systemctl enable --now a b', 'convergent', 'machine service:a b', 'enable'],
    ['systemctl --user stop app', 'convergent', 'machine service:app', 'stop'],
    ['service nginx restart', 'harmful', 'machine service:nginx', 'restart'],
    ['systemctl mask x', 'convergent', 'machine service:x', 'mask'],
  ],
  not: ['systemctl status nginx', 'systemctl is-active nginx', 'systemctl list-units', 'systemctl daemon-reload', 'service nginx status', 'systemctl start --help', 'systemctl cat nginx', 'systemctl show nginx', 'journalctl -u nginx', 'systemctl', 'systemctl start', 'systemctl -H web start nginx', 'npm start nginx'],
  done: [
    ['systemctl start nginx', '', 'machine service:nginx', 'start'],
    ['systemctl enable nginx', 'Created symlink /etc/systemd/x → /lib/systemd/x.\n', 'machine service:nginx', 'enable'],
  ],
  open: [
    ['?systemctl start nginx', '', null],
    ['?systemctl start nginx', 'Failed to start nginx.service: Unit nginx.service not found.\n', 'not-done'],
    ['?systemctl start nginx', 'Job for nginx.service failed because the control process exited with error code.\n', 'not-done'],
    ['?systemctl start nginx', 'System has not been booted with systemd as init system\n', 'not-done'],
  ],
})
