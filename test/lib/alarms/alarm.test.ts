import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../shared/contract/routes.ts';
import { SCORE_METRICS } from '../../../shared/settings/metrics.ts';
import { markdownAnchors } from '../../support/markdown.ts';
import { evaluateAlarm } from '../../support/stack/metric-math.ts';
import { resolveTemplate, type TemplateText } from '../../support/stack/resolved-template.ts';
import { ALL, EVERYTHING } from '../../support/stack/stages.ts';
import { aTemplate, logicalId, propertiesOf, stacksOf } from '../../support/stack/synthesised-stack.ts';

const RUNBOOK = 'https://wiki.example.com/canvass';
const DOCUMENT = readFileSync('docs/operations.md', 'utf8');
const [webhook, , slack] = ALL.webhooks;
const STAGE = { ...ALL, runbookUrl: RUNBOOK, webhooks: [webhook, slack] };

const template = aTemplate(STAGE);
const edge = Template.fromJSON(
  stacksOf({ ...STAGE, edge: EVERYTHING.edge }).get('canvass-test-edge')?.template ?? {},
);
/** The digest has another topic. */
const TOPIC = logicalId(template, 'AWS::SNS::Topic', '/Observability/');

const idOf = (type: string, path = '') => logicalId(template, `AWS::${type}`, path);
/** AWS CLI commands. */
const COMMANDS = `
  lambda get-account-settings --query AccountLimit
  lambda list-event-source-mappings --function-name ${idOf('Lambda::Function', '/on-change/')}
  sqs receive-message --queue-url ${idOf('SQS::Queue', '/Abandoned/')}
  sqs receive-message --message-attribute-names All --queue-url ${idOf('SQS::Queue', '/Events/Webhook-878390d4/Failed/')}
  sns list-subscriptions-by-topic --topic-arn ${TOPIC}
  deploy list-deployments --include-only-statuses InProgress Failed Stopped
  scheduler get-schedule --name ${idOf('Scheduler::Schedule', '/Purge/')}
  scheduler get-schedule --name ${idOf('Scheduler::Schedule', '/Digest/')}
  backup list-backup-jobs --by-backup-vault-name ${idOf('Backup::BackupVault')}`
  .split(/\n +/)
  .slice(1)
  .map((command) => `aws ${command}`);

const alarmsOf = (from: Template) => propertiesOf(from, 'AWS::CloudWatch::Alarm');
const descriptionOf = ({ AlarmDescription }: { AlarmDescription: unknown }): string[] => {
  const joined = AlarmDescription as { 'Fn::Join'?: [string, (string | { Ref: string })[]] };
  const parts = joined['Fn::Join']?.[1] ?? [String(AlarmDescription)];
  return parts
    .map((part) => (typeof part === 'string' ? part : part.Ref))
    .join('')
    .split('\n');
};
const nameOf = ({ AlarmName }: { AlarmName: string }) => AlarmName.replace('canvass-test-', '');
/** Omits the number of a numbered alarm and the name of a webhook. */
const baseName = (each: { AlarmName: string }) => nameOf(each).replace(/-\d+$|(?<=^webhook-failed)-.+$/, '');
const metricsIn = (from: Template, name: string) =>
  alarmsOf(from)
    .filter((each) => baseName(each) === name)
    .flatMap(({ Metrics = [{ MetricStat: {} }] }) => Metrics)
    .filter((each: object) => 'MetricStat' in each).length;
const alarm = (name: string) => {
  const found = alarmsOf(template).find((each) => each.AlarmName === `canvass-test-${name}`);
  if (found === undefined) throw new Error(`there is no alarm ${name}`);
  return found;
};

