import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandKey, commandOf, shown } from '../../src/model/command.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import { MAX_SHELL_TEXT, type ShellCommand, type ShellReading, outcomesIn, readArgv, readShell } from '../../src/model/shell.ts'

const PLACE = { folder: '.', root: '/home/dev/app' }
const ZERO = { succeeded: '+', failed: '-' } as const
const NONZERO = { code: 'n', failed: '-', succeeded: '+' } as const

/** `folder> command [zero nonzero] shows symbolic`, each only where it is not the usual one. */
function told(command: ShellCommand): string {
  const says = `${command.zero === null ? '?' : ZERO[command.zero]}${command.nonzero === null ? '?' : NONZERO[command.nonzero]}`
  return [
    ...(command.command.folder === '.' ? [] : [`${command.command.folder}>`]),
    shown(command.command),
    ...(says === '+n' ? [] : [`[${says}]`]),
    ...(command.shows === 'all' ? [] : [command.shows]),
    ...(command.symbolic ? ['symbolic'] : []),
    ...(command.timed === true ? ['timed'] : []),
  ].join(' ')
}

const toldOf = (reading: ShellReading): readonly string[] => [
  ...(reading.parsed ? [] : ['unparsed']),
  ...reading.commands.map(told),
  ...reading.writes.map((path) => `writes ${path}`),
  ...(reading.commands.length === 1 && !reading.single ? ['list'] : []),
]

