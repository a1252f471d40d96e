import { expect, it } from 'vitest'
import kubectl from '../../src/mutations/kubectl.ts'
import { mutationSuite, typed } from './table.ts'

mutationSuite(kubectl, {
  means: [
    ['kubectl apply -f k8s/', 'convergent', null, null],
    ['kubectl --context prod apply -f k8s/', 'convergent', 'kubernetes prod', null],
    ['kubectl --context=prod -n web scale deploy/app --replicas=3', 'convergent', 'kubernetes prod/web', 'deploy/app'],
    ['kubectl create deployment app --image=x', 'harmful', null, 'deployment/app'],
    ['kubectl create secret generic s --from-literal=a=b --context prod', 'harmful', 'kubernetes prod', 'secret/s'],
    ['kubectl delete pod x --context prod', 'convergent', 'kubernetes prod', 'pod/x'],
    ['kubectl rollout restart deployment/app', 'harmful', null, 'deployment/app'],
    ['kubectl set image deploy/app app=x:2', 'convergent', null, 'deploy/app'],
    ['kubectl run x --image=y', 'harmful', null, 'pod/x'],
    ['oc apply -f x --context kind-dev', 'convergent', 'machine kubernetes:kind-dev', null],
    ['kubectl drain node1', 'convergent', null, 'node/node1'],
  ],
  not: [
    'kubectl get pods', 'kubectl describe deploy/app', 'kubectl logs x', 'kubectl diff -f x', 'kubectl apply -f x --dry-run=client', 'kubectl create deployment a --image=x --dry-run=client -o yaml', 'kubectl rollout status deploy/app',
    'kubectl config use-context x', 'kubectl explain create', 'kubectl apply --help', 'helm apply', 'kubectl auth can-i create pods', 'kubectl rollout history deploy/app', 'kubectl apply -f x --dry-run=server',
  ],
  done: [
    ['kubectl --context prod apply -f k8s/', 'deployment.apps/app configured\nservice/app unchanged\n', 'kubernetes prod', 'deployment.apps/app'],
    ['?kubectl --context prod apply -f k8s/', 'deployment.apps/app created\nservice/app created\n', 'kubernetes prod', 'deployment.apps/app service/app'],
    ['kubectl --context prod delete pod x', 'pod "x" deleted\n', 'kubernetes prod', 'pod/x'],
    ['kubectl --context prod delete pod x', 'pod "x" deleted from web namespace\n', 'kubernetes prod', 'pod/x'],
    ['kubectl --context prod rollout restart deploy/app', 'deployment.apps/app restarted\n', 'kubernetes prod', 'deploy/app'],
    ['kubectl --context prod set image deploy/app a=b', 'deployment.apps/app image updated\n', 'kubernetes prod', 'deploy/app'],
  ],
  open: [
    ['kubectl apply -f x', 'deployment.apps/app created\n', null],
    ['kubectl --context prod apply -f x', '', null],
    ['kubectl --context prod apply -f x', 'deployment.apps/app unchanged\n', 'not-done'],
    ['kubectl --context prod create deployment app --image=x', 'error: failed to create deployment: deployments.apps "app" already exists\n', 'not-done'],
    ['kubectl --context prod delete pod x', 'Error from server (NotFound): pods "x" not found\n', 'not-done'],
    ['kubectl --context prod apply -f x', 'deployment.apps/app created (dry run)\n', null],
  ],
})

it('keeps no token or literal', () => {
  expect(JSON.stringify(kubectl.intends(typed('kubectl --context prod --token hunter2pass create secret generic s --from-literal=p=hunter2pass')))).toMatch(/^(?!.*hunter2pass).*secret\/s/)
})
