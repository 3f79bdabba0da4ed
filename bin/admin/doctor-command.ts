/** Reads a deployed stage and reports what is missing or wrong. It changes nothing. */

import type { Command } from 'commander';
import * as z from 'zod';
import { expiryProgress } from '../../functions/runtime/parts/privacy.ts';
import { keyUseStore, projects } from '../../functions/runtime/parts/projects.ts';
import { ADMIN } from '../../local/called-as.ts';
import {
  askAsOperator,
  callAsOperator,
  describeSecretAsOperator,
  isOfLostTable,
  operatorRegion,
  readStack,
  readTable,
} from '../../shared/data/aws/operator-access.ts';
import { chunk } from '../../shared/data/table/retry.ts';
import { TABLE } from '../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { failure } from './admin-error.ts';
import { findBackups } from './backup-commands.ts';
import type { Perform, Report } from './command.ts';
import type { Session } from './session.ts';

/** The command mends the problem, or shows how. */
type Problem = readonly [says: string, command: string];
type Problems = AsyncGenerator<Problem, void>;

const UNUSED_MS = 90 * DAY;
const OLD_RING_DAYS = 365;
/** A sweep runs every night, and a project that was created yesterday has had none. */
const LATE_SWEEP_MS = 2 * DAY;

async function admit(session: Session) {
  const { origin } = session.deployment;
  if (origin.kind === 'local') throw failure('A local instance has no stack. Choose one with --stack NAME.');
  const { stack, construct, output, optional } = origin;
  const { status, parts } = await readStack(stack);
  const stage = output('Stage');
  const name = output('PurgeStateMachineArn').split(':').at(-1)?.slice(0, -`-${stage}-purge`.length);
  const ofType = (type: string) => parts.filter((part) => part.type === type);
  return {
    ...{ session, stack, stage, name, status, output, optional, region: await operatorRegion() },
    ofType,
    ofStack: `--stack ${stack}${construct === undefined ? '' : ` --construct ${construct}`}`,
    /** Restores what the template describes. */
    redeploy: `npm exec -- cdk deploy ${stack} -c stage=${stage} --revert-drift`,
  };
}

type Patient = Awaited<ReturnType<typeof admit>>;

const text = z.string().default('');
const number = z.number().default(0);
/** The period is in seconds, times are in seconds since the epoch. */
const alarm = z.object({
  ...{ AlarmName: text, AlarmDescription: text, StateValue: text },
  ...{ ActionsEnabled: z.boolean().default(true), AlarmActions: z.array(text).default([]) },
  ...{ Period: number, EvaluationPeriods: number },
  ...{ AlarmConfigurationUpdatedTimestamp: number, StateTransitionedTimestamp: number },
});
const alarmList = z.object({ MetricAlarms: z.array(alarm) });
const DELETED = alarm.parse({ StateValue: 'DELETED' });

