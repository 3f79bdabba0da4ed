/**
 * `npm exec -- node bin/release-failed-stack.ts STACK` lets the next `cdk deploy` replace a stack whose first
 * deployment failed. It does nothing if the stack was ever deployed.
 */

import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';

/** See CloudFormation, "Stack status codes". */
const FAILED = ['CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

const DELETIONS: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'AWS::DynamoDB::Table': (id) => [
    `aws dynamodb update-table --no-deletion-protection-enabled --table-name ${id}`,
    `aws dynamodb wait table-exists --table-name ${id}`,
    `aws dynamodb delete-table --table-name ${id}`,
  ],
  'AWS::SecretsManager::Secret': (id) => [`aws secretsmanager delete-secret --secret-id ${id}`],
  'AWS::S3::Bucket': (id) => [`aws s3 rb s3://${id}`],
};

const [StackName] = process.argv.slice(2);
if (StackName === undefined) {
  console.error('Name a stack: npm exec -- node bin/release-failed-stack.ts canvass-prod');
  process.exit(2);
}
const client = new CloudFormationClient({});
const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
const status = Stacks[0]?.StackStatus ?? 'absent';
if (!FAILED.includes(status)) {
  console.error(`${StackName} is ${status}. Its first deployment did not fail, so it keeps its protection.`);
  process.exit(1);
}
const left: string[] = [];
// DescribeStackResources returns at most a hundred resources (CloudFormation, API reference).
for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
  for (const { ResourceStatus, ResourceType = '', PhysicalResourceId = '' } of StackResourceSummaries) {
    if (ResourceStatus === 'DELETE_SKIPPED')
      left.push(...(DELETIONS[ResourceType]?.(PhysicalResourceId) ?? []));
  }
}
await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }));
console.log(
  `You can deploy ${StackName} again. It held no answers. To delete the resources that it left, run:`,
);
for (const command of left) console.log(`  ${command}`);