describe('the path from an alarm to a mailbox', () => {
  it('has every alarm act on the topic, whose policy lets this account’s alarms publish, and which mails the address', () => {
    const policies = [...resolveTemplate(template.toJSON() as TemplateText).values()].filter(
      ({ type, properties }) => /TopicPolicy$/.test(type) && properties.Topics.includes(`<${TOPIC}>`),
    );
    expect(policies).toHaveLength(1);
    const statements: Statement[] = policies[0]?.properties.PolicyDocument.Statement;
    const denied = statements.filter(({ Effect }) => Effect === 'Deny');
    expect(denied.map(({ Condition }) => Condition)).toEqual([{ Bool: { 'aws:SecureTransport': 'false' } }]);
    const [publish, ...others] = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(others.map(({ Sid }) => Sid)).toEqual(['AllowBackupFailures']);
    expect(publish).toEqual({
      Sid: 'AllowAlarms',
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: `<${TOPIC}>`,
      Condition: {
        StringEquals: { 'aws:SourceAccount': '123456789012' },
        ArnLike: { 'aws:SourceArn': expect.any(String) },
      },
    });
    const pattern = new RegExp(
      `^${String(publish?.Condition?.ArnLike?.['aws:SourceArn']).replaceAll('*', '.*')}$`,
    );
    expect(alarmsOf(template).length).toBeGreaterThanOrEqual(15);
    for (const { AlarmName, AlarmActions, OKActions } of alarmsOf(template)) {
      expect(AlarmActions).toEqual([{ Ref: TOPIC }]);
      expect(OKActions).toEqual([{ Ref: TOPIC }]);
      expect(`arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${AlarmName}`).toMatch(pattern);
    }
    template.hasResourceProperties('AWS::SNS::Subscription', {
      TopicArn: { Ref: TOPIC },
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    aTemplate().resourceCountIs('AWS::SNS::Subscription', 0);
  });
});

describe('the documentation of alarms', () => {
  const all = [...alarmsOf(template), ...alarmsOf(edge)];
  const rows = () =>
    new Map(
      [...DOCUMENT.matchAll(/^\| `([a-z-]+?)(?:-…)?`(?:, `-2`…?)? +\|(.+)\|$/gm)].map(
        ([, name = '', rest = '']) => [name, rest.split('|').map((cell) => cell.trim())],
      ),
    );

  it('has a row in the table and an existing section of the runbook for every alarm', () => {
    const anchors = markdownAnchors(DOCUMENT);
    for (const properties of all) {
      const [, , runbook] = descriptionOf(properties);
      const [link, anchor] = runbook?.replace('Runbook: ', '').split('#') ?? [];
      expect(link).toBe(RUNBOOK);
      expect(anchors).toContain(anchor);
      const [section] = rows().get(baseName(properties as { AlarmName: string })) ?? [];
      expect([nameOf(properties), section]).toEqual([
        nameOf(properties),
        expect.stringContaining(`(#${anchor})`),
      ]);
    }
  });

  it('puts the meaning, the first command and the runbook into every description, with room to spare', () => {
    const groups = [template, edge].flatMap((each) => propertiesOf(each, 'AWS::Logs::LogGroup'));
    const names = groups.map(({ LogGroupName }) => LogGroupName);
    for (const properties of all) {
      const [means = '', first = '', runbook = '', ...others] = descriptionOf(properties);
      expect([nameOf(properties), others]).toEqual([nameOf(properties), []]);
      expect(means).toMatch(/^[A-Z].{20,}\.$/);
      expect(runbook).toMatch(/^Runbook: https:\/\/[^ ]+#[a-z-]+$/);
      // CloudWatch, PutMetricAlarm: AlarmDescription.
      expect(descriptionOf(properties).join('\n').length).toBeLessThan(1_024);
      const [, , list = '', group] =
        first.match(
          /^First: (for f in ([\w/ -]+); do echo "== \$f"; )?aws logs tail (\S+) --since \d+h --filter-pattern '[^']+'/,
        ) ?? [];
      if (group !== undefined) {
        for (const name of list.split(' ')) expect(names).toContain(group.replace('$f', name));
      } else expect(COMMANDS).toContain(first.replace('First: ', ''));
    }
  });

  it('uses every command that is not a log query', () => {
    const said = all.map((each) => descriptionOf(each)[1]?.replace('First: ', ''));
    for (const command of COMMANDS) expect(said).toContain(command);
  });

  it('lists each alarm’s level and cost, at ten cents a metric and month', () => {
    // Function alarms of routes have one metric per function. The documents do not list them, so that a new route
    // changes no document.
    const isOfRoutes = (name: string) => /^function-/.test(name);
    const unwatched = alarmsOf(aTemplate({ ...STAGE, alarms: 'essential' }));
    const essential = new Set([...unwatched, ...alarmsOf(edge)].map(baseName));
    // Counts an alarm's metrics in a stage with the alarm's own level. Only alarms that need the score adapter are
    // counted with it.
    const metricsOf = (name: string) =>
      metricsIn(aTemplate(essential.has(name) ? {} : { alarms: 'all' }), name) ||
      metricsIn(template, name) ||
      metricsIn(edge, name);
    const names = [...new Set(all.map(baseName))];
    for (const name of names) {
      const [, level, cost] = rows().get(name) ?? [];
      expect([name, level, cost]).toEqual([
        name,
        essential.has(name) ? 'essential' : 'all',
        isOfRoutes(name) ? 'each' : `$${(metricsOf(name) * 0.1).toFixed(2)}`,
      ]);
    }
  });

  it('lists what the score adapter, events, Slack and the digest add to alarms that exist without them', () => {
    const plain = aTemplate({ alarms: 'all' });
    const names = new Set(alarmsOf(plain).map(baseName));
    const added = (settings: object) =>
      Object.fromEntries(
        [...names].flatMap((name) => {
          const more = metricsIn(aTemplate({ alarms: 'all', ...settings }), name) - metricsIn(plain, name);
          return more === 0 ? [] : [[name, more]];
        }),
      );
    const twoAlarms = (more: number) => ({ 'background-failures': more, 'background-throttles': more });
    expect(added({ scoreAdapter: {} })).toEqual(twoAlarms(1));
    expect(added({ events: {} })).toEqual(twoAlarms(1));
    expect(added({ events: {}, webhooks: [{ ...slack, events: ['low'] }] })).toEqual(twoAlarms(2));
    expect(added({ events: {}, digest: {} })).toEqual(twoAlarms(2));
    expect(DOCUMENT.replaceAll(/\s+/g, ' ')).toContain(
      '`scoreAdapter`, `events`, Slack channels and `digest` each add $0.10 to both alarms of background functions',
    );
  });
});

interface MetricOfAlarm {
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Value: unknown }[];
}
type Metric = { readonly Id: string; readonly MetricStat?: { readonly Metric: MetricOfAlarm } };

/** Whether the alarm fires for these values by metric name. Metrics without a value were never written. */
function goesOff(name: string, values: Readonly<Record<string, number>>): boolean {
  const { Metrics, Threshold } = alarm(name);
  let taker: string | undefined;
  const value = evaluateAlarm(Metrics, ({ Id, MetricStat }: Metric) => {
    const metric = MetricStat?.Metric.MetricName ?? '';
    // Puts the whole sum on one of the functions.
    if (metric === 'Errors' || metric === 'Throttles') taker ??= Id;
    else return values[metric];
    return taker === Id ? values[metric] : undefined;
  });
  return value !== undefined && value >= Threshold;
}

describe('an alarm that treats missing data as breaching', () => {
  it('states that it is in ALARM until the first run, since earlier periods have no data', () => {
    const silent = alarmsOf(template).filter((each) => each.TreatMissingData === 'breaching');
    const overdue = ['backup-overdue', 'digest-overdue', 'sweep-overdue'];
    expect(silent.map(nameOf).sort()).toEqual([...overdue, 'probe-failing', 'scores-late'].sort());
    for (const name of overdue) {
      // An hour with a run, or with zero, is data; CloudWatch looks back at most seven days.
      const below = { Threshold: 1, ComparisonOperator: 'LessThanThreshold' };
      expect(alarm(name)).toMatchObject({ Statistic: 'Sum', Period: 3_600, ...below });
      expect([32, 48]).toContain(alarm(name).EvaluationPeriods);
    }
    for (const each of alarmsOf(template)) {
      const [means = ''] = descriptionOf(each);
      expect([nameOf(each), means.includes('until the first run')]).toEqual([
        nameOf(each),
        silent.includes(each),
      ]);
    }
  });
});

describe('on small and large sites', () => {
  it.each([
    ['gateway-failures', '5xx'],
    ['internal-errors', 'refused'],
    ['unavailable', 'refused'],
    ['function-failures', 'Errors'],
    ['function-throttles', 'Throttles'],
  ])('%s: alarms on four requests that all fail, but not on one, nor on one in ten thousand', (name, bad) => {
    expect(goesOff(name, { [bad]: 4, Count: 4 })).toBe(true);
    expect(goesOff(name, { [bad]: 1, Count: 2 })).toBe(false);
    expect(goesOff(name, { [bad]: 10, Count: 100_000 })).toBe(false);
    expect(goesOff(name, { [bad]: 10_000, Count: 100_000 })).toBe(true);
    expect(goesOff(name, { Count: 100_000 })).toBe(false);
  });

  it('alarms on a few requests in an hour if most of them fail', () => {
    expect(alarm('gateway-failures-quiet').Metrics).toContainEqual(
      expect.objectContaining({ MetricStat: expect.objectContaining({ Period: 3_600 }) }),
    );
    expect(goesOff('gateway-failures-quiet', { '5xx': 3, Count: 5 })).toBe(true);
    expect(goesOff('gateway-failures-quiet', { '5xx': 2, Count: 5 })).toBe(false);
  });

  it('alarms on accepted answers, by link or not, while the counter never runs: a disabled mapping writes no metric', () => {
    expect(goesOff('counting-stopped', { accepted: 5 })).toBe(true);
    expect(goesOff('counting-stopped', { accepted: 5, Invocations: 1 })).toBe(false);
    expect(goesOff('counting-stopped', { Invocations: 1 })).toBe(false);
    expect(goesOff('counting-stopped', {})).toBe(false);
    // One 90-minute window may end before its last answers are counted, but not two in a row.
    const { Metrics, EvaluationPeriods } = alarm('counting-stopped');
    expect(EvaluationPeriods).toBe(2);
    const stats = Metrics.flatMap(({ MetricStat }: Metric) => MetricStat ?? []);
    expect(stats).toHaveLength(2);
    for (const stat of stats) expect(stat).toMatchObject({ Period: 90 * 60, Stat: 'Sum' });
  });

  it('alarms on throttles of the table and of each index, and on failed notifications', () => {
    const { Metrics } = alarm('table-throttles');
    const watched = Metrics.flatMap(({ MetricStat }: Metric) => MetricStat?.Metric.Dimensions?.length ?? []);
    expect(watched.sort()).toEqual([1, 1, 2, 2, 2, 2, 2, 2]);
    expect(goesOff('table-throttles', { WriteThrottleEvents: 20 })).toBe(true);
    expect(alarm('notifications-failed')).toMatchObject({
      MetricName: 'NumberOfNotificationsFailed',
      Threshold: 1,
    });
  });
});

/** Logs that the first command of an alarm shows. A shell function replaces `aws` and prints its arguments. */
function followedBy(each: { AlarmDescription: unknown }): readonly string[] {
  const [, first = ''] = descriptionOf(each);
  const said = execFileSync('sh', ['-c', `aws() { echo "$3"; }; ${first.replace('First: ', '')}`], {
    encoding: 'utf8',
  });
  return (said.match(/^\/.+$/gm) ?? []).sort();
}

describe('the failed function among several', () => {
  it('is shown by the first command, run by a shell: the log of each function that the alarm covers', () => {
    const failing = alarmsOf(template).filter((each) => baseName(each) === 'background-failures');
    const refs = new Set(
      [...JSON.stringify(failing).matchAll(/"FunctionName","Value":\{"Ref":"(\w+)"/g)].map(([, id]) => id),
    );
    const watched = Object.entries(template.findResources('AWS::Lambda::Function'))
      .filter(([id]) => refs.has(id))
      .map(([, { Properties }]) => Properties.LoggingConfig.LogGroup.Ref);
    const groups = template.findResources('AWS::Logs::LogGroup');
    for (const each of failing)
      expect(followedBy(each)).toEqual(watched.map((id) => groups[id]?.Properties.LogGroupName).sort());
  });

  it('is shown for requests without a limit: the log of each function whose route has one', () => {
    const limited = ROUTES.filter(({ rateLimited }) => rateLimited === true);
    expect(followedBy(alarm('rate-limiter-open'))).toEqual(
      limited.map(({ name }) => `/canvass/test/${name}`).sort(),
    );
  });
});

/** CloudWatch's quotas: an alarm that exceeds them cannot be deployed. */
it('has alarms of at most ten metrics, and no operator that ignores other metrics if one has no data', () => {
  for (const { Metrics = [] } of alarmsOf(template)) {
    expect(Metrics.filter((each: object) => 'MetricStat' in each).length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(Metrics)).not.toContain('FILL');
  }
});

const OF_SCORES: readonly string[] = Object.values(SCORE_METRICS).map(({ name }) => name);

/** The alarms that read a metric of each function: its own, its routes', its queues' or its state machine's. */
function coverageIn(from: Template): ReadonlyMap<string, readonly string[]> {
  const of = (type: string) =>
    Object.entries(from.findResources(`AWS::${type}`)).map(([id, { Properties }]) => ({
      id,
      its: Properties,
    }));
  const mentions = (value: unknown, id: string) => JSON.stringify(value ?? null).includes(`"${id}"`);
  const idsOf = (type: string, mentioned: string) =>
    of(type).flatMap(({ id, its }) => (mentions(its, mentioned) ? id : []));

  const alarmsOfFunction = (functionId: string, name: string): string[] => {
    const integrations = idsOf('ApiGatewayV2::Integration', functionId);
    const keys = of('ApiGatewayV2::Route').flatMap(({ its }) =>
      integrations.some((id) => mentions(its.Target, id)) ? its.RouteKey : [],
    );
    const counted = of('Logs::MetricFilter').flatMap(({ its }) =>
      keys.some((key) => its.FilterPattern.includes(`"${key}"`))
        ? its.MetricTransformations[0].MetricName
        : [],
    );
    const invoked = [...of('Lambda::EventInvokeConfig'), ...of('Lambda::EventSourceMapping')].filter(
      ({ its }) => mentions(its.FunctionName, functionId),
    );
    const watched = [
      ...[functionId, ...idsOf('StepFunctions::StateMachine', functionId)],
      ...of('SQS::Queue').flatMap(({ id }) => (mentions(invoked, id) ? id : [])),
      ...(keys.length > 0 ? of('ApiGatewayV2::Api').map(({ id }) => id) : []),
    ];
    const isRead = ({ MetricName, Dimensions = [] }: MetricOfAlarm) =>
      counted.includes(MetricName) ||
      (name === 'push-scores' && OF_SCORES.includes(MetricName)) ||
      // The number of requests is only a divisor.
      (MetricName !== 'Count' &&
        Dimensions.some(({ Value }) => Value === name || watched.some((id) => mentions(Value, id))));
    return of('CloudWatch::Alarm').flatMap(({ its: { Metrics, ...its } }) => {
      const read: { MetricStat?: { Metric: MetricOfAlarm } }[] = Metrics ?? [{ MetricStat: { Metric: its } }];
      const isCovering = read.some(({ MetricStat }) => MetricStat !== undefined && isRead(MetricStat.Metric));
      return isCovering ? baseName({ AlarmName: its.AlarmName }) : [];
    });
  };
  const functions = of('Lambda::Function').map(({ id, its }): [string, string[]] => {
    const name = its.Description.replace('canvass test: ', '');
    return [name, [...new Set(alarmsOfFunction(id, name))].sort()];
  });
  return new Map(functions);
}

describe('the alarms of each function', () => {
  const atAll = coverageIn(aTemplate({ ...STAGE, deployment: 'all-at-once' }));
  const essential = coverageIn(aTemplate({ ...STAGE, deployment: 'all-at-once', alarms: 'essential' }));

  it('are at least one, also with essential alarms', () => {
    expect(essential.size).toBeGreaterThan(30);
    expect([...essential].filter(([, alarms]) => alarms.length === 0)).toEqual([]);
  });

  it('are those that the table in the documentation lists', () => {
    const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
    const groups = new Map<string, string[]>();
    for (const [name, alarms] of essential) {
      const [common, more] = (atAll.get(name) ?? []).includes('gateway-failures')
        ? [['gateway-failures'], ['function-failures', 'function-throttles', 'gateway-failures-quiet']]
        : [[], name === 'probe' ? [] : ['background-failures', 'background-throttles']];
      const others = (atAll.get(name) ?? []).filter((each) => !alarms.includes(each));
      expect([alarms, others]).toEqual([expect.arrayContaining(common), expect.arrayContaining(more)]);
      const own = alarms.filter((each) => !common.includes(each));
      const cells = [own, others.filter((each) => !more.includes(each))].map(listed).join('|');
      if (cells !== '|') groups.set(cells, [...(groups.get(cells) ?? []), name]);
    }
    const rows = [...groups].map(([cells, names]) => `${listed(names.toSorted())}|${cells}`);
    const [, table = ''] = DOCUMENT.split(/^\| function .*\n.*\n/m);
    const [written = ''] = table.split('\n\n');
    const documented = written.split('\n').map((row) => {
      const cells = row.split('|').slice(1, -1);
      return cells.map((cell) => cell.trim()).join('|');
    });
    expect(documented.sort()).toEqual(rows.sort());
  });
});

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
