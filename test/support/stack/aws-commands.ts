/** The IAM permissions of the AWS CLI commands that alarms and the runbook name. */

import { execFileSync } from 'node:child_process';
import type { NeededPermission } from './aws-stand-in.ts';

const ACCOUNT = 'eu-west-1:123456789012';
const MACHINE = 'canvass-prod-purge';

type Arguments = readonly string[];

const option = (name: string, args: Arguments): string => args[args.indexOf(name) + 1] ?? '';

const regional = (service: string, rest: string): string => `arn:aws:${service}:${ACCOUNT}:${rest}`;

const inRegion = (arn: string, args: Arguments): string =>
  args.includes('--region') ? arn.replace('eu-west-1', option('--region', args)) : arn;

const logGroup = (name: string, args: Arguments = []): string =>
  inRegion(regional('logs', `log-group:${name}:*`), args);

/** Commands that need one permission with their own name (Service Authorization Reference), by its resource. */
const RESOURCES: Readonly<Record<string, string>> = {
  '*': `logs describe-log-groups, cloudwatch get-metric-data, cloudwatch list-metrics, lambda list-event-source-mappings,
    lambda get-account-settings, lambda list-functions, backup list-backup-jobs, backup list-copy-jobs,
    backup describe-global-settings, backup describe-region-settings, scheduler list-schedules`,
  [logGroup('/canvass/prod/on-change')]: 'logs start-query',
  [logGroup('/aws/vendedlogs/canvass/prod/access')]: 'logs get-query-results',
  [regional('cloudwatch', 'alarm:canvass-prod-gateway-failures')]: 'cloudwatch describe-alarm-history',
  [regional('lambda', 'function:canvass-prod-Answersonchange-1')]: 'lambda get-function-concurrency',
  [regional('cloudformation', 'stack/canvass-prod/1')]:
    'cloudformation describe-stacks, cloudformation list-stack-resources',
  [regional('events', 'rule/canvass-prod-probe')]: 'events describe-rule',
  [regional('sqs', 'canvass-prod-SlackFailed-1')]: 'sqs get-queue-attributes',
  // Without an application and a group, `list-deployments` lists deployments of every group.
  [regional('codedeploy', 'deploymentgroup:*')]: 'deploy list-deployments',
  [regional('codedeploy', 'deploymentgroup:canvass-prod-Application/canvass-prod-bootstrap')]:
    'deploy get-deployment',
  [regional('states', `stateMachine:${MACHINE}`)]: 'stepfunctions list-executions',
  [regional('states', `execution:${MACHINE}:project-1`)]: 'stepfunctions get-execution-history',
};

/** Those whose resource depends on their arguments. */
const CHOSEN: Readonly<Record<string, (args: Arguments) => string>> = {
  'logs tail': (args) => logGroup(args[0] ?? '/canvass/prod/send-slack', args),
  // Without names, the command needs the permission on all alarms of the account in a region.
  'cloudwatch describe-alarms': (args) => inRegion(regional('cloudwatch', 'alarm:*'), args),
  'scheduler get-schedule': (args) => {
    const name = args.length > 0 ? option('--name', args) : 'canvass-prod-ScoresSchedule-1';
    return regional('scheduler', `schedule/default/${name}`);
  },
  'sqs receive-message': (args) => regional('sqs', option('--queue-url', args)),
  'sns list-subscriptions-by-topic': (args) => regional('sns', option('--topic-arn', args)),
};

const RENAMED: Readonly<Record<string, string>> = {
  // See awscli/customizations/logs/tail.py.
  'logs tail': 'logs:FilterLogEvents',
  deploy: 'codedeploy',
  stepfunctions: 'states',
};

/** @returns undefined for a command that may not be read-only */
export function neededBy(command: string, args: Arguments = []): NeededPermission | undefined {
  const [fixed] = Object.entries(RESOURCES).find(([, its]) => its.split(/,\s+/).includes(command)) ?? [];
  const resource = fixed ?? CHOSEN[command]?.(args);
  if (resource === undefined) return undefined;
  const [service = '', name = ''] = command.split(' ');
  const operation = name.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  return { action: RENAMED[command] ?? `${RENAMED[service] ?? service}:${operation}`, resource };
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
