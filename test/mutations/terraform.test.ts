import terraform from '../../src/mutations/terraform.ts'
import { mutationSuite } from './table.ts'

mutationSuite(terraform, {
  means: [
    ['terraform apply', 'convergent', 'terraform .', null],
    ['terraform -chdir=infra apply -auto-approve', 'convergent', 'terraform infra', null],
    ['tofu apply -var a=b plan.out', 'convergent', 'terraform .', null],
    ['terraform destroy -auto-approve', 'convergent', 'terraform .', null],
    ['terragrunt run-all apply --terragrunt-non-interactive', 'convergent', 'terraform .', null],
    ['terraform import aws_s3_bucket.b name', 'convergent', 'terraform .', null],
    ['terraform state rm aws_s3_bucket.b', 'convergent', 'terraform .', null],
    ['terraform -chdir=../other apply', 'convergent', null, null],
  ],
  not: ['terraform plan', 'terraform init', 'terraform validate', 'terraform fmt', 'terraform show', 'terraform output', 'terraform state list', 'terraform state rm -dry-run x', 'terraform apply -help', 'terraform plan -destroy', 'kubectl apply', 'terraform workspace list'],
  done: [
    ['terraform apply -auto-approve', 'Apply complete! Resources: 2 added, 0 changed, 1 destroyed.\n', 'terraform .', null],
    ['?terraform apply', 'Apply complete! Resources: 0 added, 1 changed, 0 destroyed.\n', 'terraform .', null],
    ['tofu destroy', 'Destroy complete! Resources: 3 destroyed.\n', 'terraform .', null],
    ['terraform -chdir=infra import a b', 'Import successful!\n', 'terraform infra', null],
  ],
  open: [
    ['terraform apply', '', null],
    ['terraform apply', 'Plan: 2 to add, 0 to change, 0 to destroy.\n', null],
    ['terraform apply', 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.\n', 'not-done'],
    ['terraform apply', '│ Error: Invalid provider\n', 'not-done'],
    ['terraform destroy', 'Destroy cancelled.\n', 'not-done'],
    ['terraform -chdir=../x apply', 'Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n', null],
  ],
})
