import { expect, it } from 'vitest'
import aws from '../../src/mutations/aws.ts'
import { mutationSuite, typed } from './table.ts'

const ARN = 'arn:aws:sns:eu-west-1:123456789012:topic'

mutationSuite(aws, {
  means: [
    ['aws s3 cp a.txt s3://bucket/a.txt', 'convergent', 'cloud s3://bucket', 's3 cp s3://bucket/a.txt'],
    ['aws s3 sync dist/ s3://bucket/site --delete', 'convergent', 'cloud s3://bucket', 's3 sync s3://bucket/site'],
    ['aws s3 rm s3://bucket/a.txt', 'convergent', 'cloud s3://bucket', 's3 rm s3://bucket/a.txt'],
    [`aws sns publish --topic-arn ${ARN} --message hi`, 'harmful', `cloud ${ARN}`, 'sns publish'],
    ['aws --profile prod --region eu-west-1 ec2 run-instances --image-id ami-1', 'harmful', 'cloud aws prod eu-west-1', 'ec2 run-instances'],
    ['aws lambda update-function-code --function-name f --zip-file fileb://f.zip', 'convergent', null, 'lambda update-function-code f'],
    ['AWS_PROFILE=prod aws dynamodb put-item --table-name t --item x', 'convergent', 'cloud aws prod', 'dynamodb put-item t'],
    ['aws s3api put-object --bucket b --key k --body f', 'convergent', 'cloud s3://b', 's3api put-object b'],
    ['aws ecs update-service --cluster c --service s --force-new-deployment', 'convergent', null, 'ecs update-service c'],
  ],
  not: ['aws s3 ls', 'aws s3 cp s3://bucket/a .', 'aws s3 sync s3://bucket/ local/', 'aws ec2 describe-instances', 'aws sts get-caller-identity', 'aws sts assume-role --role-arn x', 'aws s3 cp a s3://b/a --dryrun', 'aws ec2 run-instances --dry-run', 'aws logs start-query --query-string x', 'aws lambda help', 'aws configure set region x', 'aws lambda list-functions', 'awslocal s3 rm s3://b'],
  done: [
    ['aws s3 cp a.txt s3://bucket/a.txt', 'upload: ./a.txt to s3://bucket/a.txt\n', 'cloud s3://bucket', 's3 cp s3://bucket/a.txt'],
    ['?aws s3 rm s3://bucket/a.txt', 'delete: s3://bucket/a.txt\n', 'cloud s3://bucket', 's3 rm s3://bucket/a.txt'],
    [`aws sns publish --topic-arn ${ARN} --message hi`, '{\n  "MessageId": "x"\n}\n', `cloud ${ARN}`, 'sns publish'],
    ['aws --profile prod ecs update-service --service s', '{}', 'cloud aws prod', 'ecs update-service s'],
  ],
  open: [
    [`?aws sns publish --topic-arn ${ARN} --message hi`, '', null],
    ['aws s3 sync dist/ s3://bucket/', '', null],
    [`?aws sns publish --topic-arn ${ARN} --message hi`, 'An error occurred (AuthorizationError) when calling the Publish operation\n', 'not-done'],
    ['aws ec2 run-instances --image-id ami-1', '{}', null],
    ['?aws s3 cp a s3://b/a', 'upload failed: ./a to s3://b/a An error occurred\n', 'not-done'],
  ],
})

it('keeps no secret', () => {
  for (const line of [`AWS_SECRET_ACCESS_KEY=hunter2pass aws sns publish --topic-arn ${ARN} --message hunter2pass`, `aws secretsmanager put-secret-value --secret-id ${ARN} --secret-string hunter2pass`])
    expect(JSON.stringify(aws.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*arn:aws/)
})
