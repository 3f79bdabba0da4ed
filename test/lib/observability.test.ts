import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { idleLine, runLine, withdrawalLine } from '../../functions/push/adapter-log.ts';
import { STATUS_OF } from '../../shared/contract/errors.ts';
import { refusalsOf } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import {
  METRICS,
  metricDirectives,
  readWatching,
  SCORE_METRICS,
  type Watching,
} from '../../shared/settings/metrics.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const RUNBOOK = 'https://wiki.example.com/canvass';

/** Our metrics, with their dimensions, that the stage's alarms and dashboard read. */
function readIn(stage: Template): Set<string> {
  const filtered = Object.values(stage.findResources('AWS::Logs::MetricFilter')).map(
    ({ Properties }) => Properties.MetricTransformations[0].MetricName,
  );
  const read = Object.values(stage.findResources('AWS::CloudWatch::Alarm')).flatMap(({ Properties }) => {
    const { Metrics = [{ MetricStat: { Metric: Properties } }] } = Properties;
    return Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: AlarmMetric } }) => {
      const { Namespace, MetricName = '', Dimensions = [] } = MetricStat?.Metric ?? {};
      return Namespace === 'canvass-test'
        ? [[MetricName, ...Dimensions.map(({ Value }) => Value)].join(' ')]
        : [];
    });
  });
  const [shown] = Object.values(stage.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(shown?.Properties.DashboardBody ?? '').replaceAll('\\', '');
  const graphs = [...body.matchAll(/\["canvass-test","(\w+)"(?:,"(?:route|code)","([\w-]+)")?/g)];
  const all = [
    ...read,
    ...graphs.map(([, name, value]) => (value === undefined ? name : `${name} ${value}`)),
  ];
  return new Set(all.filter((name) => !filtered.includes(name)));
}

const ROUTE_NAMES = [...ROUTES, unknownPathRoute].map(({ name }) => name);
const CODES = new Set([...ROUTES, unknownPathRoute].flatMap((route) => refusalsOf(route)));

/** Metrics that functions write, for every route and error code. */
function writtenBy(watching: Watching, hasAdapter: boolean): Set<string> {
  const measures = Object.fromEntries(Object.keys(METRICS).map((name) => [name, 1]));
  const lines = ROUTE_NAMES.flatMap((route) => [...CODES].map((code) => ({ route, code })));
  const written = lines.flatMap((line) =>
    metricDirectives(measures, { namespace: 'canvass-test', watching, line }).flatMap(
      ({ Dimensions, Metrics }) => {
        const [by] = Dimensions[0] ?? [];
        return Metrics.map(({ Name }) =>
          by === undefined ? Name : `${Name} ${line[by as 'route' | 'code']}`,
        );
      },
    ),
  );
  if (!hasAdapter) return new Set(written);
  const run = { metricsNamespace: 'canvass-test', watching, projectId: 'p', now: 0 };
  const report = { polled: 1, delivered: 1, rejected: 1, left: 1, halted: 'HTTP 401' };
  const scores = [
    runLine({ ...run, report, oldestPendingSeconds: 1 }),
    runLine({ ...run, error: new Error('no list') }),
    withdrawalLine({ ...run, withdrawn: 1, left: 1, oldestSeconds: 1 }),
    idleLine(run, 0),
  ] as readonly { _aws?: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] } }[];
  return new Set([
    ...written,
    ...scores.flatMap(({ _aws }) => _aws?.CloudWatchMetrics[0]?.Metrics.map(({ Name }) => Name) ?? []),
  ]);
}

interface AlarmMetric {
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly { readonly Value: string }[];
}

