import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { idleLine, runLine, withdrawalLine } from '../../functions/push/adapter-log.ts';
import { refusalsOf } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { METRICS, metricDirectives, readWatching, type Watching } from '../../shared/settings/metrics.ts';
import { aTemplate, propertiesOf } from '../support/stack/synthesised-stack.ts';

/** Our metrics, with their dimensions, that the stage's alarms and dashboard read. */
function readIn(stage: Template): Set<string> {
  const filters = propertiesOf(stage, 'AWS::Logs::MetricFilter');
  const filtered = filters.map(({ MetricTransformations: [{ MetricName }] }) => MetricName);
  const read = propertiesOf(stage, 'AWS::CloudWatch::Alarm').flatMap((alarm) => {
    const { Metrics = [{ MetricStat: { Metric: alarm } }] } = alarm;
    return Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: AlarmMetric } }) => {
      const { Namespace, MetricName = '', Dimensions = [] } = MetricStat?.Metric ?? {};
      return Namespace === 'canvass-test'
        ? [[MetricName, ...Dimensions.map(({ Value }) => Value)].join(' ')]
        : [];
    });
  });
  const [shown] = propertiesOf(stage, 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(shown?.DashboardBody ?? '').replaceAll('\\', '');
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
    runbookUrl: 'https://wiki.example.com/canvass',
    tracing: true,
    scoreAdapter: {},
    alarms: 'all',
    dashboard: true,
  });

  it('shows every alarm on the one dashboard, whose name is unique across regions', () => {
    const [dashboard, ...others] = propertiesOf(template, 'AWS::CloudWatch::Dashboard');
    expect(others).toEqual([]);
    const DashboardName = { 'Fn::Join': ['', ['canvass-test-', { Ref: 'AWS::Region' }]] };
    expect(dashboard).toMatchObject({ DashboardName });
    const shown = JSON.stringify(dashboard.DashboardBody);
    for (const id of Object.keys(template.findResources('AWS::CloudWatch::Alarm')))
      expect(shown).toContain(id);
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
    const [fn] = propertiesOf(stage, 'AWS::Lambda::Function');
    const watching = readWatching(fn?.Environment.Variables.WATCHING);
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
    const alarms = propertiesOf(template, 'AWS::CloudWatch::Alarm');
    const namespaces = new Set(alarms.flatMap(({ Namespace }) => Namespace ?? []));
    expect([...namespaces].filter((name) => !name.startsWith('AWS/'))).toEqual(['canvass-test']);
  });

  it('does not alarm on a percentile of a few requests', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-slow-bootstrap',
      ExtendedStatistic: 'p99',
      EvaluateLowSampleCountPercentile: 'ignore',
    });
  });

  it('traces every function on request', () => {
    const TracingConfig = { Mode: 'Active' };
    template.allResourcesProperties('AWS::Lambda::Function', { TracingConfig });
    aTemplate().resourcePropertiesCountIs('AWS::Lambda::Function', { TracingConfig }, 0);
  });

  it('lets functions write into the namespace that alarms read', () => {
    const Environment = { Variables: { METRICS_NAMESPACE: 'canvass-test' } };
    template.allResourcesProperties('AWS::Lambda::Function', { Environment });
  });
});
