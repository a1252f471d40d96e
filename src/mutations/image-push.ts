import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { isLoopback } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'image-push',
  why: 'A pushed tag moves for everyone who pulls it; the same image again moves nothing.',
  names: ['docker push', 'docker --push', 'skopeo copy', 'crane copy'],
  intends(command) {
    const images = imagesOf(command)
    if (images === null) return null
    const [only, ...more] = images.map(imageIn)
    return { repeat: 'convergent', target: only == null || more.length > 0 ? null : only.target, identifier: only == null || more.length > 0 ? null : only.tag }
  },
  confirms(command, output, succeeded) {
    const images = imagesOf(command)
    const [only, ...more] = (images ?? []).map(imageIn)
    if (only == null || more.length > 0) return null
    if (/^(?:denied: |unauthorized: |Error(?: response from daemon)?: |ERROR: |error: )|requested access to the resource is denied/m.test(output)) return 'not-done'
    const pushed = /^([\w.-]{1,128}): digest: (sha256:[0-9a-f]{64})/m.exec(output)?.[2] ?? /^#\d+ pushing manifest for \S{1,300}@(sha256:[0-9a-f]{64}).{0,40}done/m.exec(output)?.[1] ?? null
    return pushed !== null || succeeded ? doneAt(only.target, only.tag, pushed) : null
  },
} satisfies Mutation

/** null: nothing is pushed. */
function imagesOf(command: CanonicalCommand): readonly string[] | null {
  const { program, args } = programOf(command)
  if (!/^(?:docker|podman|nerdctl|buildah|crane|skopeo)$/.test(program)) return null
  const given = readArguments(args, VALUES)
  if (given.has('--help', '--dry-run')) return null
  const words = given.words[0] === 'image' || given.words[0] === 'buildx' || given.words[0] === 'manifest' ? given.words.slice(1) : given.words
  if (program === 'skopeo') return words[0] === 'copy' && words[2]?.startsWith('docker://') === true ? [words[2].slice(9)] : null
  if (program === 'crane') return words[0] === 'push' || words[0] === 'copy' ? words.slice(2, 3) : null
  if (words[0] === 'push') return given.has('-a', '--all-tags') ? words.slice(1, 2).map((name) => `${name}:*`) : words.slice(-1).map((name) => name.replace(/^docker:\/\//, ''))
  const exports = given.all('--output', '-o').some((output) => /(?:^|,)(?:type=registry|push=true)(?:,|$)/.test(output))
  return words[0] === 'build' && (given.has('--push') || exports) ? given.all('-t', '--tag') : null
}

const VALUES = optionNames(`
  -t --tag -f --file --platform --build-arg --target --cache-from --cache-to --secret --ssh --label -o --output --progress --builder --network
  --iidfile --metadata-file --creds --cert-dir --authfile --context -c -H --host --config -l --log-level --sign-by --digestfile --src-creds --dest-creds --format --add-host --attest --provenance --sbom`)

/** `[HOST[:PORT]/]PATH[:TAG][@DIGEST]`; Docker's own hub where there is no host. */
function imageIn(reference: string): { readonly target: Target | null; readonly tag: string } | null {
  const found = /^((?:[\w.-]+(?::\d+)?\/)?[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)*)(?::([\w.*-]{1,128}))?(?:@(sha256:[0-9a-f]{64}))?$/i.exec(reference.slice(0, 400))
  if (found === null) return null
  const [first = '', ...rest] = (found[1] as string).split('/')
  const hosted = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  if (hosted && isLoopback(first.replace(/:\d+$/, ''))) return { target: targetOf('machine', `image:${found[1]}`), tag: found[2] ?? 'latest' }
  const path = hosted ? (found[1] as string) : `docker.io/${rest.length === 0 ? `library/${first}` : found[1]}`
  return { target: targetOf('image', path.replace(/^index\.docker\.io\//, 'docker.io/')), tag: found[3] ?? found[2] ?? 'latest' }
}
