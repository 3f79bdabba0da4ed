import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { columns, createTerminal, fields, printable, shownOn } from '../../../bin/admin/terminal.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { bringPlace, captureStreams } from '../../support/admin-cli.ts';
import { aProject, aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function aProjectWithPlan() {
  const table = await createTestTable();
  const place = bringPlace({ table, clock: createTestClock() });
  const store = createProjectStore(table.table, table.readIndex);
  const { id } = aProject();
  await store.createProject(aProject({ id }), []);
  const file = join(temporaryFolder(), 's.yaml');
  writeFileSync(file, 'surveys: [{ slug: a, type: nps, question: Q? }]');
  async function apply(typed: string) {
    const { streams, written } = captureStreams(typed);
    const status = await runAdmin(['survey', 'apply', '--project', id, '-f', file], streams, place);
    return { status, ...written() };
  }
  return { apply, count: async () => (await store.read(id))?.surveys.length };
}

describe('the confirmation question', () => {
  it.each(['', '\n', 'n\n', 'yess\n', 'no'])(
    'takes %j as no: nothing changes, and the status is 1',
    async (typed) => {
      const { apply, count } = await aProjectWithPlan();
      const { status, stdout, stderr } = await apply(typed);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '+ a  create (nps, active)\n' });
      expect(stderr).toMatch(/^Apply\? \[y\/N\] [\s\S]*error: Nothing was changed\.\n$/);
      expect(await count()).toBe(0);
    },
  );

  it.each(['y\n', 'YES\n'])('takes %j as yes', async (typed) => {
    const { apply, count } = await aProjectWithPlan();
    expect(await apply(typed)).toMatchObject({ status: 0 });
    expect(await count()).toBe(1);
  });
});

describe('output for people', () => {
  it('has color on a terminal only, and none with NO_COLOR', () => {
    // CI systems set this variable, which affects colors.
    vi.stubEnv('CI', undefined);
    vi.stubEnv('FORCE_COLOR', undefined);
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('TERM', 'xterm-256color');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { streams } = captureStreams('');
    Object.assign(streams.stdout, { getColorDepth: WriteStream.prototype.getColorDepth });
    const bold = () => createTerminal(streams, () => 0).bold('ID');
    expect(bold()).toBe('\u001b[1mID\u001b[22m');
    vi.stubEnv('NO_COLOR', '1');
    expect(bold()).toBe('ID');
    vi.stubEnv('NO_COLOR', undefined);
    expect(createTerminal(captureStreams().streams, () => 0).bold('ID')).toBe('ID');
  });

  it('is aligned, and text written by others does not move the cursor', () => {
    const plain = { bold: (text: string) => text };
    expect(columns(['A', 'LONG'], [['evil\u001b[2J\r\nname', 'x']], plain)).toBe(
      ['A                   LONG', 'evil\\u001b[2J name  x'].join('\n'),
    );
    expect(fields({ id: '1', 'long name': 'x\ny\u009b' })).toBe('id         1\nlong name  x y\\u009b');
  });
});

/** Tries to clear the screen, forge a line, set the window title and reverse the following text. */
const HOSTILE = 'a\u001b[2J\u009b1mb\rc\u0007\u007f \u202ed\u2066\r\ne\t\u200ff';
const SEEN = String.raw`a\u001b[2J\u009b1mb\u000dc\u0007\u007f \u202ed\u2066`;

describe('text written by others', () => {
  it('is escaped on a terminal, and unchanged in a file and a pipe', () => {
    const onTerminal = shownOn(Object.assign(new PassThrough(), { isTTY: true }));
    const asIs = shownOn(new PassThrough());
    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
    const overrides = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
    const controls = [...range(0, 0x1f), ...range(0x7f, 0x9f)].filter((one) => one !== '\n' && one !== '\t');
    const all = range(0, 0xffff);
    expect(all.filter((one) => onTerminal(one) !== one)).toEqual([...controls, ...overrides]);
    expect(all.filter((one) => printable(one) !== onTerminal(one))).toEqual(['\t', '\n']);
    expect(all.filter((one) => asIs(one) !== one)).toEqual([]);
    expect(onTerminal('\r\r\n\u0000\u009f')).toBe('\\u000d\r\n\\u0000\\u009f');
  });

  it('is printed by exports, comments and JSON as in the recordings from a terminal and a pipe', async () => {
    vi.stubEnv('NO_COLOR', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const service = await createTestService();
    const { project, surveys } = await service.tenant({}, [aSurvey()]);
    const at = service.clock.now();
    await seedAnswers(service.table, {
      projectId: project.id,
      surveyIds: surveys.map(({ id }) => id),
      count: 1,
      momentOf: () => at,
      respondentOf: () => 'ann\u001b]0;x',
      responseOf: () => ({ rating: 9, text: HOSTILE, traits: { plan: '\u009b\u200f' } }),
    });
    const run = async (command: string, { typed, flags = [] }: { typed?: string; flags?: string[] } = {}) => {
      const { streams, written } = captureStreams(typed);
      const args = ['results', command, surveys[0]?.content.slug ?? '', '--project', project.id, ...flags];
      expect(await runAdmin(args, streams, bringPlace(service))).toBe(0);
      return written().stdout;
    };

    const csv = { flags: ['--format', 'csv'] };
    const file = await run('export', csv);
    expect(file).toContain(`9,"${HOSTILE}",`);
    expect(file).toContain('{""plan"":""\\u009b\\u200f""}');
    const recorded = await run('export', { ...csv, typed: '' });
    expect(recorded).toBe(
      file.replace(HOSTILE, `${SEEN}\r\ne\t\u200ff`).replace('ann\u001b', String.raw`ann\u001b`),
    );

    const jsonLines = await run('export', { flags: ['--format', 'jsonl'] });
    expect(await run('export', { flags: ['--format', 'jsonl'], typed: '' })).toBe(jsonLines);
    expect(jsonLines).toContain(
      String.raw`"text":"a\u001b[2J\u009b1mb\rc\u0007\u007f \u202ed\u2066\r\ne\t\u200ff"`,
    );
    expect(JSON.parse(jsonLines).text).toBe(HOSTILE);

    expect((await run('comments', { typed: '' })).split('\n').slice(1)).toEqual([
      `Nov 20, 2026, 9:30 AM UTC  9       ${String.raw`ann\u001b]0;x`}                 ${SEEN} e \u200ff`,
      '',
    ]);
    const asJson = await run('comments', { flags: ['--json'] });
    expect(asJson).not.toMatch(/[\u007f-\u009f\p{Bidi_Control}]/u);
    expect(JSON.parse(asJson).comments[0].text).toBe(HOSTILE);
  });
});

describe('progress', () => {
  it('is a bar on a terminal, drawn at most ten times a second, and cleared', () => {
    let now = 0;
    const { streams, written } = captureStreams();
    Object.assign(streams.stderr, { isTTY: true });
    const { progress } = createTerminal(streams, () => now);
    progress.show(0.5, '5 imported');
    progress.show(0.6, '6 imported');
    now += 100;
    progress.show(1, '10 imported');
    progress.clear();
    const { stderr } = written();
    expect(stderr).toContain('[###############...............]  50%  5 imported');
    expect(stderr).not.toContain('6 imported');
    expect(stderr).toContain('100%  10 imported');
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
  });

  it('is not written when stderr is no terminal', () => {
    const { streams, written } = captureStreams();
    const { progress } = createTerminal(streams, () => 0);
    progress.show(0.5, 'half');
    progress.clear();
    expect(written().stderr).toBe('');
  });
});
