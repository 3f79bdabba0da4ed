/** The tables of docs/operations.md: what a stage costs a month. */

import { MOST_RESTORED_DAYS } from '../../shared/data/table/erasure-log-schema.ts';
import { METRICS, type MetricName, metricDirectives, type Watching } from '../../shared/settings/metrics.ts';
import { PRICES } from './prices.ts';
import { type ResourcesOf, restCosts, sumOf } from './template.ts';

const MONTH_SECONDS = 2_628_000;

/** Bootstraps a month. */
const VOLUMES = [0, 1e6, 1e7, 1e8] as const;

/** What is assumed; docs/operations.md says it beneath the table. */
const ASSUMED = {
  answersABootstrap: 0.1,
  functionSeconds: 0.015,
  logBytes: 1_000,
  leaseWrites: 0.25,
  answerBytes: 1_000,
  monthsKept: 12,
  replyBytes: 3_000,
  /** Of a batch, and of each answer in it. */
  countingUnits: { batch: 8, answer: 2 },
  edgeLogBytes: 200,
} as const;

/** The answer that opens a batch, and those of the two seconds that it waits for others. */
const answersABatch = (answers: number) => Math.round(1 + (answers / MONTH_SECONDS) * 2);

/** Of so many answers a month. */
const storedGb = (answers: number) => (answers * ASSUMED.monthsKept * ASSUMED.answerBytes) / 1e9;

/** Dollars a month for so many bootstraps, by what is paid for. */
function useCosts(bootstraps: number) {
  const answers = bootstraps * ASSUMED.answersABootstrap;
  const calls = bootstraps + answers;
  const batch = answersABatch(answers);
  const { countingUnits: units } = ASSUMED;
  return {
    'HTTP API': calls * PRICES.gatewayRequest,
    Lambda: calls * (PRICES.lambdaRequest + ASSUMED.functionSeconds * PRICES.lambdaGbSecond),
    'DynamoDB requests':
      calls * (PRICES.readUnit + ASSUMED.leaseWrites * PRICES.writeUnit) + answers * 2 * PRICES.writeUnit,
    'counting answers': (answers / batch) * (units.batch + units.answer * batch) * PRICES.writeUnit,
    'DynamoDB storage': storedGb(answers) * (PRICES.storageGb + PRICES.recoveryGb),
    logs: ((calls * ASSUMED.logBytes) / 1e9) * PRICES.logGb,
    'traffic out': ((bootstraps * ASSUMED.replyBytes) / 1e9) * PRICES.transferGb,
  };
}

/** Metrics without a dimension, or with the one part that alarms read, that ordinary use writes every hour. */
const USUAL: readonly MetricName[] = ['accepted', 'latency'];
/** With a dashboard nearly all are written, of the routes that are called: some fifty of a hundred. */
const USUAL_ON_DASHBOARD = 50;

function metricCost(watching: Watching): number {
  if (watching.dashboard) return USUAL_ON_DASHBOARD * PRICES.metric;
  const measures = Object.fromEntries(Object.keys(METRICS).map((name) => [name, 1]));
  const line = { route: 'bootstrap', code: 'internal_error' };
  const written = metricDirectives(measures, { namespace: '', watching, line }).flatMap(
    ({ Metrics }) => Metrics,
  );
  return written.filter(({ Name }) => USUAL.some((usual) => usual === Name)).length * PRICES.metric;
}

const dollars = (sum: number): string => {
  if (sum >= 100) return `$${Math.round(sum).toLocaleString('en-US')}`;
  return sum < 0.005 ? '–' : `$${sum.toFixed(2)}`;
};

const VAULT = 'arn:aws:backup:us-east-1:210987654321:backup-vault:canvass';

/** Here and in the other vault. */
const VAULTS = 2;

const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc',
  originDomainName: 'origin.example.com',
  originCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
};

interface Option {
  readonly says: string;
  readonly settings: object;
  /** Of which it is an addition; by default a stage as it comes. */
  readonly beside?: object;
  /** By bootstraps and answers. */
  readonly use?: (bootstraps: number, answers: number) => number;
  readonly watching?: Watching;
  /** Metrics that are written while nobody calls. */
  readonly metrics?: number;
  /** Metrics that it writes while nobody calls, and others do when somebody does. */
  readonly metricsAtRest?: number;
}

const ESSENTIAL: Watching = { alarms: 'essential', dashboard: false };

