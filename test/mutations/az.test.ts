import { expect, it } from 'vitest'
import az from '../../src/mutations/az.ts'
import { mutationSuite, typed } from './table.ts'

mutationSuite(az, {
  means: [
    ['az group create -n rg -l westeurope --subscription s1', 'convergent', 'cloud az s1', 'group create rg'],
    ['az vm create -g rg -n vm1 --image x --subscription s1', 'convergent', 'cloud az s1 rg', 'vm create vm1'],
    ['az webapp up -n app', 'convergent', null, 'webapp up app'],
    ['az vm restart -g rg -n vm1 --subscription s1', 'harmful', 'cloud az s1 rg', 'vm restart vm1'],
    ['az storage blob upload --account-name a --container-name c --file f', 'convergent', null, 'storage blob upload c'],
    ['az resource delete --ids /subscriptions/s1/resourceGroups/rg/x', 'convergent', 'cloud /subscriptions/s1/resourceGroups/rg/x', 'resource delete'],
    ['az deployment group create -g rg -f main.bicep --subscription s1', 'convergent', 'cloud az s1 rg', 'deployment group create'],
    ['az vm run-command invoke -g rg -n vm1 --subscription s1', 'harmful', 'cloud az s1 rg', 'vm run-command invoke vm1'],
  ],
  not: ['az group list', 'az vm show -g rg -n vm1', 'az account set -s x', 'az login', 'az deployment group what-if -g rg', 'az deployment group create -g rg --what-if', 'az config set a=b', 'az storage blob list', 'az storage blob upload-batch --dryrun -d c -s .', 'az vm create --help', 'az version', 'az extension add -n x'],
  done: [
    ['az group create -n rg -l w --subscription s1', '{\n  "properties": {\n    "provisioningState": "Succeeded"\n  }\n}\n', 'cloud az s1', 'group create rg'],
    ['?az group create -n rg -l w --subscription s1', '  "provisioningState": "Succeeded"\n', 'cloud az s1', 'group create rg'],
    ['az vm restart -g rg -n vm1 --subscription s1', '', 'cloud az s1 rg', 'vm restart vm1'],
  ],
  open: [
    ['?az vm restart -g rg -n vm1 --subscription s1', '', null],
    ['az group create -n rg', '{}', null],
    ['?az group create -n rg --subscription s1', 'ERROR: (AuthorizationFailed) x\n', 'not-done'],
    ['az group create -n rg --subscription s1', '  "provisioningState": "Failed"\n', null],
  ],
})

it('keeps no secret', () => {
  for (const line of ['az vm create -g rg -n vm1 --admin-password hunter2pass --subscription s1', 'az keyvault secret set --vault-name v --name n --value hunter2pass --subscription s1', 'az storage blob upload --account-key hunter2pass -n n --subscription s1'])
    expect(JSON.stringify(az.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*az s1/)
})