type Row = readonly [text: string, ...expected: string[]]

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'words lose their quotes and nothing else': [
    ['git push', 'git push'],
    [`g''it p"us"h`, 'git push'],
    [`git commit -m 'a "b" c'`, `git commit -m 'a "b" c'`],
    [`git commit -m "it's"`, `git commit -m 'it'\\''s'`],
    [`echo a\\ b`, `echo 'a b'`],
    [`echo $'a\\tb'`, `echo 'a\tb'`],
    [`echo "a\\"b\\\\c"`, `echo 'a"b\\c'`],
    ['npm \\\n  test', 'npm test'],
    ['npm test # the tests', 'npm test'],
    [`echo ''`, `echo ''`],
    ['ls *.ts src/[ab]?.js', `ls '*.ts' 'src/[ab]?.js'`],
    ['cp {a,b}.txt out', `cp '{a,b}.txt' out`],
    [`\\git push`, 'git push'],
    ['"git" push', 'git push'],
    [''],
    ['# only a comment'],
    ['\n\n'],
  ],
  'what the shell works out is symbolic': [
    ['echo $HOME', `echo '$HOME' symbolic`],
    ['echo "${X:-y}"', `echo '\${X:-y}' symbolic`],
    ['echo "$@"', `echo '$@' symbolic`],
    ['echo $((1 + 2))', `echo '$((1 + 2))' symbolic`],
    ['ls ~/x', `ls '~/x' symbolic`],
    [`ls '~/x'`, `ls '~/x'`],
    [`ls \\~`, `ls '~'`],
    ['make DIR=~/x', `make 'DIR=~/x' symbolic`],
    [`echo '$HOME'`, `echo '$HOME'`],
    ['$CMD push', `'$CMD' push symbolic`],
    ['echo $(date)', 'date [??] nothing', `echo '$(date)' symbolic`],
    ['echo `git push`', 'git push [??] nothing', "echo '`git push`' symbolic"],
    ['echo "a $(b "$(c)") d"', 'c [??] nothing', `b '$(c)' [??] nothing symbolic`, `echo 'a $(b "$(c)") d' symbolic`],
    ['diff <(a) <(b)', 'a [??] nothing', 'b [??] nothing', `diff '<(a)' '<(b)' symbolic`],
    ['cat <<EOF\ngit push\nEOF', 'cat symbolic'],
    ['cat <<EOF\n$(git push)\nEOF', 'git push [??] nothing', 'cat symbolic'],
    ['cat <<< hi', 'cat symbolic'],
    ['echo x{1,$y}', `echo 'x{1,$y}' symbolic`],
    [`gh pr create --body "$(cat <<'EOF'\n$5 for `+'`x`'+`\n\nEOF\n)"`, "gh pr create --body '$5 for `x`'"],
    [`git commit -m "$(cat <<EOF\nplain\nEOF\n)"`, 'git commit -m plain'],
    [`git commit -m "$(cat <<EOF\n$USER\nEOF\n)"`, 'cat [??] nothing symbolic', `git commit -m '$(cat <<EOF\n$USER\nEOF\n)' symbolic`],
    [`test a '<' b`, 'test a < b symbolic'],
  ],
  'a change of folder fills the folder': [
    ['cd packages/a && npm test', 'packages/a> npm test'],
    ['cd packages/a; npm test', 'packages/a> npm test'],
    ['cd packages/a\nnpm test', 'packages/a> npm test'],
    ['cd ./packages//a/ && npm test', 'packages/a> npm test'],
    ['cd a && cd ../b && x', 'b> x'],
    ['cd /home/dev/app/a && x', 'a> x'],
    ['cd /home/dev/app && x', 'x'],
    ['cd /home/dev/app/ && x', 'x'],
    ['cd /tmp/other && x', '/tmp/other> x'],
    ['cd .. && x', '/home/dev> x'],
    ['cd /home/dev/application && x', '/home/dev/application> x'],
    ['cd -- a && x', 'a> x'],
    ['cd $DIR && x', 'x symbolic'],
    ['cd - && x', 'x symbolic'],
    ['cd && x', 'x symbolic'],
    ['cd ~/a && x', 'x symbolic'],
    ['cd pack* && x', 'x symbolic'],
    ['cd $DIR && cd a && x', 'x symbolic'],
    ['cd $DIR && cd /home/dev/app/a && x', 'a> x'],
    ['pushd a && x && popd && y', 'a> x [+?]', 'y [+?]'],
    ['pushd a > /dev/null; x; popd > /dev/null; y', 'a> x [??]', 'y'],
    ['popd; x', 'x symbolic'],
    ['(cd a && x); y', 'a> x [??]', 'y'],
    ['{ cd a && x; }; y', 'a> x [??]', 'a> y'],
    ['cd a &\nx', 'x'],
    ['cd a | cat; x', 'x'],
    ['mkdir a && cd a && x', 'mkdir a [+?]', 'a> x [+?]'],
    ['mkdir a && cd a\nx', 'mkdir a [??]', 'a> x symbolic'],
    ['cd a || exit 1\nx', 'a> x'],
    ['cd a || cd b; x', 'a/b> x symbolic'],
    ['if y; then cd a; fi; x', 'y [??]', 'a> x symbolic'],
    ['command cd a && x', 'a> x'],
    ['cd "C:\\code\\x" && y', 'C:/code/x> y'],
    ['cd c:/code/x && y', 'C:/code/x> y'],
    ['cd /c/code/x && y', 'C:/code/x> y'],
  ],
  'assignments and exports fill the environment': [
    ['CI=1 npm test', 'CI=1 npm test'],
    ['B=2 A=1 x', 'A=1 B=2 x'],
    ['A=1 A=2 x', 'A=2 x'],
    ['export A=1; x', 'A=1 x'],
    ['UV_CACHE_DIR=/tmp/a CI=1 x', 'CI=1 UV_CACHE_DIR=/tmp/a x'],
    ['export A=1 B="c d" && x', `A=1 B='c d' x`],
    ['export A=1; A=2 x; y', 'A=2 x [??]', 'A=1 y'],
    ['export "A=1"; x', 'A=1 x'],
    ['A=1; x', 'x'],
    ['A=1; export A; x', 'A=1 x'],
    ['PATH=/opt/bin; x', 'PATH=/opt/bin x'],
    ['set -a; A=1; x', 'A=1 x'],
    ['export A=1; unset A; x', 'x'],
    ['declare -x A=1; x', 'A=1 x'],
    ['env A=1 x', 'A=1 x'],
    ['/usr/bin/env A=1 x', 'A=1 x'],
    ['env x', 'x'],
    ['env -i x', 'x symbolic'],
    ['env', 'env'],
    ['export PATH="$HOME/bin:$PATH"; x', `PATH='$HOME/bin:$PATH' x symbolic`],
    ['A=$B x', `A='$B' x symbolic`],
    ['A=~/b x', `A='~/b' x symbolic`],
    ['A+=1 x', 'A=1 x symbolic'],
    ['A=(1 2) x', `A='' x symbolic`],
    ['umask 022; set -x; x', 'x'],
    ['X=$(a) && npm test', 'a [??] nothing', 'npm test [+?]'],
    ['(export A=1; x); y', 'A=1 x [??]', 'y'],
    ['"A=1" x', `'A=1' x`],
  ],
  'shells, users and places are unwrapped': [
    [`bash -lc 'npm test'`, 'npm test'],
    [`bash -c "cd a && npm test"`, 'a> npm test'],
    [`/bin/bash -c 'npm test' ignored`, 'npm test'],
    [`zsh -lc 'npm test'`, 'npm test'],
    [`sh -c "sh -c 'sh -c x'"`, 'x'],
    [`bash -euo pipefail -c 'a | tail'`, 'a end'],
    [`bash --norc -ec 'a; b'`, 'a [+?]', 'b [+?]'],
    [`set -e; bash -c 'a; b'`, 'a [??]', 'b'],
    [`bash -n -c 'x'`, 'x symbolic'],
    ['bash -c "$SCRIPT"', `'$SCRIPT' symbolic`],
    ['bash -c "cd $D && git push"', 'git push symbolic'],
    ['bash -c "$A \'"', `bash -c '$A '\\''' symbolic`],
    ['bash run.sh', 'bash run.sh'],
    [`A=1 bash -c 'x'`, 'A=1 x'],
    ['sudo apt install x', 'sudo apt install x'],
    ['sudo -n -E A=1 x', 'sudo A=1 x'],
    ['sudo -u root x', 'sudo x'],
    ['sudo -u postgres x', 'sudo x symbolic'],
    ['A=1 sudo x', 'sudo A=1 x symbolic'],
    ['A=1 sudo -E x', 'sudo A=1 x'],
    ['sudo -v', `'sudo' -v`],
    [`sudo bash -c 'x'`, 'sudo x'],
    ['docker exec web npm test', 'docker exec web npm test'],
    ['docker exec -it -e A=1 -w /srv web npm test', '/srv> docker exec -e A=1 web npm test'],
    ['docker exec -u root web x', 'docker exec -u root web x'],
    ['docker exec -u 1000 web x', 'docker exec web x symbolic'],
    ['docker exec --privileged web x', 'docker exec web x symbolic'],
    ['docker exec -d web x', 'docker exec web x [??]'],
    ['docker exec $C x', `docker exec '$C' x symbolic`],
    ['docker exec web', `'docker' exec web`],
    [`podman exec web sh -c 'cd /srv && x'`, '/srv> docker exec web x'],
    [`docker exec web sh -c 'cd srv && x'`, 'docker exec web x symbolic'],
    ['docker compose exec -T db psql', 'docker exec db psql'],
    ['docker-compose exec db psql', 'docker exec db psql'],
    ['docker compose -f f.yml exec db psql', 'docker compose -f f.yml exec db psql'],
    ['docker run img x', 'docker run img x'],
    ['docker exec web cat /home/dev/app/x', 'docker exec web cat /home/dev/app/x'],
    ['DOCKER_HOST=h docker exec web x', 'docker exec web x symbolic'],
    ['sudo docker exec web x', 'docker exec web x symbolic'],
    ['ssh host ls -l', `ssh host 'ls -l'`],
    ['ssh host "cd /srv && ls"', '/srv> ssh host ls'],
    ['ssh -o BatchMode=yes -T dev@host x', 'ssh dev@host x'],
    ['ssh -p 2222 host x', 'ssh host x symbolic'],
    ['ssh host "a; b"', 'ssh host a [??]', 'ssh host b'],
    ['ssh host', 'ssh host'],
    [`ssh host docker exec web x`, 'docker exec web x symbolic'],
  ],
  'time, nice, nohup, timeout and their like are dropped': [
    ['time npm test', 'npm test'],
    ['time -p npm test', 'npm test'],
    ['/usr/bin/time -v npm test', 'npm test'],
    ['nice -n 5 x', 'x'],
    ['nice -10 x', 'x'],
    ['nohup x', 'x'],
    ['timeout 60 npm test', 'npm test timed'],
    ['timeout -k 5 --signal=KILL 60s x', 'x timed'],
    ['timeout $T x', 'x symbolic timed'],
    ['stdbuf -oL x', 'x'],
    ['ionice -c 3 nice x', 'x'],
    ['command x', 'x'],
    ['command -v x', 'command -v x'],
    ['exec x', 'x'],
    ['exec x; y', 'x', 'y [??]'],
    [`timeout 5 bash -lc 'cd y && npm test' | tail -3`, 'y> npm test [??] tip timed'],
    ['npx jest', 'npx jest'],
    ['pnpm exec jest', 'pnpm exec jest'],
    ['uv run pytest', 'uv run pytest'],
    ['xargs git push', 'xargs git push'],
    ['git remnant run --trace -- npm test', 'npm test'],
    ['git-remnant run --session=s -- cd a', 'cd a'],
    ['git -C a remnant run -- npm test', 'a> npm test'],
    ['git -c x=y remnant run -- npm test', 'npm test symbolic'],
    ['git remnant list', 'git remnant list'],
    ['nohup --odd x', 'nohup --odd x'],
  ],
  'redirections say what is shown and what is written': [
    ['x > out.txt', 'x nothing', 'writes out.txt'],
    ['x >> logs/a.txt', 'x nothing', 'writes logs/a.txt'],
    ['cd a && x >| b.txt', 'a> x nothing', 'writes a/b.txt'],
    ['x > /home/dev/app/a.txt', 'x nothing', 'writes a.txt'],
    ['x > /tmp/a.txt', 'x nothing'],
    ['x > ../a.txt', 'x nothing'],
    ['x &> a.txt', 'x nothing', 'writes a.txt'],
    ['x > a.txt 2>&1', 'x nothing', 'writes a.txt'],
    ['x 2>&1', 'x'],
    ['x 2>&1 > /dev/null', 'x nothing'],
    ['x 2>/dev/null', 'x'],
    ['x 2> err.txt', 'x', 'writes err.txt'],
    ['x > /dev/null', 'x nothing'],
    ['x >&2', 'x'],
    ['x > /dev/stderr', 'x'],
    ['x 3>&1 1>&2 2>&3', 'x'],
    ['x >&-', 'x nothing'],
    ['x > $F', 'x nothing', 'writes *'],
    ['x > >(tee log)', 'tee log [??] nothing', 'x part', 'writes log'],
    ['> a.txt', 'writes a.txt'],
    ['x < in.txt', 'x < in.txt'],
    ['x < /home/dev/app/in.txt', 'x < in.txt'],
    ['x < $F', `x < '$F' symbolic`],
    ['x < a < b', `x '<' a < b`],
    ['cat > f.txt <<EOF\nhi\nEOF', 'cat nothing symbolic', 'writes f.txt'],
    ['(a; b) > f', 'a [??] nothing', 'b nothing', 'writes f'],
    ['{ a; b; } 2>&1 | tail -20', 'a [??] part', 'b [??] end'],
    ['while read l; do x; done < f', 'read l [??] symbolic', 'x [??] symbolic'],
    ['exec > log.txt; x', 'x nothing', 'writes log.txt'],
    ['x | tee log.txt', 'x [??] end', 'writes log.txt'],
    ['x | tee -a a.log b.log | tail', 'x [??] end', 'writes a.log', 'writes b.log'],
    ['sudo x > f', 'sudo x nothing', 'writes f'],
    ['docker exec web x > f', 'docker exec web x nothing', 'writes f'],
    ['ssh host "x > f"', 'ssh host x nothing'],
  ],
  'filters at the end of a pipeline are left out': [
    ['x | tail', 'x [??] end'],
    ['x | tail -5', 'x [??] end'],
    ['x | tail -n 5', 'x [??] end'],
    ['x | tail -n4', 'x [??] tip'],
    ['x | tail -2', 'x [??] tip'],
    ['x | tail -1', 'x [??] part'],
    ['x | tail --lines=1', 'x [??] part'],
    ['x | tail -n +3', 'x [??] part'],
    ['x | tail -c 20', 'x [??] part'],
    ['x | tail -$N', 'x [??] part'],
    ['x 2>&1 | tail -20', 'x [??] end'],
    ['x |& tail -20', 'x [??] end'],
    ['x | cat', 'x [??] end'],
    ['x | ts', 'x [??] end'],
    ['x | nl', 'x [??] end'],
    ['x | head -20', 'x [??] part'],
    ['x | grep -v foo', 'x [??] part'],
    ['x | grep -q foo', 'x [??] nothing'],
    ['x | egrep "a|b" | sort | uniq -c', 'x [??] part'],
    [`x | sed -n 's/a/b/p'`, 'x [??] part'],
    [`x | awk -F: '{print $1}'`, 'x [??] part'],
    ['x | wc -l', 'x [??] part'],
    ['x | cut -d: -f1 | tr a b', 'x [??] part'],
    ['x | jq .name', 'x [??] part'],
    ['x | python3 -m json.tool', 'x [??] part'],
    ['x | tail -20 | grep y', 'x [??] part'],
    ['x | LC_ALL=C sort', 'x [??] part'],
    ['x | tail > f', 'x [??] nothing', 'writes f'],
    ['x | sort -o f', 'x [??] nothing', 'writes f'],
    ['cat f | grep y', 'cat f [??] part'],
    ['tail -5 log.txt', 'tail -5 log.txt'],
    ['grep y f | head', 'grep y f [??] part'],
    ['x | tail -5 log.txt', 'x [??] nothing', 'tail -5 log.txt symbolic'],
    ['x | grep y f', 'x [??] nothing', 'grep y f symbolic'],
    ['x | grep -r y', 'x [??] nothing', 'grep -r y symbolic'],
    ['x | sed -i s/a/b/ f', 'x [??] nothing', 'sed -i s/a/b/ f symbolic'],
    [`x | awk '{system("git push")}'`, 'x [??] nothing', `awk '{system("git push")}' symbolic`],
    ['x | sudo tee f', 'x [??] nothing', 'sudo tee f symbolic', 'writes f'],
    ['x | grep y | xargs git push', 'x [??] nothing', 'grep y [??] nothing symbolic', 'xargs git push symbolic'],
    ['a && b | tail', 'a [+?]', 'b [??] end'],
    ['a | b | tail', 'a [??] nothing', 'b [??] end symbolic'],
  ],
  'the status is split': [
    ['a && b', 'a [+?]', 'b [+?]'],
    ['a; b', 'a [??]', 'b'],
    ['a\nb\nc', 'a [??]', 'b [??]', 'c'],
    ['set -e; a; b', 'a [+?]', 'b [+?]'],
    ['set -o errexit\na', 'a'],
    ['set -e; a && b; c', 'a [??]', 'b [??]', 'c [+?]'],
    ['set -e; cd x && a; b', 'x> a [+?]', 'x> b [+?]'],
    ['set -e; a || true; b', 'a [??]', 'b'],
    ['set -e; ! a; b', 'a [??]', 'b'],
    ['set -e; (a; b); c', 'a [+?]', 'b [+?]', 'c [+?]'],
    ['set -e; (a; b) && c', 'a [??]', 'b [+?]', 'c [+?]'],
    ['set -e; set +e; a; b', 'a [??]', 'b'],
    ['set -e; if a; then b; fi; c', 'a [??]', 'b [??]', 'c [+?]'],
    ['a || b', 'a [?-]', 'b [?n]'],
    ['a || true', 'a [??]'],
    ['a || :', 'a [??]'],
    ['(a || true) && b', 'a [??]', 'b'],
    ['a || echo failed', 'a [?-]', 'echo failed [?n]'],
    ['a && b || c', 'a [??]', 'b [??]', 'c [?n]'],
    ['a || exit 1', 'a [+-]'],
    ['a || exit', 'a'],
    ['a || exit 0', 'a [??]'],
    ['a || exit 1; b', 'a [+?]', 'b [+?]'],
    ['a || { echo no; exit 1; }\nb', 'a [+?]', 'echo no [??]', 'b [+?]'],
    ['a && exit 0; b', 'a [??]', 'b [??]'],
    ['a & ', 'a [??]'],
    ['a & b', 'a [??]', 'b'],
    ['! a', 'a [-+]'],
    ['! ! a', 'a'],
    ['! a && b', 'a [-?]', 'b [+?]'],
    ['! a || b', 'a [?+]', 'b [?n]'],
    ['! (a && b)', 'a [?+]', 'b [?+]'],
    ['a | b', 'a [??] nothing', 'b symbolic'],
    ['set -o pipefail; a | tail', 'a end'],
    ['set -o pipefail; a | grep x', 'a [+?] part'],
    ['set -o pipefail; a | b', 'a [+?] nothing', 'b [+?] symbolic'],
    ['set -euo pipefail\na | tail\nb', 'a [+?] end', 'b [+?]'],
    ['set +o pipefail; a | tail', 'a [??] end'],
    ['a; exit $?', 'a'],
    ['a; exit "$?"', 'a'],
    ['a; exit', 'a'],
    ['a; exit 0', 'a [??]'],
    ['a; exit $rc', 'a [??]'],
    ['a; exit 1; b', 'a [??]', 'b [??]'],
    ['a; echo $?', 'a [??]', `echo '$?' symbolic`],
    ['a; echo "exit: $?"', 'a [??]', `echo 'exit: $?' symbolic`],
    ['a; cd ..', 'a [??]'],
    ['a && cd ..', 'a'],
    ['cd x && a', 'x> a'],
    ['cd x && (a || true)', 'x> a [??]'],
    ['(a)', 'a'],
    ['{ a; }', 'a'],
    ['(a; b) && c', 'a [??]', 'b [+?]', 'c [+?]'],
    ['(exit 3); a', 'a'],
    ['true', 'true'],
    ['echo start; a', 'echo start [??]', 'a'],
    ['trap "exit 0" EXIT; a', `trap 'exit 0' EXIT [??]`, 'a [??]'],
  ],
  'control flow lists its commands and proves nothing': [
    ['if a; then b; elif c; then d; else e; fi', 'a [??]', 'b [??]', 'c [??]', 'd [??]', 'e [??]'],
    ['if a; then :; fi', 'a [??]', ': [??]'],
    ['for i in 1 2; do git push $i; done', `git push '$i' [??] symbolic`, 'list'],
    ['for i in $(a); do b; done', 'a [??] nothing', 'b [??]'],
    ['while a; do b; done', 'a [??]', 'b [??]'],
    ['until a; do b; done', 'a [??]', 'b [??]'],
    ['for ((i=0; i<3; i++)); do a; done', 'a [??]', 'list'],
    ['case $x in a) b;; *) c;; esac', 'b [??]', 'c [??]'],
    ['f() { git push; }', 'git push [??] symbolic', 'list'],
    ['f() { a; }; f x', 'a [??] symbolic', 'f x symbolic'],
    ['f() { exit 0; }; f; b', 'f [??] symbolic', 'b [??]'],
    ['[[ -f x ]] && a', 'a [+?]', 'list'],
    ['[[ -f $(a) ]]', 'a [??] nothing', 'list'],
    ['(( n > 3 )) || a', 'a [?n]', 'list'],
    ['[ -f x ] && a', `'[' -f x ']' [+?]`, 'a [+?]'],
    ['if true; then a; fi | tail', 'true [??] part', 'a [??] end'],
    ['if ! a; then exit 1; fi; b', 'a [??]', 'b [+?]'],
    ['coproc a', 'a [??]', 'list'],
  ],
  'what acts on everything behind it makes that symbolic': [
    ['source .venv/bin/activate && pytest', 'source .venv/bin/activate [+?] symbolic', 'pytest [+?] symbolic'],
    ['. ./env.sh; a', '. ./env.sh [??] symbolic', 'a symbolic'],
    ['eval "git push"', 'git push symbolic', 'list'],
    ['eval "$(ssh-agent)"', 'ssh-agent [??] nothing', `eval '$(ssh-agent)' symbolic`],
    ['nvm use 20 && npm test', 'nvm use 20 [+?] symbolic', 'npm test [+?] symbolic'],
    ['conda activate x; a', 'conda activate x [??] symbolic', 'a symbolic'],
    ['git() { true; }; git push', 'true [??] symbolic', 'git push symbolic'],
    ['export $(cat .env); a', 'cat .env [??] nothing', 'a symbolic'],
  ],
  'paths under the root become relative to the folder': [
    ['cat /home/dev/app/src/a.ts', 'cat src/a.ts'],
    ['cd src && cat /home/dev/app/src/a.ts', 'src> cat a.ts'],
    ['cd packages/a && cat /home/dev/app/packages/b/x', 'packages/a> cat ../b/x'],
    ['ls /home/dev/app', 'ls .'],
    ['ls /home/dev/app/', 'ls .'],
    ['ls /home/dev/app/src/', 'ls src/'],
    ['ls /home/dev/apple', 'ls /home/dev/apple'],
    ['x --config=/home/dev/app/c.json', 'x --config=c.json'],
    ['x -I/home/dev/app/inc', 'x -Iinc'],
    ['x @/home/dev/app/args', 'x @args'],
    ['OUT=/home/dev/app/out x', 'OUT=out x'],
    ['PYTHONPATH=/home/dev/app/a:/home/dev/app/b x', 'PYTHONPATH=a:b x'],
    ['/home/dev/app/run.sh', './run.sh'],
    ['cd a && /home/dev/app/bin/x', 'a> ../bin/x'],
    ['eslint /home/dev/app/a.ts:3:4', 'eslint a.ts:3:4'],
    ['scp a host:/home/dev/app/b', 'scp a host:/home/dev/app/b'],
    ['cat /home/dev/app/-n', 'cat ./-n'],
    ['cat /home/dev/app/../x', 'cat /home/dev/app/../x'],
    [`node -e "require('/home/dev/app/x')"`, `node -e 'require('\\''/home/dev/app/x'\\'')'`],
    ['git -C /home/dev/app/a add /home/dev/app/a/x', 'git -C a add /home/dev/app/a/x'],
    ['cd /tmp && cat /home/dev/app/x', '/tmp> cat /home/dev/app/x'],
  ],
  'what is no grammar is unparsed, and never clean': [
    ['echo "unterminated', 'unparsed'],
    [`echo 'a`, 'unparsed'],
    ['if a', 'unparsed'],
    ['a &&', 'unparsed'],
    ['a | ', 'unparsed'],
    [') a', 'unparsed'],
    ['a; ;b', 'unparsed'],
    ['echo $(a', 'unparsed'],
    ['echo "$(a &&)"', 'unparsed'],
    [`bash -c 'a &&'`, 'unparsed'],
    ['a\0b', 'unparsed'],
    ['a \ud800', 'unparsed'],
    ['$('.repeat(20_000), 'unparsed'],
    ['"$('.repeat(5_000), 'unparsed'],
    [`${'( '.repeat(60)}a${' )'.repeat(60)}`, 'unparsed'],
    ['x'.repeat(1_000_000), 'unparsed'],
    [`echo ${'x'.repeat(MAX_SHELL_TEXT)}`, 'unparsed'],
  ],
}

