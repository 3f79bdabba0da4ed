/** Stacks of a recorded release, as CloudFormation has them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { TemplateText } from '../stack/resolved-template.ts';
import { EVERYTHING } from '../stack/stages.ts';

export interface RecordedStack {
  readonly stage: string;
  readonly settings: object;
  /** `canvass-test`, `canvass-test-edge`. */
  readonly name: string;
  readonly template: TemplateText;
}

/** Recorded stages: one with defaults, one with every setting. */
export const STAGES = { plain: {}, full: EVERYTHING } as const;

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
