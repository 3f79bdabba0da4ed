/** Props are typed versions of the settings in cdk.json. The schema of the settings validates them. */

import { Aws, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import type { stageSettings } from '../../lib/settings/settings.ts';
import { SettingsError } from '../../lib/settings/settings-error.ts';
import { anApp } from '../support/stack/synthesised-stack.ts';

type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Settings = Frozen<z.input<typeof stageSettings>>;
type OfConstructs = 'alarmTopic' | 'kmsKey' | 'permissionsBoundary';
type Props = Omit<CanvassProps, OfConstructs | 'stage'>;

/** Compares names and types in both directions. A setting without a prop, or with another type, does not compile. */
type Differing = {
  [Name in keyof Settings | keyof Props]-?: Name extends keyof Settings & keyof Props
    ? Same<Frozen<Props[Name]>, Settings[Name]> extends true
      ? never
      : Name
    : Name;
}[keyof Settings | keyof Props];

const complaint = (props: object): string => complaintOfAll({ stage: 'test', ...props });

const complaintOfAll = (props: unknown): string => {
  const stack = new Stack(anApp(), 'Team');
  try {
    new Canvass(stack, 'Surveys', props as CanvassProps);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
};

describe('props', () => {
  it('equal the settings of a stage, except those that take a construct', () => {
    const isSame: Same<Differing, never> = true;
    expect(isSame).toBe(true);
  });

  it.each([
    ['nothing wrong', {}, /^none$/],
    ['undefined, as a default', { name: undefined, tags: undefined, scoreAdapter: undefined }, /^none$/],
    ['a stage', { stage: 'Prod' }, /Team\/Surveys\.stage: must match/],
    ['no stage', { stage: undefined }, /Team\/Surveys\.stage: /],
    ['logs for ten years', { logRetentionDays: 3653 }, /^none$/],
    ['two at once', { indexShards: 0, name: 'A' }, /\.name: must match[\s\S]*\.indexShards: /],
    ['an unknown one', { retention: 30 }, /Team\/Surveys: .*retention/],
    ['no concurrency at all', { concurrency: { bootstrap: 0 } }, /\.concurrency\.bootstrap: /],
    [
      'existing data',
      { existing: {}, removalPolicy: 'destroy' },
      /Team\/Surveys\.existing: requires removalPolicy/,
    ],
  ])('report what is wrong: %s', (_what, props, message) => {
    expect(complaint(props)).toMatch(message);
  });

  it.each([undefined, null, 'prod'])('are required if plain JavaScript passes %s', (props) => {
    expect(complaintOfAll(props)).toBe("Team/Surveys: requires props, at least { stage: 'prod' }.");
  });

  it.each(['arn:aws:iam::123456789012:policy/b', {}, { managedPolicyName: 'b' }, null, 42])(
    'that take a construct refuse %j',
    (given) => {
      expect(complaint({ permissionsBoundary: given })).toBe(
        'Team/Surveys.permissionsBoundary: takes a construct; for an ARN use permissionsBoundaryArn.',
      );
      expect(complaint({ kmsKey: given })).toBe(
        'Team/Surveys.kmsKey: takes a construct; for an ARN use kmsKeyArn.',
      );
      expect(complaint({ alarmTopic: given })).toBe(
        'Team/Surveys.alarmTopic: takes a construct; for an ARN use Topic.fromTopicArn().',
      );
    },
  );

  it('that exclude each other are refused together', () => {
    const stack = new Stack();
    const kmsKey = new Key(stack, 'Key');
    const permissionsBoundary = new ManagedPolicy(stack, 'Boundary', { statements: [] });
    const alarmTopic = new Topic(stack, 'Topic');
    expect(complaint({ kmsKey, kmsKeyArn: 'x' })).toBe(
      'Team/Surveys.kmsKey: excludes kmsKeyArn; set only one of them.',
    );
    expect(complaint({ permissionsBoundary, permissionsBoundaryArn: 'x' })).toContain(
      'permissionsBoundaryArn',
    );
    expect(complaint({ alarmTopic, alarmEmail: 'ops@example.com' })).toContain('excludes alarmEmail');
  });

  it('that are unresolved tokens are refused with the right reason', () => {
    const { keyArn } = new Key(new Stack(), 'Key');
    expect(complaint({ kmsKeyArn: keyArn })).toBe(
      'Team/Surveys.kmsKeyArn: is known only at deployment; use kmsKey.',
    );
    expect(complaint({ existing: { hashSecretArn: keyArn } })).toBe(
      'Team/Surveys.existing.hashSecretArn: is known only at deployment; set the text itself.',
    );
  });

  it('that name resources of the app are passed on', () => {
    const stack = new Stack(anApp(), 'Team');
    const { eventBusName } = new EventBus(stack, 'Bus');
    const { secretName } = new Secret(stack, 'Hook');
    new Canvass(stack, 'Surveys', {
      stage: 'test',
      tags: { stack: Aws.STACK_NAME },
      events: { busName: eventBusName },
      webhooks: [{ url: 'https://hooks.example.com/a', secretName }],
    });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::Events::Rule', { EventBusName: stack.resolve(eventBusName) });
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      Tags: [{ Key: 'stack', Value: { Ref: 'AWS::StackName' } }],
    });
    const [connection] = Object.values(template.findResources('AWS::Events::Connection'));
    const [hook = ''] = Object.keys(template.findResources('AWS::SecretsManager::Secret')).filter((id) =>
      id.startsWith('Hook'),
    );
    expect(JSON.stringify(connection?.Properties)).toContain(hook);
  });
});