describe('a shell text', () => {
  for (const [title, rows] of Object.entries(TABLES))
    describe(title, () => {
      it.each(rows.map((row) => [row[0].length > 70 ? `${row[0].slice(0, 60)}…` : row[0], row] as const))('%j', (_, [text, ...expected]) => {
        expect(toldOf(readShell(text, PLACE))).toEqual(expected)
      })
    })

  it('is tried on more than 300 lines', () => {
    expect(Object.values(TABLES).flat().length).toBeGreaterThan(300)
  })

  it.each([
    ['no root, absolute folder', { folder: '/code/a/', root: null }, 'cd ../b && x', ['/code/b> x']],
    ['no root, relative folder', { folder: 'a', root: null }, 'cd ../../b && x', ['../b> x']],
    ['an absolute folder under the root', { folder: '/code/app/a/./b/', root: '/code/app/' }, 'x', ['a/b> x']],
    ['the root itself', { folder: '/code/app', root: '/code/app' }, 'x', ['x']],
    ['a drive with backslashes', { folder: 'C:\\code\\app\\a', root: 'c:/code/app' }, 'cat "C:\\code\\app\\b"', ['a> cat ../b']],
    ['a mounted drive', { folder: '/c/code/app', root: 'C:\\code\\app' }, 'cd /c/code/app/b && x', ['b> x']],
    ['a root with a pattern in its name', { folder: '.', root: '/code/a+b' }, 'cat /code/a+b/c', ['cat c']],
    ['the root of the disk', { folder: '.', root: '/' }, 'cat /etc/hosts', ['cat etc/hosts']],
  ])('is read in its place: %s', (_, place, text, expected) => {
    expect(toldOf(readShell(text, place))).toEqual(expected)
  })

  it('never throws and never takes long, whatever it is', () => {
    const token = fc.constantFrom(
      'a', 'cd', 'x', 'sudo', 'bash', '-c', 'docker exec', 'ssh', 'env', 'A=1', '&&', '||', '|', ';', '&', '\n', '(', ')', '{', '}', '"', "'", '`', '$(', '$((', '))', '${', '}', '$x',
      '<<EOF', 'EOF', '<', '>', '2>&1', 'if', 'then', 'fi', 'for', 'do', 'done', 'case', 'esac', '[[', ']]', '!', '\\', 'exit', '$?', 'set -e', 'true', '~', '*', '#', 'tail', 'eval', 'timeout 5', ' ',
    )
    const texts = fc.oneof(fc.string({ maxLength: 300 }), fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(' ')))
    fc.assert(
      fc.property(texts, (text) => {
        const reading = readShell(text, PLACE)
        expect(reading.parsed || (reading.commands.length === 0 && !reading.single)).toBe(true)
        for (const { command } of reading.commands) expect(() => commandKey(command)).not.toThrow()
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['$(', '"$(', '`', '((', '{ ', '<<A ', 'a|', '[[ ', '${', '$((', 'if ', '!(', 'a=(', '<(', '{a,', 'bash -c "', 'a;', 'a&&', 'a||', '~', 'eval '])(
    'is read in time where %j fills it',
    (piece) => {
      const text = piece.repeat(Math.floor((MAX_SHELL_TEXT - 1) / piece.length))
      const before = process.cpuUsage()
      readShell(text, PLACE)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(2_000)
    },
  )
})

const word = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed() && !text.includes('\0'))
const program = fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), word).filter((text) => !/^(?:cd|set|env|sh|bash|exit|eval|exec|true|time|sudo|nice|ssh|git|\.|:)$/.test(text))
const argvs = fc.tuple(program, fc.array(fc.oneof(word, fc.constantFrom('<', '-n', '--', '~', '$x', 'a=b', '*')), { maxLength: 4 })).map(([first, rest]) => [first, ...rest])
const commands = fc.record({
  argv: argvs,
  env: fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Z_]{1,4}$/), word), { selector: ([name]) => name, maxLength: 2 }),
  where: fc.constantFrom('here', 'container:web', 'host:dev@h'),
  privilege: fc.constantFrom('user' as const, 'root' as const),
}).map(({ argv, ...more }) => commandOf(argv, more))

