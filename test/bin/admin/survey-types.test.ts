/** `survey types`, in process; what a type checker makes of it: test/packages/typed-surveys.test.ts. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../support/admin-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILE = `
surveys:
  - { slug: after-checkout, type: nps, question: "How likely? */ alert()" }
  - slug: helpful
    type: thumbs
    question: Was this helpful?
    reasons: [{ code: wrong, label: Wrong }, { code: slow, label: Slow }]
`;

async function types(text: string, name = 'surveys.d.ts') {
  const folder = temporaryFolder();
  const [file, output] = [join(folder, 'surveys.yaml'), join(folder, name)];
  writeFileSync(file, text);
  const ended = await runInProcess(['survey', 'types', '-f', file, '-o', output, '--json']);
  return { ...ended, output, written: existsSync(output) ? readFileSync(output, 'utf8') : undefined };
}

describe('survey types', () => {
  it('writes slugs, types and reasons in the order of the file, without a deployment', async () => {
    const { status, stdout, output, written } = await types(FILE);
    expect([status, JSON.parse(stdout)]).toEqual([0, { output, slugs: ['after-checkout', 'helpful'] }]);
    expect(written).toBe(`/** Surveys by slug. Generated from the survey file by \`canvass survey types\`. */
export type Surveys = {
  /** How likely? *\u2215 alert() (0 to 10) */
  "after-checkout": { readonly type: "nps"; readonly reasons: never };
  /** Was this helpful? (0 to 1) */
  "helpful": { readonly type: "thumbs"; readonly reasons: "wrong" | "slow" };
};
`);
  });

  it('writes no slugs for a file without surveys', async () => {
    expect((await types('surveys: []')).written).toContain('export type Surveys = Record<never, never>;');
  });

  it('writes nothing for a wrong file, and requires both flags', async () => {
    const { status, written } = await types('surveys: [{ slug: a }]');
    expect([status, written]).toEqual([2, undefined]);
    expect(await runInProcess(['survey', 'types', '-f', 'a.yaml'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--output'),
    });
  });
});
