import glabMr from '../../src/mutations/glab-mr.ts'
import { mutationSuite } from './table.ts'

const URL = 'https://gitlab.com/group/sub/app/-/merge_requests/12'

mutationSuite(glabMr, {
  means: [
    ['glab mr create --fill', 'harmful', null, null],
    ['glab mr create -R group/sub/app -s feat -t x', 'harmful', 'gitlab group/sub/app', 'feat'],
    ['glab mr new -R https://git.example.com/group/app', 'harmful', 'gitlab git.example.com/group/app', null],
    ['glab mr merge 12 -R group/app', 'harmful', 'gitlab group/app', 'merge_requests/12'],
    ['glab mr note !12 -m hi', 'harmful', null, 'merge_requests/12'],
    [`glab mr close ${URL}`, 'convergent', 'gitlab group/sub/app', 'merge_requests/12'],
    ['glab mr approve 12', 'convergent', null, 'merge_requests/12'],
    ['glab mr update feat --title x', 'convergent', null, null],
  ],
  not: ['glab mr list', 'glab mr view 12', 'glab mr diff 12', 'glab mr checkout 12', 'glab mr create --web', 'glab mr create --help', 'glab issue create', 'gh mr create', 'glab ci status', 'glab mr constructor'],
  done: [
    ['glab mr create --fill', `Creating merge request for feat into main in group/sub/app\n\n!12 x (feat)\n ${URL}\n`, 'gitlab group/sub/app', 'merge_requests/12'],
    ['glab mr create --fill', 'https://git.example.com/g/a/-/merge_requests/3\n', 'gitlab git.example.com/g/a', 'merge_requests/3'],
    ['glab mr note 12 -m x', `${URL}#note_99\n`, 'gitlab group/sub/app', 'merge_requests/12#note_99'],
    ['glab mr merge 12 -R g/a', '✓ Merged!\n', 'gitlab g/a', 'merge_requests/12'],
    ['glab mr close 12 -R g/a', '✓ Closed merge request !12\n', 'gitlab g/a', 'merge_requests/12'],
  ],
  open: [
    ['glab mr create --fill', '', null],
    ['glab mr create -R g/a', `ERROR\n ${URL} already exists\n`, 'not-done'],
    ['glab mr merge 12', '✓ Merged!\n', null],
    ['glab mr merge 12 -R g/a', `${URL}\n`, null],
    ['glab mr create -R g/a', `see ${URL} for more\n`, null],
  ],
})
