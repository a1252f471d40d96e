import { expect, it } from 'vitest'
import helm from '../../src/mutations/helm.ts'
import { mutationSuite, typed } from './table.ts'

const DEPLOYED = 'NAME: app\nLAST DEPLOYED: Mon Jun  1 10:00:00 2026\nNAMESPACE: web\nSTATUS: deployed\nREVISION: 3\n'

mutationSuite(helm, {
  means: [
    ['helm install app ./chart', 'harmful', null, 'app'],
    ['helm upgrade --install app ./chart --kube-context prod -n web', 'convergent', 'kubernetes prod/web', 'app'],
    ['helm upgrade app ./chart --set a=b', 'convergent', null, 'app'],
    ['helm uninstall app --kube-context=prod', 'convergent', 'kubernetes prod', 'app'],
    ['helm rollback app 2 --kube-context prod', 'harmful', 'kubernetes prod', 'app'],
    ['helm install --generate-name ./chart', 'harmful', null, null],
    ['helm install app ./chart --kube-context minikube', 'harmful', 'machine kubernetes:minikube', 'app'],
  ],
  not: ['helm list', 'helm template app ./chart', 'helm install app ./chart --dry-run', 'helm upgrade app . --dry-run=server', 'helm lint', 'helm status app', 'helm repo add x y', 'helm diff upgrade app .', 'helm get values app', 'helm install --help', 'kubectl install app'],
  done: [
    ['helm install app ./chart --kube-context prod', DEPLOYED, 'kubernetes prod', 'app', '3'],
    ['?helm upgrade app ./chart --kube-context prod', `Release "app" has been upgraded. Happy Helming!\n${DEPLOYED}`, 'kubernetes prod', 'app', '3'],
    ['helm uninstall app --kube-context prod', 'release "app" uninstalled\n', 'kubernetes prod', 'app'],
    ['helm rollback app 2 --kube-context prod', 'Rollback was a success! Happy Helming!\n', 'kubernetes prod', 'app'],
  ],
  open: [
    ['helm install app ./chart', DEPLOYED, null],
    ['helm install app ./chart --kube-context prod', '', null],
    ['helm install app ./chart --kube-context prod', 'Error: INSTALLATION FAILED: cannot re-use a name that is still in use\n', 'not-done'],
    ['helm install app ./chart --kube-context prod', DEPLOYED.replace('deployed', 'failed'), null],
  ],
})

it('keeps no value', () => {
  expect(JSON.stringify(helm.intends(typed('helm upgrade app . --kube-context prod --set password=hunter2pass --kube-token hunter2pass')))).toMatch(/^(?!.*hunter2pass).*prod/)
})
