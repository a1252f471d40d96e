import { hasProgram } from './projects.mjs'

/**
 * What happens in a session, and what may be concluded of it, by construction. Each scenario takes a recorder (and a project
 * whose gate is red) and answers its label: `must` are claims that the log proves, `may` those that are right and need not be
 * made, both as lines (see judge.ts); whatever else is claimed is wrong. `also(told, format)`: what must hold of a claim besides.
 */
export const ofProject = [
  {
    name: 'red, edit, green',
    async run(s, p) {
      await s.run(p.gate)
      s.read(p.path)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      return { must: [`gate ${p.gate}`] }
    },
  },
  {
    name: 'red, edit, red, edit, green, and its cause declared',
    async run(s, p) {
      await s.run(p.gate)
      s.edit(p.path, p.tried)
      await s.run(p.gate)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      await s.claim(`--root-cause '${p.cause}.'`)
      // Codex keeps no content of an updated file: the patch can't be told, and a cause without its patch is a declaration.
      const cause = { 'claude-code': `residual ${p.gate}`, codex: `declared ${p.cause}.` }
      return { must: [`gate ${p.gate}`, cause], also: ({ kind, claim }) => kind !== 'debug_residuals' || (claim.falsified_branches.length === 1 && claim.root_cause_invariant === `${p.cause}.`) }
    },
  },
  {
    name: 'a file is added that turns the gate, and the cause is declared',
    async run(s, p) {
      s.put(p.path, p.wrong)
      await s.run(p.gate)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      await s.run(p.gate)
      await s.claim(`--root-cause --gate '${p.gate}' '${p.cause}.'`)
      return { must: [`gate ${p.gate}`, { 'claude-code': `residual ${p.gate}`, codex: `declared ${p.cause}.` }], also: ({ kind, claim }) => kind !== 'debug_residuals' || claim.falsified_branches.length === 0 }
    },
  },
  {
    name: 'a cause declared while the gate is red',
    async run(s, p) {
      await s.run(p.gate)
      s.edit(p.path, p.tried)
      await s.run(p.gate)
      await s.claim(`--root-cause '${p.cause}.'`)
      return { must: [`open ${p.gate}`] }
    },
  },
  {
    name: 'a cause declared, and the gate red again later',
    async run(s, p) {
      await s.run(p.gate)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      await s.claim(`--root-cause '${p.cause}.'`)
      s.edit(p.path, p.wrong)
      await s.run(p.gate)
      return { must: [`open ${p.gate}`] }
    },
  },
  {
    name: 'never green',
    async run(s, p) {
      await s.run(p.gate)
      s.edit(p.path, p.tried)
      await s.run(p.gate)
      return { must: [`open ${p.gate}`], also: ({ kind, claim }) => kind !== 'unresolved_handoffs' || claim.falsified_branches.length === 1 }
    },
  },
  {
    name: 'red twice, and nothing edited between',
    async run(s, p) {
      await s.run(p.gate)
      s.read(p.path)
      await s.run(p.gate)
      return { must: [`dead red ${p.gate}`] }
    },
  },
  {
    name: 'masked',
    async run(s, p) {
      await s.run(`${p.gate} || true`)
      await s.run(`${p.gate}; echo finished`)
      await s.run(`${p.gate} > out.txt 2>&1 &`)
      return { must: [] }
    },
  },
  {
    name: 'masked green, behind a filter that may hide the end',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(`${p.gate} 2>&1 | head -1`)
      await s.run(`${p.gate} 2>&1 | grep -c pass`)
      return { must: [] }
    },
  },
  {
    name: 'green behind tail',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(`${p.gate} 2>&1 | tail -40`)
      // Only where the tool closes with its own words can anybody tell.
      return { must: ['make', 'typescript'].includes(p.id) ? [] : [`gate ${p.gate}`], also: ({ claim }) => claim.verification_receipt.strength === 'summary' }
    },
  },
  {
    name: 'red behind tail',
    async run(s, p) {
      await s.run(`${p.gate} 2>&1 | tail -60`)
      return { must: p.id === 'typescript' ? [] : [`open ${p.gate}`], may: [`open ${p.gate}`] }
    },
  },
  {
    name: 'in a shell, from elsewhere, in a list',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(`cd ${s.root} && ${p.gate}`)
      await s.run(`bash -lc '${p.gate}' && echo all is well`)
      return { must: [`gate ${p.gate}`] }
    },
  },
  {
    name: 'green, and its configuration changed afterwards',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(p.gate)
      if (p.config === null) s.edit('notes.txt', 'x\n')
      else s.edit(p.config.path, p.config.text)
      return { must: p.config === null ? [`gate ${p.gate}`] : [] }
    },
  },
  {
    name: 'flaky: it comes and goes with nothing edited',
    async run(s, p) {
      await s.run(p.gate)
      s.put(p.path, p.right)
      await s.run(p.gate)
      await s.claim(`--root-cause '${p.cause}.'`)
      return { must: [`gate ${p.gate}`], may: [`declared ${p.cause}.`] }
    },
  },
  {
    name: 'outlived failures',
    async run(s, p) {
      const script = `scripts/${p.variant}.sh`
      await s.run(`sh ${script}`)
      s.edit(script, 'echo made\n')
      await s.run(`sh ${script}`)
      await s.run(`${p.variant}-tool --check`)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      return { must: [`dead program-missing ${p.variant}-tool --check`, `gate ${p.gate}`] }
    },
  },
  {
    name: 'a typo in a command',
    async run(s, p) {
      if (p.missing === null) return { must: [] }
      await s.run(p.missing.command)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      const dead = `dead ${p.missing.class} ${p.missing.command}`
      return p.missing.lasts ? { must: [dead, `gate ${p.gate}`] } : { must: [`gate ${p.gate}`], may: [dead] }
    },
  },
  {
    name: 'declared with evidence',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(p.gate)
      await s.claim(`'The gate of the package needs no network.' --by '${p.gate}' --effect 'use command ${p.gate}'`)
      await s.claim(`'The function \`${p.variant}\` takes two numbers.' --gate '${p.gate}'`)
      return { must: [`gate ${p.gate}`, 'declared The gate of the package needs no network.', `declared The function \`${p.variant}\` takes two numbers.`] }
    },
  },
  {
    name: 'declared without evidence, or with what rules refuse',
    async run(s, p) {
      await s.claim(`'The gate of the package needs no network.' --by '${p.gate}' --effect 'use command ${p.gate}'`)
      await s.run(p.gate)
      await s.claim(`'The cache is warm.' --effect 'use path cache'`)
      s.edit(p.path, p.right)
      await s.run(p.gate)
      await s.claim(`"Let's try the other operator next" --effect 'use path src'`)
      await s.claim(`'I think the path is src' --effect 'use path src'`)
      await s.claim(`'Session ${s.session} is the one to resume.' --effect 'use path src'`)
      await s.claim(`'The output lies in ${s.plants[2]}.' --effect 'use path src'`)
      return { must: [`gate ${p.gate}`] }
    },
  },
  {
    name: 'refused, interrupted, timed out',
    async run(s, p) {
      await s.run(p.gate, { came: 'rejected' })
      await s.run(p.gate, { came: 'timed-out' })
      await s.run(`timeout 0.05 ${p.gate}`)
      await s.run(p.gate, { came: 'interrupted' })
      return { must: [] }
    },
  },
  {
    name: 'in another repository',
    async run(s, p) {
      s.put('../other/README.md', 'Other.\n')
      s.edit(p.path, p.right)
      await s.run(`cp -r . ../other/copy && cd ../other/copy && ${p.gate}`)
      await s.run(p.gate, { cwd: `${s.root}/../other/copy`.replace('/small/..', '') })
      return { must: [] }
    },
  },
  {
    name: 'started behind, and looked at later',
    async run(s, p) {
      s.edit(p.path, p.right)
      await s.run(p.gate, { behind: true })
      return { must: [`gate ${p.gate}`] }
    },
  },
  {
    name: 'red behind, and looked at later',
    async run(s, p) {
      await s.run(p.gate, { behind: true })
      return { must: [`open ${p.gate}`] }
    },
  },
]

