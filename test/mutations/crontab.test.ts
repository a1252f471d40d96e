import crontab from '../../src/mutations/crontab.ts'
import { mutationSuite } from './table.ts'

mutationSuite(crontab, {
  means: [
    ['crontab jobs.txt', 'convergent', 'machine crontab:-', null],
    ['crontab - < jobs.txt', 'convergent', 'machine crontab:-', null],
    ['crontab < jobs.txt', 'convergent', 'machine crontab:-', null],
    ['crontab -r', 'convergent', 'machine crontab:-', null],
    ['sudo crontab -u www jobs.txt', 'convergent', 'machine crontab:www', null],
  ],
  not: ['crontab -l', 'crontab -e', 'crontab', 'crontab -u www -l', 'crontab -h', 'crontab -V', 'cron', 'anacron -f', 'crontab -T jobs.txt'],
  done: [
    ['crontab jobs.txt', '', 'machine crontab:-', null],
    ['crontab -u www -r', '', 'machine crontab:www', null],
  ],
  open: [
    ['?crontab jobs.txt', '', null],
    ['?crontab jobs.txt', '"jobs.txt":1: bad minute\nerrors in crontab file, can\'t install.\n', 'not-done'],
    ['crontab -r', 'no crontab for www\n', 'not-done'],
    ['crontab jobs.txt', 'crontab: user `x\' unknown\n', 'not-done'],
  ],
})