/** A restored table and a replica lack some of this (DynamoDB, "Point-in-time recovery: How it works"). */
async function* checkTables({ session, ofType, output }: Patient): Problems {
  const { client, tableName, erasureLogTableName } = session.deployment;
  const { KmsKeyId: key } = await describeSecretAsOperator(output('HashSecretName'));
  const own = ofType('AWS::DynamoDB::Table');
  // Tables of a stage with `removalPolicy: destroy` are unprotected.
  const isProtected =
    own.length === 0 || own.some(({ properties }) => properties.DeletionProtectionEnabled === true);
  for (const name of [tableName, erasureLogTableName]) {
    const table = await readTable(client, name);
    const update = `aws dynamodb update-table --table-name ${name}`;
    if (table.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus !== 'ENABLED')
      yield [
        `${name} has no point-in-time recovery, so lost data cannot be restored`,
        `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      ];
    if (!/^ENABL/.test(table.TimeToLiveStatus ?? ''))
      yield [
        `${name} has no time to live, so expired rows stay`,
        `aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification Enabled=true,AttributeName=${TABLE.timeToLive}`,
      ];
    if (isProtected && table.DeletionProtectionEnabled !== true)
      yield [`${name} is not protected against deletion`, `${update} --deletion-protection-enabled`];
    // It may have another key (`existing.kmsKeyArns`), and the secret may name its key by an alias.
    if (key !== undefined && table.SSEDescription?.KMSMasterKeyArn === undefined)
      yield [
        `${name} is not encrypted under the key of the hash secret`,
        `${update} --sse-specification Enabled=true,SSEType=KMS,KMSMasterKeyId=${key}`,
      ];
    if (name === erasureLogTableName) return;
    if (table.StreamSpecification?.StreamViewType !== TABLE.stream)
      yield [
        `${name} has no stream with both images, so answers are not counted`,
        `${update} --stream-specification StreamEnabled=true,StreamViewType=${TABLE.stream}`,
      ];
  }
}

async function* checkSecrets({ session, output, region, ofStack }: Patient): Problems {
  const [hash, ring] = [output('HashSecretName'), output('TokenRingName')];
  for (const name of [hash, ring])
    if ((await describeSecretAsOperator(name)).DeletedDate !== undefined)
      yield [`secret ${name} is being deleted`, `aws secretsmanager restore-secret --secret-id ${name}`];
  const { PrimaryRegion, LastChangedDate } = await describeSecretAsOperator(ring);
  if (PrimaryRegion !== undefined && PrimaryRegion !== region)
    yield [
      `the token ring is a replica of ${PrimaryRegion}, so its keys cannot be rotated here`,
      `aws secretsmanager stop-replication-to-replica --secret-id ${ring}`,
    ];
  const days = Math.floor((session.now() - (LastChangedDate?.getTime() ?? session.now())) / DAY);
  if (days > OLD_RING_DAYS)
    yield [`token keys were last rotated ${days} days ago`, `${ADMIN} ${ofStack} token-key rotate`];
}

/** CloudWatch, DescribeAlarms. */
const MOST_ALARMS = 100;

/** An alarm on daily runs starts in ALARM. An alarm that was in ALARM before it was last changed is not new. */
const isNew = (each: z.infer<typeof alarm>, now: number): boolean =>
  each.AlarmName.endsWith('-overdue') &&
  each.StateTransitionedTimestamp >= each.AlarmConfigurationUpdatedTimestamp &&
  now / SECOND - each.AlarmConfigurationUpdatedTimestamp < each.Period * each.EvaluationPeriods;

async function* checkAlarms({ session, name, stage, ofType, redeploy }: Patient): Problems {
  const watch = await callAsOperator('monitoring', { target: 'GraniteServiceVersion20100801', json: '1.0' });
  const prefix = `${name}-${stage}-`;
  // The stack may have alarms, schedules and mappings of its own.
  const names = ofType('AWS::CloudWatch::Alarm').flatMap(({ id }) => (id.startsWith(prefix) ? id : []));
  const topics = new Set<string>();
  for (const AlarmNames of chunk(names, MOST_ALARMS)) {
    const listed = await watch('DescribeAlarms', { AlarmNames, MaxRecords: MOST_ALARMS });
    const { MetricAlarms } = alarmList.parse(listed);
    for (const id of AlarmNames) {
      const found = MetricAlarms.find(({ AlarmName }) => AlarmName === id) ?? DELETED;
      for (const topic of found.AlarmActions) topics.add(topic);
      const [means = '', first = ''] = found.AlarmDescription.split(/\n(?:First: )?/);
      if (found.StateValue === 'DELETED') yield [`${id} was deleted`, redeploy];
      else if (found.AlarmActions.length === 0) yield [`${id} notifies no topic`, redeploy];
      if (found.StateValue === 'ALARM' && !isNew(found, session.now()))
        yield [`${id} is in ALARM: ${means}`, first];
      if (!found.ActionsEnabled)
        yield [`${id} notifies nobody`, `aws cloudwatch enable-alarm-actions --alarm-names ${id}`];
    }
  }
  const call = await callAsOperator('sns', { form: '2010-03-31' });
  // The policy covers no topic of another stack.
  const own = ofType('AWS::SNS::Topic').map(({ id }) => id);
  for (const topic of own.filter((id) => topics.has(id))) {
    const reply = String(await call('ListSubscriptionsByTopic', { TopicArn: topic }));
    // An unconfirmed subscription has "PendingConfirmation" in place of an ARN (SNS, ListSubscriptionsByTopic).
    if (reply.includes('<SubscriptionArn>arn:')) continue;
    const why = reply.includes('<SubscriptionArn>') ? 'nobody confirmed a subscription' : 'nobody subscribed';
    const subscribe = `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint <address>`;
    yield [`nobody receives the alarms: ${why}`, subscribe];
  }
}

async function* checkBackups({ session, optional, ofStack }: Patient): Problems {
  if (optional('BackupCopyVaultArn') === undefined) return;
  for (const { isWell, what, says } of (await findBackups(session)).findings)
    if (!isWell)
      yield [`${what}: ${says}`, /: (aws .+)$/.exec(says)?.[1] ?? `${ADMIN} ${ofStack} backup check`];
}

const state = z.object({ State: text, ReservedConcurrentExecutions: z.number().optional() });

async function stateOf(service: string, path: string): Promise<z.infer<typeof state>> {
  const { status, body } = await askAsOperator(service, path);
  if (status === 404) return { State: 'deleted' };
  if (status === 200) return state.parse(body);
  throw new Error(`${service} answered ${status} for ${path}`);
}

/** Compares what can stop work silently with the template. */
async function* checkDrift({ stack, status, name, stage, ofType, redeploy }: Patient): Problems {
  if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE/.test(status))
    yield [
      `the stack is in status ${status}: its last deployment failed or has not ended`,
      `aws cloudformation describe-stack-events --stack-name ${stack} --query "StackEvents[?ends_with(ResourceStatus,'FAILED')]"`,
    ];
  for (const { id, properties } of ofType('AWS::Lambda::Function')) {
    if (!String(properties.Description).startsWith(`${name} ${stage}: `)) continue;
    const found = await stateOf('lambda', `/2019-09-30/functions/${id}/concurrency`);
    const actual = found.ReservedConcurrentExecutions;
    const intended = properties.ReservedConcurrentExecutions;
    if (found.State === 'deleted') yield [`function ${id} was deleted`, redeploy];
    else if (actual === 0)
      yield [`function ${id} is stopped`, `aws lambda delete-function-concurrency --function-name ${id}`];
    else if (actual !== intended) {
      const says = `has the reserved concurrency ${actual ?? 'none'} in place of ${intended ?? 'none'}`;
      yield [`function ${id} ${says}`, redeploy];
    }
  }
  for (const { id, properties } of ofType('AWS::Scheduler::Schedule')) {
    // Those of Canvass have generated names in the default group, and the policy allows no other.
    if (properties.GroupName !== undefined || properties.Name !== undefined) continue;
    const { State } = await stateOf('scheduler', `/schedules/${id}`);
    if (State !== (properties.State ?? 'ENABLED'))
      yield [`schedule ${id} is ${State.toLowerCase()}`, redeploy];
  }
  for (const { id, properties } of ofType('AWS::Lambda::EventSourceMapping')) {
    const { State } = await stateOf('lambda', `/2015-03-31/event-source-mappings/${id}`);
    if (properties.Enabled === false || !/^d/i.test(State)) continue;
    const enable = `aws lambda update-event-source-mapping --enabled --uuid ${id}`;
    const says = `event source mapping ${id} is ${State.toLowerCase()}, so a queue or the stream is not read`;
    yield [says, State === 'deleted' ? redeploy : enable];
  }
}

async function* checkProjects({ session, ofStack }: Patient): Problems {
  const { service } = session;
  const now = new Date(session.now()).toISOString();
  const before = new Date(session.now() - UNUSED_MS).toISOString();
  for (const { id, createdAt: madeAt, purgedAt, probe } of await projects(service).list()) {
    if (purgedAt !== undefined) continue;
    const old = (await session.record(id)).keys.filter(
      ({ kind, revokedAt, expiresAt = '9', createdAt }) =>
        // The use of publishable keys is not recorded.
        kind !== 'publishable' && revokedAt === undefined && expiresAt > now && createdAt < before,
    );
    const hashes = old.map(({ hash }) => hash);
    const usedOn = await keyUseStore(service).read(id, hashes);
    for (const key of old.filter(({ hash }) => (usedOn.get(hash) ?? '') < before))
      yield [
        `${key.kind} key ${key.id} of project ${id} was not used for 90 days`,
        `${ADMIN} ${ofStack} key revoke ${key.id} --project ${id}`,
      ];
    const { current, last } = await expiryProgress(service).read(id);
    const sweptAt = current?.startedAt ?? last?.finishedAt ?? madeAt;
    // The project of the synthetic monitor is not swept.
    if (probe !== true && session.now() - Date.parse(sweptAt) > LATE_SWEEP_MS)
      yield [
        `expired answers of project ${id} have not been swept since ${sweptAt.slice(0, 10)}`,
        `${ADMIN} ${ofStack} retention sweep --project ${id}`,
      ];
  }
}

const CHECKS: Readonly<Record<string, (patient: Patient) => Problems>> = {
  'the stack and its functions, schedules and queues': checkDrift,
  'tables and their recovery': checkTables,
  'secrets and token keys': checkSecrets,
  'alarms and their subscribers': checkAlarms,
  'backups in another account': checkBackups,
  'keys without use, and the nightly sweep': checkProjects,
};

const NOT_CHECKED =
  'Not checked: the stack of an edge, topics of other stacks, and other differences from the template (cdk drift).';

async function examine(session: Session): Promise<Report> {
  const patient = await admit(session);
  const { stack, stage, region, ofStack } = patient;
  const findings: { check: string; says: string; command: string }[] = [];
  for (const [check, find] of Object.entries(CHECKS)) {
    try {
      for await (const [says, command] of find(patient)) findings.push({ check, says, command });
    } catch (error) {
      const says = `could not be checked: ${error instanceof Error ? error.message : error}`;
      const command = isOfLostTable(error)
        ? `sh docs/restore.sh ${stack} <time> <recovery point>`
        : `${ADMIN} iam operate --doctor ${ofStack} --stage ${stage}`;
      findings.push({ check, says, command });
    }
  }
  const well = Object.keys(CHECKS).filter((check) => findings.every((finding) => finding.check !== check));
  return {
    json: { stack, region, well, findings },
    text: [
      ...well.map((check) => `well   ${check}`),
      ...findings.map(({ check, says, command }) => `WRONG  ${check}: ${says}\n       ${command}`),
      NOT_CHECKED,
    ].join('\n'),
    problem: findings.length === 0 ? undefined : `Problems of ${stack} in ${region}: ${findings.length}.`,
  };
}

export function addDoctorCommand(program: Command, perform: Perform): void {
  program
    .command('doctor')
    .description('check a deployed stage, and print the command that mends each problem')
    .action(perform(examine));
}