describe('a canonical command as it is shown', () => {
  it('reads back as the same command', () => {
    fc.assert(
      fc.property(commands, (command) => {
        const reading = readShell(shown(command), { folder: '.', root: null })
        expect(reading.commands.map((each) => each.command)).toEqual([command])
        expect(reading.single).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never looks like another', () => {
    fc.assert(fc.property(commands, commands, (a, b) => (shown(a) === shown(b)) === (commandKey(a) === commandKey(b))), { numRuns: 1_000 })
  })

  it('is another for other words', () => {
    fc.assert(fc.property(argvs, argvs, (a, b) => (commandKey(commandOf(a)) === commandKey(commandOf(b))) === (JSON.stringify(a) === JSON.stringify(b))))
  })
})

describe('an argument list', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['npm', 'test'], ['npm test']],
    [['bash', '-lc', 'cd a && npm test'], ['a> npm test']],
    [['bash', '-lc', 'a && b'], ['a [+?]', 'b [+?]']],
    [['git', 'commit', '-m', '$HOME `x` *'], ["git commit -m '$HOME `x` *'"]],
    [['env', 'A=1', 'x'], ['A=1 x']],
    [['sudo', 'x'], ['sudo x']],
    [['true'], ['true']],
    [['cat', '/home/dev/app/x'], ['cat x']],
    [['git', 'remnant', 'run', '--', 'npm', 'test'], ['npm test']],
    [['tail'], ['tail']],
    [['cd', 'a'], ['cd a']],
    [['x', '<', 'y'], ['x < y symbolic']],
    [['bash', '-c', 'a &&'], ['unparsed']],
    [['x', 'a'.repeat(20_000)], ['unparsed']],
    [[], []],
  ])('%j', (argv, expected) => {
    expect(toldOf(readArgv(argv, PLACE))).toEqual(expected)
  })
})

