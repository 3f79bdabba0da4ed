import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { serveInTest } from '../support/serve.ts';
import { awsEnvironment } from '../support/stack/aws-stand-in.ts';

const tag = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;

const LEFT = [
  ['AWS::DynamoDB::Table', 'data', 'DELETE_SKIPPED'],
  ['AWS::Lambda::Function', 'a-function', 'DELETE_COMPLETE'],
  ['AWS::SecretsManager::Secret', 'ring', 'DELETE_SKIPPED'],
] as const;

/** Runs the script for a stack with this status. CloudFormation returns one resource per page. */
async function release(status: string) {
  const changes: string[] = [];
  const answers: Readonly<Record<string, (input: URLSearchParams) => string>> = {
    DescribeStacks: () =>
      tag('Stacks', tag('member', tag('StackName', 'canvass-prod') + tag('StackStatus', status))),
    ListStackResources(input) {
      const page = Number(input.get('NextToken') ?? 0);
      const [type = '', id = '', state = ''] = LEFT[page] ?? [];
      const summary =
        tag('ResourceType', type) + tag('PhysicalResourceId', id) + tag('ResourceStatus', state);
      const next = page + 1 < LEFT.length ? tag('NextToken', String(page + 1)) : '';
      return tag('StackResourceSummaries', tag('member', summary)) + next;
    },
    UpdateTerminationProtection(input) {
      changes.push(`${input.get('StackName')} ${input.get('EnableTerminationProtection')}`);
      return tag('StackId', 'id');
    },
  };
  const url = await serveInTest(async (request, response) => {
    const input = new URLSearchParams(await text(request));
    const action = input.get('Action') ?? '';
    response.end(tag(`${action}Response`, tag(`${action}Result`, answers[action]?.(input) ?? '')));
  });
  const child = spawn(process.execPath, ['bin/release-failed-stack.ts', 'canvass-prod'], {
    env: { PATH: process.env.PATH, ...awsEnvironment(url), AWS_MAX_ATTEMPTS: '1' },
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr, changes };
}

it('unprotects a stack whose creation failed, and prints how to delete each table and secret that it left', async () => {
  const { code, stdout, changes } = await release('ROLLBACK_COMPLETE');
  expect([code, changes]).toEqual([0, ['canvass-prod false']]);
  expect(stdout).toContain('aws dynamodb delete-table --table-name data\n');
  expect(stdout).toContain('aws secretsmanager delete-secret --secret-id ring\n');
  expect(stdout).not.toMatch(/function/i);
});

it('refuses a stack that was deployed, which keeps its protection', async () => {
  const { code, stderr, changes } = await release('CREATE_COMPLETE');
  expect([code, changes]).toEqual([1, []]);
  expect(stderr).toContain('canvass-prod is CREATE_COMPLETE');
});