/** Without a project; `i` makes each one different. */
export const plain = [
  {
    name: 'answers',
    async run(s, _, i) {
      await s.run(`grep -rn nothing-${i} .`)
      await s.run(`test -f missing-${i}`)
      await s.run(`diff README.md /dev/null`)
      await s.run(`ls missing-${i}`)
      await s.run(`cat missing-${i}.txt`)
      await s.run('which nothing-of-that-name')
      await s.run('git diff --exit-code')
      if (hasProgram('rg')) await s.run(`rg nothing-${i} || true`)
      s.say('The grep failed with an error, so I think the file is missing. Let me try the other folder.')
      return { must: [] }
    },
  },
  {
    name: 'programs and files that are missing',
    async run(s, _, i) {
      await s.run(`frobnicate${i} --all`)
      await s.run(`node tools/missing${i}.js`)
      await s.run(`python3 tools/missing${i}.py`)
      await s.run(`sh tools/missing${i}.sh`)
      await s.run(`make -f missing${i}.mk`)
      return {
        must: [`dead program-missing frobnicate${i} --all`, `dead path-missing node tools/missing${i}.js`, `dead path-missing python3 tools/missing${i}.py`, `dead path-missing make -f missing${i}.mk`],
        may: [`dead path-missing sh tools/missing${i}.sh`],
      }
    },
  },
  {
    name: 'options and subcommands that are unknown',
    async run(s, _, i) {
      s.git('init', '-q')
      // Without a commit git speaks of that, and not of the option.
      s.git('commit', '-q', '--allow-empty', '-m', 'first')
      await s.run(`node --no-such-option-${i}`)
      await s.run(`git no-such-verb-${i}`)
      await s.run(`git log --no-such-option-${i}`)
      await s.run(`npm run no-such-script-${i}`)
      return { must: [`dead usage node --no-such-option-${i}`, `dead usage git log --no-such-option-${i}`], may: [`dead usage git no-such-verb-${i}`, `dead usage npm run no-such-script-${i}`, `dead path-missing npm run no-such-script-${i}`] }
    },
  },
  {
    name: 'what passes by itself',
    async run(s, _, i) {
      await s.run(`timeout 0.1 sleep ${i + 2}`)
      await s.run('sh -c \'kill -9 $$\'')
      await s.run('curl -sS --max-time 1 http://127.0.0.1:9/')
      await s.run(`false`)
      await s.run(`exit ${3 + i}`)
      return { must: [] }
    },
  },
  {
    name: 'a push to a remote of this machine',
    async run(s, _, i) {
      s.git('init', '-q', '-b', `trunk${i}`)
      s.git('init', '-q', '--bare', '../remote.git')
      s.git('remote', 'add', 'origin', '../remote.git')
      s.git('add', '-A')
      s.git('commit', '-qm', 'first')
      await s.run(`git push --dry-run origin trunk${i}`)
      await s.run(`git push origin trunk${i}`)
      await s.run('git status --short')
      return { must: [`done git push origin trunk${i}`] }
    },
  },
  {
    name: 'pushes that were not made',
    async run(s, _, i) {
      s.git('init', '-q', '-b', `trunk${i}`)
      s.git('init', '-q', '--bare', '../remote.git')
      s.git('remote', 'add', 'origin', '../remote.git')
      s.git('add', '-A')
      s.git('commit', '-qm', 'first')
      await s.run(`git push nowhere trunk${i}`)
      await s.run(`git push origin no-such-branch`)
      await s.run(`false && git push origin trunk${i}`)
      await s.run(`git push origin trunk${i}`, { came: 'rejected' })
      await s.run('npm publish --dry-run')
      await s.run(`echo "git push origin trunk${i}"`)
      return { must: [], may: [`dead usage git push origin no-such-branch`, 'dead path-missing npm publish --dry-run', 'dead usage git push nowhere trunk' + i, 'dead path-missing git push nowhere trunk' + i] }
    },
  },
  {
    name: 'a tag that is pushed in a list, and a push behind a filter',
    async run(s, _, i) {
      s.git('init', '-q', '-b', 'trunk')
      s.git('init', '-q', '--bare', '../remote.git')
      s.git('remote', 'add', 'origin', '../remote.git')
      s.git('add', '-A')
      s.git('commit', '-qm', 'first')
      await s.run(`git tag v1.${i}.0 && git push origin v1.${i}.0`)
      await s.run('git push -u origin trunk 2>&1 | tail -5')
      return { must: [`done git push origin v1.${i}.0`, 'done git push -u origin trunk'] }
    },
  },
  {
    name: 'nothing to check',
    async run(s, _, i) {
      s.put('empty/README.md', 'x\n')
      await s.run('cd empty && node --test')
      await s.run('cd empty && python3 -m unittest')
      s.edit(`Makefile`, `all:\n\t@true\nready${i}:\n\t@touch ready${i}\n`)
      await s.run(`make ready${i}`)
      await s.run(`make ready${i}`)
      return { must: [] }
    },
  },
  {
    name: 'files are read that speak of failure',
    async run(s, _, i) {
      s.put('build.log', `error: test failed ${i}\nFAILED (failures=1)\nTests: 1 failed, 3 passed\nnpm error Missing script: "build"\njest: command not found\n`)
      await s.run('cat build.log')
      await s.run('tail -3 build.log')
      await s.run(`echo "12 passed, 0 failed ${i}"`)
      await s.run('grep -n FAILED build.log')
      return { must: [] }
    },
  },
  {
    name: 'ephemeral values in commands and outputs',
    async run(s, _, i) {
      await s.run(`echo "listening on 127.0.0.1:4${9000 + i}; $PLANT"; frobnicate${i} --out ${s.plants[2]}`)
      await s.run(`no-such-program-${i} --session ${s.session} --at ${s.plants[3]}`)
      await s.run(`node -e 'throw new Error("in " + process.env.PLANT)'`)
      await s.run(`node -e 'throw new Error("in " + process.env.PLANT)'`)
      return { must: [], may: [`dead red node -e 'throw new Error("in " + process.env.PLANT)'`] }
    },
  },
]
