/** The IAM permissions of the AWS CLI commands that alarms and the runbook name. */

import { execFileSync } from 'node:child_process';
import type { NeededPermission } from './aws-stand-in.ts';

const ACCOUNT = 'eu-west-1:123456789012';
const MACHINE = 'canvass-prod-purge';

type Arguments = readonly string[];

const option = (name: string, args: Arguments): string => args[args.indexOf(name) + 1] ?? '';

const regional = (service: string, rest: string): string => `arn:aws:${service}:${ACCOUNT}:${rest}`;

const logGroup = (name: string, args: Arguments = []): string => {
  const arn = regional('logs', `log-group:${name}:*`);
  return args.includes('--region') ? arn.replace('eu-west-1', option('--region', args)) : arn;
};

/**
 * Permissions by service and command. By default, a command needs one permission with its own name (Service
 * Authorization Reference).
 */
const NEEDS: Readonly<Record<string, (args: Arguments) => readonly [action: string, resource: string]>> = {
  // See awscli/customizations/logs/tail.py.
  'logs tail': (args) => ['logs:FilterLogEvents', logGroup(args[0] ?? '/canvass/prod/send-slack', args)],
  'logs start-query': () => ['logs:StartQuery', logGroup('/canvass/prod/on-change')],
  'logs get-query-results': () => ['logs:GetQueryResults', logGroup('/aws/vendedlogs/canvass/prod/access')],
  'logs describe-log-groups': () => ['logs:DescribeLogGroups', '*'],
  // Without names, the command needs the permission on all alarms of the account in a region.
  'cloudwatch describe-alarms': (args) => [
    'cloudwatch:DescribeAlarms',
    `arn:aws:cloudwatch:${args.includes('--region') ? option('--region', args) : 'eu-west-1'}:123456789012:alarm:*`,
  ],
  'cloudwatch describe-alarm-history': () => [
    'cloudwatch:DescribeAlarmHistory',
    regional('cloudwatch', 'alarm:canvass-prod-gateway-failures'),
  ],
  'cloudwatch get-metric-data': () => ['cloudwatch:GetMetricData', '*'],
  'cloudwatch list-metrics': () => ['cloudwatch:ListMetrics', '*'],
  'lambda list-event-source-mappings': () => ['lambda:ListEventSourceMappings', '*'],
  'lambda get-account-settings': () => ['lambda:GetAccountSettings', '*'],
  'lambda get-function-concurrency': () => [
    'lambda:GetFunctionConcurrency',
    regional('lambda', 'function:canvass-prod-Answersonchange-1'),
  ],
  'lambda list-functions': () => ['lambda:ListFunctions', '*'],
  'cloudformation describe-stacks': () => [
    'cloudformation:DescribeStacks',
    regional('cloudformation', 'stack/canvass-prod/1'),
  ],
  'cloudformation list-stack-resources': () => [
    'cloudformation:ListStackResources',
    regional('cloudformation', 'stack/canvass-prod/1'),
  ],
  'backup list-backup-jobs': () => ['backup:ListBackupJobs', '*'],
  'backup list-copy-jobs': () => ['backup:ListCopyJobs', '*'],
  'backup describe-global-settings': () => ['backup:DescribeGlobalSettings', '*'],
  'backup describe-region-settings': () => ['backup:DescribeRegionSettings', '*'],
  'scheduler list-schedules': () => ['scheduler:ListSchedules', '*'],
  'scheduler get-schedule': (args) => [
    'scheduler:GetSchedule',
    regional(
      'scheduler',
      `schedule/default/${args.length > 0 ? option('--name', args) : 'canvass-prod-ScoresSchedule-1'}`,
    ),
  ],
  'events describe-rule': () => ['events:DescribeRule', regional('events', 'rule/canvass-prod-probe')],
  'sqs get-queue-attributes': () => ['sqs:GetQueueAttributes', regional('sqs', 'canvass-prod-SlackFailed-1')],
  'sqs receive-message': (args) => ['sqs:ReceiveMessage', regional('sqs', option('--queue-url', args))],
  'sns list-subscriptions-by-topic': (args) => [
    'sns:ListSubscriptionsByTopic',
    regional('sns', option('--topic-arn', args)),
  ],
  // Without an application and a group, the command lists deployments of every group.
  'deploy list-deployments': () => [
    'codedeploy:ListDeployments',
    regional('codedeploy', 'deploymentgroup:*'),
  ],
  'deploy get-deployment': () => [
    'codedeploy:GetDeployment',
    regional('codedeploy', 'deploymentgroup:canvass-prod-Application/canvass-prod-bootstrap'),
  ],
  'stepfunctions list-executions': () => [
    'states:ListExecutions',
    regional('states', `stateMachine:${MACHINE}`),
  ],
  'stepfunctions get-execution-history': () => [
    'states:GetExecutionHistory',
    regional('states', `execution:${MACHINE}:project-1`),
  ],
};

/** @returns undefined for a command that may not be read-only */
export function neededBy(command: string, args: Arguments = []): NeededPermission | undefined {
  const needs = NEEDS[command];
  if (needs === undefined) return undefined;
  const [action, resource] = needs(args);
  return { action, resource };
}

/** Every AWS CLI call of a line. A shell runs the line with an `aws` that prints its arguments. */
export function callsOf(line: string): readonly { readonly command: string; readonly args: Arguments }[] {
  const shell = `aws() { printf '%s\\t' "$@"; echo; }; ${line}`;
  const asked = execFileSync('sh', ['-c', shell], { encoding: 'utf8' });
  return asked
    .split('\n')
    .filter((each) => each.includes('\t'))
    .map((each) => {
      const [service, command, ...args] = each.split('\t');
      return { command: `${service} ${command}`, args };
    });
}
