import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_OF } from '../../shared/contract/errors.ts';
import { METRICS } from '../../shared/settings/metrics.ts';
import { SCORE_METRICS } from '../../shared/settings/score-metrics.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const RUNBOOK = 'https://wiki.example.com/canvass';

describe('observability', () => {
  let template: Template;
  beforeAll(() => {
    template = aTemplate({
      alarmEmail: 'ops@example.com',
      runbookUrl: RUNBOOK,
      tracing: true,
      scoreAdapter: {},
    });
  });
  const dashboard = () =>
    JSON.stringify(
      Object.values(template.findResources('AWS::CloudWatch::Dashboard'))[0]?.Properties.DashboardBody,
    );
  const alarms = () =>
    Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

  it('every alarm is on the one dashboard, whose name is free in every region', () => {
    const [dashboard, ...others] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
    expect(others).toEqual([]);
    expect(dashboard?.Properties.DashboardName).toEqual({
      'Fn::Join': ['', ['canvass-test-', { Ref: 'AWS::Region' }]],
    });
    const shown = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const id of Object.keys(template.findResources('AWS::CloudWatch::Alarm')))
      expect(shown).toContain(id);
  });

  it('alarms and dashboard know only metrics that functions write', () => {
    const own = alarms().filter(({ Namespace }) => Namespace === 'canvass-test');
    expect(own.length).toBeGreaterThan(4);
    const written = [...Object.keys(METRICS), ...Object.values(SCORE_METRICS).map(({ name }) => name)];
    for (const { MetricName } of own) expect(written).toContain(MetricName);
    for (const name of Object.keys(METRICS)) expect(dashboard()).toContain(name);
  });

  it('the runbook’s costs count the metrics that alarms read, but those of the functions of routes', () => {
    const read = (settings: object) =>
      Object.values(aTemplate(settings).findResources('AWS::CloudWatch::Alarm'))
        .filter(({ Properties }) => !/-function-(failures|throttles)/.test(Properties.AlarmName))
        .reduce(
          (sum, { Properties: { Metrics } }) =>
            sum + (Metrics?.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length ?? 1),
          0,
        );
    const costs = readFileSync('docs/operations.md', 'utf8').split('## Alarms')[0]?.replaceAll(/\s+/g, ' ');
    const all = read({});
    expect(costs).toContain(` ${all} metrics are in [alarms]`);
    expect(costs).toContain(`adds 5 metrics and ${read({ scoreAdapter: {} }) - all} in alarms`);
    expect(costs).toContain(`"alarms": "essential"\` leaves ${read({ alarms: 'essential' })} in alarms`);
    expect(costs).toContain(`alarms read ${read({ events: {} }) - all} metrics more`);
  });

  it('alarms name no namespace but the deployment’s and the platform’s', () => {
    const namespaces = new Set(alarms().flatMap(({ Namespace }) => Namespace ?? []));
    expect([...namespaces].filter((name) => !name.startsWith('AWS/'))).toEqual(['canvass-test']);
  });

  it('the dashboard tells every code that a request is refused with', () => {
    const plain = dashboard().replaceAll('\\', '');
    for (const code of Object.keys(STATUS_OF)) expect(plain).toContain(`"code","${code}"`);
  });

  it('a percentile of a few requests wakes nobody', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-slow-bootstrap',
      ExtendedStatistic: 'p99',
      EvaluateLowSampleCountPercentile: 'ignore',
    });
  });

  it('the runbook says for how long a batch that cannot be counted is tried again', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      DestinationConfig: Match.anyValue(),
      MaximumRecordAgeInSeconds: 6 * 3_600,
    });
    const [, section] = readFileSync('docs/operations.md', 'utf8').split('### Counting behind');
    expect(section?.split('###')[0]).toContain('six hours');
  });

  it('traces every function, when asked to', () => {
    const functions = { Properties: { TracingConfig: { Mode: 'Active' } } };
    template.allResources('AWS::Lambda::Function', Match.objectLike(functions));
    aTemplate().resourcePropertiesCountIs('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } }, 0);
  });

  it('functions write into the namespace that is watched', () => {
    template.allResources(
      'AWS::Lambda::Function',
      Match.objectLike({ Properties: { Environment: { Variables: { METRICS_NAMESPACE: 'canvass-test' } } } }),
    );
  });
});
