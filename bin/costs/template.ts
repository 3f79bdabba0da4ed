/** What of a stage's templates is paid for by the month, whether anybody calls it or not. */

import { App } from 'aws-cdk-lib';
import { CanvassStack } from '../../lib/canvass-stack.ts';
import { EdgeStack } from '../../lib/edge/edge-stack.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { PRICES } from './prices.ts';

interface Resource {
  /** Its logical id. */
  readonly id: string;
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the templates of CloudFormation have no types of their own.
  readonly Properties?: any;
}

/** The resources of all stacks of a stage with these settings. */
export type ResourcesOf = (settings: object) => readonly Resource[];

/** Of a template. */
export const identified = (resources: Readonly<Record<string, Omit<Resource, 'id'>>>): readonly Resource[] =>
  Object.entries(resources).map(([id, resource]) => ({ id, ...resource }));

/** By synthesis, without bundles. */
export const synthesise: ResourcesOf = (stageSettings) => {
  const routeNames = ROUTES.map(({ name }) => name);
  const settings = readSettings({ stage: 'prod', stages: { prod: stageSettings } }, routeNames);
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stacks = [new CanvassStack(app, settings).stackName];
  if (settings.edge !== undefined) stacks.push(new EdgeStack(app, settings, settings.edge).stackName);
  const assembly = app.synth();
  return stacks.flatMap((name) => identified(assembly.getStackByName(name).template.Resources));
};

const MONTH_MINUTES = 43_800;

/** Of a schedule that finds nothing to do: a tenth of a second, a KB of log, and its settings, read from their secret. */
const IDLE_RUN =
  PRICES.scheduledRun +
  PRICES.lambdaRequest +
  0.1 * PRICES.lambdaGbSecond +
  (1_000 / 1e9) * PRICES.logGb +
  PRICES.secretRead;

/** Of the probe: two requests, a second of functions in all, an answer that is stored and goes, and the log of it. */
const PROBE_RUN =
  2 * PRICES.gatewayRequest +
  3 * PRICES.lambdaRequest +
  PRICES.lambdaGbSecond +
  5 * PRICES.writeUnit +
  (4_000 / 1e9) * PRICES.logGb;

/** How often the pollers of a queue that is empty ask it (Lambda, "Using Lambda with Amazon SQS": five, twenty seconds each). */
const QUEUE_ASKED = 5 * 3 * MONTH_MINUTES;

const ofType = (resources: readonly Resource[], type: string) =>
  resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);

/** Metrics that alarms read. */
const alarmMetrics = (resources: readonly Resource[]): number =>
  ofType(resources, 'AWS::CloudWatch::Alarm').reduce<number>((sum, { Metrics }) => {
    const read: readonly object[] = Metrics?.filter((each: object) => 'MetricStat' in each) ?? [{}];
    return sum + read.length;
  }, 0);

/** Runs a month of what comes too rarely to cost a cent: the digest each Monday, the sweep each night. */
const RARELY: ReadonlyMap<string, number> = new Map([
  ['cron(0 8 ? * MON *)', 4],
  ['cron(30 1 * * ? *)', 30],
]);

function runsOf(expression: string): number {
  const rarely = RARELY.get(expression);
  if (rarely !== undefined) return rarely;
  const [, minutes = ''] = expression.match(/^rate\((\d+) minutes?\)$/) ?? [];
  if (minutes === '') throw new Error(`no rate in minutes: ${expression}`);
  return MONTH_MINUTES / Number(minutes);
}

/** Of those who ask the queues that functions read. */
function pollingCost(resources: readonly Resource[]): number {
  const polled = ofType(resources, 'AWS::Lambda::EventSourceMapping')
    // A stream has a place to start from.
    .filter(({ StartingPosition }) => StartingPosition === undefined)
    .map(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0]);
  const prices = resources
    .filter(({ id }) => polled.includes(id))
    .map(({ Properties }) =>
      Properties.FifoQueue === true ? PRICES.orderedQueueRequest : PRICES.queueRequest,
    );
  return prices.reduce((sum, price) => sum + QUEUE_ASKED * price, 0);
}

/** Dollars a month, by what is paid for. */
export function restCosts(resources: readonly Resource[]) {
  const secrets = ofType(resources, 'AWS::SecretsManager::Secret');
  const replicas = secrets.filter(({ ReplicaRegions }) => ReplicaRegions !== undefined);
  const rules = ofType(resources, 'AWS::WAFv2::WebACL').map(({ Rules }) => Rules.length);
  const schedules = ofType(resources, 'AWS::Scheduler::Schedule').map(
    ({ ScheduleExpression }) => ScheduleExpression,
  );
  const probes = ofType(resources, 'AWS::Events::Rule').flatMap(
    ({ ScheduleExpression }) => ScheduleExpression ?? [],
  );
  return {
    secrets: (secrets.length + replicas.length) * PRICES.secret,
    alarms: alarmMetrics(resources) * PRICES.alarmMetric,
    dashboard: ofType(resources, 'AWS::CloudWatch::Dashboard').length * PRICES.dashboard,
    firewall: rules.reduce((sum, count) => sum + PRICES.webAcl + count * PRICES.webAclRule, 0),
    schedules: schedules.reduce((sum, each) => sum + runsOf(each) * IDLE_RUN, 0),
    probes: probes.reduce((sum, each) => sum + runsOf(each) * PROBE_RUN, 0),
    queues: pollingCost(resources),
  };
}

export const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);
