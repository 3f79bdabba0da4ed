import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteStream } from 'node:tty';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { columns, createTerminal, fields } from '../../../bin/admin/terminal.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { bringPlace, captureStreams } from '../../support/admin-cli.ts';
import { aProject } from '../../support/fixtures/builders.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
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

describe('the question', () => {
  it.each(['', '\n', 'n\n', 'yess\n', 'no'])('%j is no: nothing changes, exit status 1', async (typed) => {
    const { apply, count } = await aProjectWithPlan();
    const { status, stdout, stderr } = await apply(typed);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '+ a  create (nps, active)\n' });
    expect(stderr).toMatch(/^Apply\? \[y\/N\] [\s\S]*error: Nothing was changed\.\n$/);
    expect(await count()).toBe(0);
  });

  it.each(['y\n', 'YES\n'])('%j is yes', async (typed) => {
    const { apply, count } = await aProjectWithPlan();
    expect(await apply(typed)).toMatchObject({ status: 0 });
    expect(await count()).toBe(1);
  });
});

describe('what people read', () => {
  it('has colour on a terminal and none elsewhere, nor with NO_COLOR', () => {
    // Without a continuous integration's own idea of colour.
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

  it('is aligned, and what others wrote does not move the cursor', () => {
    const plain = { bold: (text: string) => text };
    expect(columns(['A', 'LONG'], [['evil\u001b[2J\nname', 'x']], plain)).toBe(
      ['A              LONG', 'evil [2J name  x'].join('\n'),
    );
    expect(fields({ id: '1', 'long name': 'x\ny' })).toBe('id         1\nlong name  x y');
  });
});

describe('progress', () => {
  it('is a bar on a terminal, drawn at most ten times a second, and is cleared', () => {
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

  it('is not written where stderr is no terminal', () => {
    const { streams, written } = captureStreams();
    const { progress } = createTerminal(streams, () => 0);
    progress.show(0.5, 'half');
    progress.clear();
    expect(written().stderr).toBe('');
  });
});
