/** Stacks of a recorded release, as CloudFormation stores them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { TemplateText } from '../stack/resolved-template.ts';
import { EVERYTHING } from '../stack/stages.ts';

export interface RecordedStack {
  readonly stage: string;
  readonly settings: object;
  /** The stack's name, such as `canvass-test` or `canvass-test-edge`. */
  readonly name: string;
  readonly template: TemplateText;
}

/** Recorded stages: one with the defaults, one with every setting. */
export const STAGES = { plain: {}, full: EVERYTHING } as const;

/** The file of a recorded release. */
export const recordOf = (commit: string): string => join(import.meta.dirname, `templates-${commit}.jsonl.br`);

export const recordedStacks = (commit: string): readonly RecordedStack[] =>
  brotliDecompressSync(readFileSync(recordOf(commit)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Omits construct paths and whatever only the CDK's tools read. */
export function recordTemplate({ Parameters, Conditions, Resources }: TemplateText): TemplateText {
  const bare = Object.entries(Resources).map(([id, { Metadata: _, ...resource }]) => [id, resource]);
  return { Parameters, Conditions, Resources: Object.fromEntries(bare) };
}
