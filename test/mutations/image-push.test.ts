import imagePush from '../../src/mutations/image-push.ts'
import { mutationSuite } from './table.ts'

const DIGEST = `sha256:${'ab'.repeat(32)}`

mutationSuite(imagePush, {
  means: [
    ['docker push registry.example.com/team/app:1.2', 'convergent', 'image registry.example.com/team/app', '1.2'],
    ['docker push team/app', 'convergent', 'image docker.io/team/app', 'latest'],
    ['podman push app:1', 'convergent', 'image docker.io/library/app', '1'],
    ['docker image push ghcr.io/o/app:v1', 'convergent', 'image ghcr.io/o/app', 'v1'],
    ['docker buildx build --push -t ghcr.io/o/app:v1 .', 'convergent', 'image ghcr.io/o/app', 'v1'],
    ['docker build -t ghcr.io/o/app:v1 --output type=registry .', 'convergent', 'image ghcr.io/o/app', 'v1'],
    ['docker buildx build --push -t a/b:1 -t a/b:2 .', 'convergent', null, null],
    ['docker push localhost:5000/app:1', 'convergent', 'machine image:localhost:5000/app', '1'],
    ['podman push app:1 docker://quay.io/o/app:2', 'convergent', 'image quay.io/o/app', '2'],
    ['docker push $IMAGE', 'convergent', null, null],
  ],
  not: ['docker pull app', 'docker build -t app .', 'docker images', 'docker run app push', 'docker stack deploy x', 'docker push --help', 'git push', 'docker buildx build -t app .', 'docker tag a b', 'docker login -p x registry.example.com'],
  done: [
    ['docker push ghcr.io/o/app:v1', `The push refers to repository [ghcr.io/o/app]\nabc: Pushed\nv1: digest: ${DIGEST} size: 1234\n`, 'image ghcr.io/o/app', 'v1', DIGEST],
    ['?docker push ghcr.io/o/app:v1', `v1: digest: ${DIGEST} size: 1234\n`, 'image ghcr.io/o/app', 'v1', DIGEST],
    ['docker push -q ghcr.io/o/app:v1', '', 'image ghcr.io/o/app', 'v1'],
    ['docker buildx build --push -t ghcr.io/o/app:v1 .', `#12 pushing manifest for ghcr.io/o/app:v1@${DIGEST} 0.5s done\n`, 'image ghcr.io/o/app', 'v1', DIGEST],
  ],
  open: [
    ['?docker push ghcr.io/o/app:v1', 'abc: Pushing\n', null],
    ['?docker push ghcr.io/o/app:v1', 'denied: requested access to the resource is denied\n', 'not-done'],
    ['docker push ghcr.io/o/app:v1', 'unauthorized: authentication required\n', 'not-done'],
    ['docker push $IMAGE', '', null],
  ],
})