describe('observability', () => {
  const template = aTemplate({
    alarmEmail: 'ops@example.com',
    runbookUrl: RUNBOOK,
    tracing: true,
    scoreAdapter: {},
    alarms: 'all',
    dashboard: true,
  });
  const dashboard = () =>
    JSON.stringify(
      Object.values(template.findResources('AWS::CloudWatch::Dashboard'))[0]?.Properties.DashboardBody,
    );
  const alarms = () =>
    Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

  it('shows every alarm on the one dashboard, whose name is unique across regions', () => {
    const [dashboard, ...others] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
    expect(others).toEqual([]);
    expect(dashboard?.Properties.DashboardName).toEqual({
      'Fn::Join': ['', ['canvass-test-', { Ref: 'AWS::Region' }]],
    });
    const shown = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const id of Object.keys(template.findResources('AWS::CloudWatch::Alarm')))
      expect(shown).toContain(id);
  });

  it('uses only metrics that functions or log filters write', () => {
    const own = alarms().filter(({ Namespace }) => Namespace === 'canvass-test');
    expect(own.length).toBeGreaterThan(4);
    const filters = Object.values(template.findResources('AWS::Logs::MetricFilter'));
    const written = [
      ...Object.keys(METRICS),
      ...Object.values(SCORE_METRICS).map(({ name }) => name),
      ...filters.flatMap(({ Properties }) => Properties.MetricTransformations[0].MetricName),
    ];
    for (const { MetricName } of own) expect(written).toContain(MetricName);
  });

  it('has no dashboard and only essential alarms by default', () => {
    const plain = aTemplate();
    plain.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    expect(plain.findResources('AWS::CloudWatch::Alarm')).toEqual(
      aTemplate({ alarms: 'essential' }).findResources('AWS::CloudWatch::Alarm'),
    );
  });

  const MORE = { scoreAdapter: {}, events: {} };
  const SETTINGS = [
    {},
    MORE,
    { alarms: 'all' },
    { alarms: 'all', ...MORE },
    { dashboard: true, ...MORE },
    { alarms: 'all', dashboard: true },
  ];
  it.each(SETTINGS)('reads exactly the metrics that functions write: %j', (settings) => {
    const stage = aTemplate(settings);
    const [fn] = Object.values(stage.findResources('AWS::Lambda::Function'));
    const watching = readWatching(fn?.Properties.Environment.Variables.WATCHING);
    const isWritten = (name: string) => 'events' in settings || !name.startsWith('events_');
    expect([...readIn(stage)].sort()).toEqual(
      [...writtenBy(watching, 'scoreAdapter' in settings)].filter(isWritten).sort(),
    );
  });

  it('writes one metric by default while nothing is wrong', () => {
    const usual = new Set(Object.keys(METRICS).filter((name) => !/uncounted|events_/.test(name)));
    const written = writtenBy({ alarms: 'essential', dashboard: false }, false);
    expect([...written].filter((name) => usual.has(name))).toEqual(['accepted']);
  });

  it('uses only the namespaces of the deployment and the platform in alarms', () => {
    const namespaces = new Set(alarms().flatMap(({ Namespace }) => Namespace ?? []));
    expect([...namespaces].filter((name) => !name.startsWith('AWS/'))).toEqual(['canvass-test']);
  });

  it('shows every refusal code on the dashboard', () => {
    const plain = dashboard().replaceAll('\\', '');
    for (const code of Object.keys(STATUS_OF)) expect(plain).toContain(`"code","${code}"`);
  });

  it('does not alarm on a percentile of a few requests', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-slow-bootstrap',
      ExtendedStatistic: 'p99',
      EvaluateLowSampleCountPercentile: 'ignore',
    });
  });

  it('documents in the runbook how long a failing batch is retried', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      DestinationConfig: Match.anyValue(),
      MaximumRecordAgeInSeconds: 6 * 3_600,
    });
    const [, section] = readFileSync('docs/operations.md', 'utf8').split('### Counting behind');
    expect(section?.split('###')[0]).toContain('six hours');
  });

  it('traces every function on request', () => {
    const functions = { Properties: { TracingConfig: { Mode: 'Active' } } };
    template.allResources('AWS::Lambda::Function', Match.objectLike(functions));
    aTemplate().resourcePropertiesCountIs('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } }, 0);
  });

  it('lets functions write into the namespace that alarms read', () => {
    template.allResources(
      'AWS::Lambda::Function',
      Match.objectLike({ Properties: { Environment: { Variables: { METRICS_NAMESPACE: 'canvass-test' } } } }),
    );
  });
});
