import { SCENES, killed } from '../test/faults/killing.ts'

/** `node killing.mjs HOME [SCENE [EVERY]]`: kills verbs at all their steps of writing (or each EVERYth); one JSON line a scene. */
const [, , home = '', only = '', every = '1'] = process.argv
for (const scene of SCENES.filter(({ name }) => only === '' || name === only)) {
  const { steps, wrong } = killed(scene, home, (all) => Array.from({ length: all }, (_, i) => i + 1).filter((step) => step % Number(every) === 0 || step === 1), (line) => console.error(line))
  console.log(JSON.stringify({ scene: scene.name, steps, wrong }))
}