const OPTIONS: readonly Option[] = [
  { says: '`"alarms": "all"`', settings: { alarms: 'all' }, watching: { alarms: 'all', dashboard: false } },
  {
    says: '`"dashboard": true`',
    settings: { dashboard: true },
    watching: { alarms: 'essential', dashboard: true },
  },
  { says: '`scoreAdapter`', settings: { scoreAdapter: {} }, metrics: 1 },
  {
    says: '`events`',
    settings: { events: {} },
    // An event that comes alone: three requests of the queue, a run that sends it, and itself.
    use: (_, answers) =>
      answers *
      (PRICES.event +
        3 * PRICES.queueRequest +
        PRICES.lambdaRequest +
        0.06 * PRICES.lambdaGbSecond +
        2e-7 * PRICES.logGb),
  },
  {
    says: 'a webhook',
    settings: { events: {}, webhooks: [{ url: 'https://example.com', secretName: 'hook' }] },
    beside: { events: {} },
    use: (_, answers) => answers * PRICES.eventPost,
  },
  {
    says: 'a channel of Slack',
    settings: {
      events: {},
      webhooks: [{ format: 'slack', name: 'shop', secretName: 'slack', projects: ['a'], events: ['low'] }],
    },
    beside: { events: {} },
    // One in twenty answers is told: a message in the queue, a second of a function, a look at the secret.
    use: (_, answers) =>
      (answers / 20) *
      (3 * PRICES.orderedQueueRequest + PRICES.lambdaRequest + PRICES.lambdaGbSecond + PRICES.secretRead),
  },
  { says: '`digest`', settings: { events: {}, digest: {} }, beside: { events: {} } },
  // It writes `accepted` too, which a stage in use does anyway.
  { says: '`probe`', settings: { probe: { key: 'svc_pk_project_value' } }, metricsAtRest: 1 },
  {
    says: '`backup`',
    settings: { backup: { copyToVaultArn: VAULT } },
    use: (_, answers) => storedGb(answers) * MOST_RESTORED_DAYS * VAULTS * PRICES.backupGb,
  },
  { says: '`"deployment": "canary"`', settings: { deployment: 'canary' } },
  {
    says: '`edge`',
    settings: { edge: EDGE },
    use: (bootstraps, answers) =>
      (bootstraps + answers) *
      (PRICES.edgeRequest + PRICES.webAclRequest + (ASSUMED.edgeLogBytes / 1e9) * PRICES.logGb),
  },
];

type Cells = readonly string[];

function markdown(head: Cells, rows: readonly Cells[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: Cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** What the same was at 0.1.0, whose default were all alarms and a dashboard, by that version's own table. */
const BEFORE = { rest: 12.3, million: 31 };

function costTables(resourcesOf: ResourcesOf): string {
  const plain = restCosts(resourcesOf({}));
  const rest = sumOf(plain);
  const sums = VOLUMES.map(
    (volume) => rest + sumOf(useCosts(volume)) + (volume === 0 ? 0 : metricCost(ESSENTIAL)),
  );
  const used = VOLUMES.map(useCosts);
  const parts = Object.keys(useCosts(0)) as (keyof ReturnType<typeof useCosts>)[];
  const rows = [
    ...parts.map((part) => [part, ...used.map((costs) => dollars(costs[part]))]),
    ['secrets', ...VOLUMES.map(() => dollars(plain.secrets))],
    ['alarms', ...VOLUMES.map(() => dollars(plain.alarms))],
    ['metrics', ...VOLUMES.map((volume) => dollars(volume === 0 ? 0 : metricCost(ESSENTIAL)))],
    ['**a stage as it comes**', ...sums.map((sum) => `**${dollars(sum)}**`)],
    ...OPTIONS.map(
      ({
        says,
        settings,
        beside = {},
        use = () => 0,
        watching = ESSENTIAL,
        metrics = 0,
        metricsAtRest = 0,
      }) => {
        const more = sumOf(restCosts(resourcesOf(settings))) - sumOf(restCosts(resourcesOf(beside)));
        const written = metricCost(watching) - metricCost(ESSENTIAL);
        const cells = VOLUMES.map((volume) =>
          dollars(
            more +
              (metrics + (volume === 0 ? metricsAtRest : 0)) * PRICES.metric +
              use(volume, volume * ASSUMED.answersABootstrap) +
              (volume === 0 ? 0 : written),
          ),
        );
        return [`+ ${says}`, ...cells];
      },
    ),
  ];
  const [nothing = 0, million = 0] = sums;
  const compared = [
    ['nothing at all', dollars(BEFORE.rest), dollars(nothing)],
    ['a million bootstraps', dollars(BEFORE.million), dollars(million)],
  ];
  return `${markdown(['per month', 'nothing', '1 M bootstraps', '10 M', '100 M'], rows)}\n\n${markdown(['a month of', 'before (0.1.0)', 'now'], compared)}`;
}

const [START, END] = ['<!-- costs -->', '<!-- end of costs -->'];

/** A document with its tables as they are now. */
export function withCosts(document: string, resourcesOf: ResourcesOf): string {
  const [before, ...rest] = document.split(START);
  const after = rest.join(START).split(END)[1];
  if (after === undefined) throw new Error(`the document has no ${START}`);
  return `${before}${START}\n\n${costTables(resourcesOf)}\n\n${END}${after}`;
}