describe('the outcome of a whole text', () => {
  const code = (n: number): Outcome => ({ is: 'code', code: n })
  const U: Outcome = { is: 'unknown' }
  it.each<[string, Outcome, readonly Outcome[]]>([
    ['a', code(0), [code(0)]],
    ['a', code(3), [code(3)]],
    ['a', { is: 'success' }, [{ is: 'success' }]],
    ['a', { is: 'failure' }, [{ is: 'failure' }]],
    ['a', { is: 'answer' }, [{ is: 'answer' }]],
    ['a', { is: 'transient' }, [{ is: 'transient' }]],
    ['a', { is: 'summary', passed: true }, [{ is: 'summary', passed: true }]],
    ['a', U, [U]],
    ['a && b', code(0), [code(0), code(0)]],
    ['a && b', { is: 'success' }, [{ is: 'success' }, { is: 'success' }]],
    ['a && b', code(1), [U, U]],
    ['a && b', { is: 'transient' }, [U, U]],
    ['a && b', { is: 'summary', passed: false }, [U, U]],
    ['a; b', code(2), [U, code(2)]],
    ['a || b', code(2), [{ is: 'failure' }, code(2)]],
    ['a || b', code(0), [U, U]],
    ['! a', code(0), [{ is: 'failure' }]],
    ['! a', code(1), [{ is: 'success' }]],
    ['a || exit 3', code(3), [{ is: 'failure' }]],
    ['a | tail', code(0), [U]],
    ['a | tail', { is: 'summary', passed: true }, [{ is: 'summary', passed: true }]],
    ['timeout 5 a', code(124), [{ is: 'transient' }]],
    ['timeout 5 a', code(1), [code(1)]],
    ['timeout 5 a && b', code(124), [U, U]],
    ['a', code(124), [code(124)]],
    ['a "', code(0), []],
  ])('%j with %j', (text, outcome, expected) => {
    const reading = readShell(text, PLACE)
    const each = outcomesIn(reading, outcome)
    expect(each.map((one) => one.outcome)).toEqual(expected)
    expect(each.map((one) => one.command)).toEqual(reading.commands)
  })
})
