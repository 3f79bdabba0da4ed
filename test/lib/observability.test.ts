import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_OF } from '../../shared/contract/errors.ts';
import { METRICS } from '../../shared/settings/metrics.ts';
import { SCORE_METRICS } from '../../shared/settings/score-metrics.ts';
import { aTemplate, logicalId } from '../support/synthesised-stack.ts';

const RUNBOOK = 'https://wiki.example.com/canvass';

/** Anchors of the headings of a Markdown text, as its renderers make them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

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

  it('every alarm tells the topic, and names a section of the runbook that exists', () => {
    const topic = { Ref: logicalId(template, 'AWS::SNS::Topic') };
    const anchors = anchorsOf(readFileSync('docs/operations.md', 'utf8'));
    expect(alarms().length).toBeGreaterThanOrEqual(15);
    for (const { AlarmName, AlarmActions, OKActions, AlarmDescription } of alarms()) {
      expect(AlarmName).toMatch(/^canvass-test-[a-z-]+$/);
      expect(AlarmActions).toEqual([topic]);
      expect(OKActions).toEqual([topic]);
      const [link, anchor] = String(AlarmDescription).split('\nRunbook: ')[1]?.split('#') ?? [];
      expect(link).toBe(RUNBOOK);
      expect(anchors).toContain(anchor);
    }
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const shown = dashboard();
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

  it('alarms name no namespace but the deployment’s and the platform’s', () => {
    const namespaces = new Set(alarms().flatMap(({ Namespace }) => Namespace ?? []));
    expect([...namespaces].filter((name) => !name.startsWith('AWS/'))).toEqual(['canvass-test']);
  });

  it('the dashboard tells every code that a request is refused with', () => {
    const plain = dashboard().replaceAll('\\', '');
    for (const code of Object.keys(STATUS_OF)) expect(plain).toContain(`"code","${code}"`);
  });

  const watched = (name: string): string[] =>
    alarms()
      .filter(({ AlarmName }) => AlarmName === `canvass-test-${name}`)
      .flatMap(({ Metrics }) => Metrics)
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions[0].Value.Ref ?? []);

  it.each(['failures', 'throttles'])('an alarm tells of %s, whichever function it is', (what) => {
    const all = Object.keys(template.findResources('AWS::Lambda::Function'));
    expect([...watched(`function-${what}`), ...watched(`background-${what}`)].sort()).toEqual(all.sort());
  });

  /** CloudWatch, service quotas: one of more cannot be deployed. */
  it('no alarm adds up more than ten metrics, none by an operator that a metric without data would silence', () => {
    for (const { Metrics = [] } of alarms()) {
      expect(Metrics.filter((each: object) => 'MetricStat' in each).length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(Metrics)).not.toContain('FILL');
    }
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

  it('an address is subscribed when there is one', () => {
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    aTemplate().resourceCountIs('AWS::SNS::Subscription', 0);
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
