/** Stacks of a state that was deployed, as CloudFormation has them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { TemplateText } from '../stack/resolved-template.ts';
import { certificate } from '../stack/synthesised-edge.ts';

export interface RecordedStack {
  readonly stage: string;
  /** Of the stage, as far as the state knew them. */
  readonly settings: object;
  /** `canvass-test`, `canvass-test-edge`. */
  readonly name: string;
  readonly template: TemplateText;
}

/** As it comes, and with everything that a stage of those days could have. */
export const STAGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
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

/** The file of a state. */
export const recordOf = (commit: string): string => join(import.meta.dirname, `templates-${commit}.jsonl.br`);

export const recordedStacks = (commit: string): readonly RecordedStack[] =>
  brotliDecompressSync(readFileSync(recordOf(commit)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Without where a resource lies in the CDK's app, and what only the CDK's tools read. */
export function recordTemplate({ Parameters, Conditions, Resources }: TemplateText): TemplateText {
  const bare = Object.entries(Resources).map(([id, { Metadata: _, ...resource }]) => [id, resource]);
  return { Parameters, Conditions, Resources: Object.fromEntries(bare) };
}
