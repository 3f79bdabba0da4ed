/**
 * `npm exec -- node bin/release-failed-stack.ts STACK`: after a first deployment that failed, lifts the stack's
 * termination protection, so that the next `cdk deploy` can delete it and begin anew; the CLI protects a stack before it
 * makes it. Prints how to delete what the failed deployment left. A stack that was ever deployed is left alone.
 */

import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';

/** A creation that failed ends in these (CloudFormation, "Stack status codes"). */
const FAILED = ['CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** How to delete what CloudFormation kept, by its type. */
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
  console.error('Which stack? npm exec -- node bin/release-failed-stack.ts canvass-prod');
  process.exit(2);
}
const client = new CloudFormationClient({});
const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
const status = Stacks[0]?.StackStatus ?? 'absent';
if (!FAILED.includes(status)) {
  console.error(`${StackName} is ${status}: its first deployment did not fail, and it keeps its protection.`);
  process.exit(1);
}
const left: string[] = [];
// DescribeStackResources would answer the first hundred alone (CloudFormation, API reference).
for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
  for (const { ResourceStatus, ResourceType = '', PhysicalResourceId = '' } of StackResourceSummaries) {
    if (ResourceStatus === 'DELETE_SKIPPED')
      left.push(...(DELETIONS[ResourceType]?.(PhysicalResourceId) ?? []));
  }
}
await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }));
console.log(`${StackName} may be deployed again. It held no answers; to delete what it left:`);
for (const command of left) console.log(`  ${command}`);
