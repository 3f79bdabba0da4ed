/** Of a template what CloudFormation replaces by: ids, types, and the properties whose change makes another resource. */

import { causesReplacement } from '../stack/cloudformation-schema.ts';
import { certificate } from '../stack/synthesised-edge.ts';

export interface RecordedResource {
  readonly stage: string;
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Resources = Readonly<
  Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
>;

/** As it comes, and with everything that a stage of that day could have. */
export const STAGES: Readonly<Record<string, object>> = {
  plain: {},
  full: {
    alarmEmail: 'ops@example.com',
    runbookUrl: 'https://wiki.example.com/canvass',
    scoreAdapter: {},
    events: {},
    webhooks: [{ url: 'https://hooks.example.com/a', secretName: 'hook' }],
    deployment: 'canary',
    kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab',
    edge: {
      domainName: 'surveys.example.com',
      certificateArn: certificate('us-east-1'),
      originDomainName: 'origin.example.com',
      originCertificateArn: certificate('eu-west-1'),
    },
  },
};

/** Without data or an address, and made anew in a moment. */
const PASSING = [
  'ApiGatewayV2::Integration',
  'IAM::Policy',
  'Lambda::Permission',
  'Lambda::Version',
  'SNS::TopicPolicy',
  'SQS::QueuePolicy',
].map((type) => `AWS::${type}`);

/**
 * What replaces nothing, and loses data all the same: a secret is generated anew where this changes, and a table makes
 * or drops one index an update and changes its time to live once an hour.
 */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'SecretString'],
  'AWS::DynamoDB::Table': ['GlobalSecondaryIndexes', 'StreamSpecification', 'TimeToLiveSpecification'],
};

export function recordTemplate(stage: string, resources: Resources): readonly RecordedResource[] {
  return Object.entries(resources)
    .filter(([, { Type }]) => !PASSING.includes(Type))
    .map(([id, { Type: type, Properties = {} }]) => {
      const isKept = ([name]: [string, unknown]) =>
        causesReplacement(type, name) || WATCHED[type]?.includes(name) === true;
      return { stage, id, type, properties: Object.fromEntries(Object.entries(Properties).filter(isKept)) };
    });
}
