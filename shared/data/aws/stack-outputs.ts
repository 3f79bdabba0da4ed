/** Finds a deployment by the name of its stack, under the caller's AWS identity and region. */

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** Outputs of the stack by name; undefined when there is no such stack. */
export async function readStackOutputs(stackName: string): Promise<ReadonlyMap<string, string> | undefined> {
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('not exist')) {
      return undefined;
    }
    throw error;
  } finally {
    client.destroy();
  }
}
