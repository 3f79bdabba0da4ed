import { readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '../../shared/settings/metrics.ts';
import { aTemplate, logicalId } from '../support/synthesised-stack.ts';

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
    template = aTemplate({ alarmEmail: 'ops@example.com', tracing: true });
  });
  const alarms = () =>
    Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

  it('every alarm tells the topic, and names a section of the runbook that exists', () => {
    const topic = { Ref: logicalId(template, 'AWS::SNS::Topic') };
    const anchors = anchorsOf(readFileSync('docs/operations.md', 'utf8'));
    expect(alarms().length).toBeGreaterThanOrEqual(10);
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms()) {
      expect(AlarmActions).toEqual([topic]);
      expect(OKActions).toEqual([topic]);
      const anchor = /Runbook: docs\/operations\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1];
      expect(anchors).toContain(anchor);
    }
  });

  it('alarms and dashboard know only metrics that functions write', () => {
    const own = alarms().filter(({ Namespace }) => Namespace === 'canvass-test');
    expect(own.length).toBeGreaterThan(4);
    for (const { MetricName } of own) expect(Object.keys(METRICS)).toContain(MetricName);
    const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
    const body = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const name of Object.keys(METRICS)) expect(body).toContain(name);
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
