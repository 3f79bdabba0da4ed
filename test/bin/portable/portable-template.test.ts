/** Portable templates of every stage keep the alarms' subscribers. */

import { describe, expect, it } from 'vitest';
import { portableTemplate, type Template } from '../../../bin/portable/portable-template.ts';
import { resolveTemplate, type TemplateText } from '../../support/stack/resolved-template.ts';
import { changesBetween } from '../../support/stack/stack-update.ts';
import { STAGES } from '../../support/stack/stages.ts';
import { stacksOf } from '../../support/stack/synthesised-stack.ts';

const mailsOf = (template: TemplateText, AlarmEmail?: string) =>
  [...resolveTemplate(template, AlarmEmail === undefined ? {} : { AlarmEmail }).entries()]
    .filter(
      ([, { type, properties }]) => type === 'AWS::SNS::Subscription' && properties.Protocol === 'email',
    )
    .map(([id, { properties }]) => ({ id, ...properties }));

const topicsOf = (template: TemplateText) =>
  new Set(
    [...resolveTemplate(template).values()]
      .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
      .flatMap(({ properties }) => properties.AlarmActions),
  );

describe.each(Object.entries(STAGES))('%s', (_what, stage) => {
  const { alarmEmail = '' } = stage as { alarmEmail?: string };
  const stacks = [...stacksOf(stage).values()].map(({ template }) => ({
    template,
    portable: portableTemplate(template as Template, (asset) => asset, alarmEmail) as TemplateText,
  }));

  it('is the same stack either way: an update from one to the other changes nothing', () => {
    for (const { template, portable } of stacks) {
      for (const [from, to] of [
        [template, portable],
        [portable, template],
      ] as const)
        expect(changesBetween(resolveTemplate(from), resolveTemplate(to))).toEqual([]);
    }
  });

  it('sends alarms, and nothing else, to the address given at deployment', () => {
    for (const { template, portable } of stacks) {
      const [topic, ...others] = topicsOf(template);
      expect(others).toEqual([]);
      const told = mailsOf(template).filter(({ TopicArn }) => TopicArn !== topic);
      const night = mailsOf(portable, 'night@example.com').filter(
        ({ Endpoint }) => Endpoint === 'night@example.com',
      );
      expect(night).toEqual([
        { id: expect.any(String), Protocol: 'email', TopicArn: topic, Endpoint: 'night@example.com' },
      ]);
      expect(mailsOf(portable, '')).toEqual(told);
    }
  });
});

it('asks for no address when alarms act on a topic of another stack', () => {
  const AlarmActions = ['arn:aws:sns:eu-west-1:123456789012:oncall'];
  const template = {
    Resources: {
      Told: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions } },
      Digest: { Type: 'AWS::SNS::Topic' },
    },
  };
  const { Parameters, Resources } = portableTemplate(template, (asset) => asset, '');
  expect([Object.keys(Parameters ?? {}), Object.keys(Resources)]).toEqual([[], ['Told', 'Digest']]);
});

it('accepts a prefix of keys that is empty or ends with a slash', () => {
  const Code = { S3Bucket: 'assets', S3Key: 'a.zip' };
  const template = { Resources: { One: { Type: 'AWS::Lambda::Function', Properties: { Code } } } };
  const { Parameters } = portableTemplate(template, (asset) => asset, '') as TemplateText;
  const pattern = new RegExp(Parameters?.CodePrefix?.AllowedPattern ?? '');
  const refused = ['', 'canvass/', 'a/b/', 'canvass'].filter((prefix) => !pattern.test(prefix));
  expect(refused).toEqual(['canvass']);
});
