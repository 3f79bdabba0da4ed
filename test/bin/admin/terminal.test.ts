import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { columns, createTerminal, fields } from '../../../bin/admin/terminal.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { folderOf } from '../../support/admin-cli.ts';
import { aProject } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestTable } from '../../support/test-table.ts';

/** Streams as a terminal has them, with somebody who types. */
function aTerminal(typed: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), {
    isTTY: true,
    getColorDepth: WriteStream.prototype.getColorDepth,
  });
  const stderr = new PassThrough();
  stdin.end(typed);
  const streams = { stdin, stdout, stderr } as unknown as Parameters<typeof runAdmin>[1];
  const read = (stream: PassThrough): string => stream.read()?.toString() ?? '';
  return { streams, stdout: () => read(stdout), stderr: () => read(stderr) };
}

async function aProjectWithPlan() {
  const table = await createTestTable();
  const store = createProjectStore(table.client, table.tableName);
  const { id } = aProject();
  await store.createProject(aProject({ id }), []);
  const file = join(temporaryFolder(), 's.yaml');
  writeFileSync(file, 'surveys: [{ slug: a, type: nps, question: Q? }]');
  const apply = (typed: string) => {
    const terminal = aTerminal(typed);
    const args = ['survey', 'apply', '--project', id, '-f', file, '--local', '--data', folderOf(table)];
    return { terminal, status: runAdmin(args, terminal.streams) };
  };
  return { apply, count: async () => (await store.read(id))?.surveys.length };
}

describe('the question', () => {
  it.each(['', '\n', 'n\n', 'yess\n', 'no'])('%j is no: nothing changes, exit status 1', async (typed) => {
    const { apply, count } = await aProjectWithPlan();
    const { terminal, status } = apply(typed);
    expect(await status).toBe(1);
    expect(terminal.stdout()).toBe('+ a  create (nps, active)\n');
    expect(terminal.stderr()).toMatch(/^Apply\? \[y\/N\] [\s\S]*error: Nothing was changed\.\n$/);
    expect(await count()).toBe(0);
  });

  it.each(['y\n', 'YES\n'])('%j is yes', async (typed) => {
    const { apply, count } = await aProjectWithPlan();
    expect(await apply(typed).status).toBe(0);
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
    const { streams } = aTerminal('');
    const bold = () => createTerminal(streams).bold('ID');
    expect(bold()).toBe('\u001b[1mID\u001b[22m');
    vi.stubEnv('NO_COLOR', '1');
    expect(bold()).toBe('ID');
    vi.stubEnv('NO_COLOR', undefined);
    const piped = { ...streams, stdout: new PassThrough() } as unknown as typeof streams;
    expect(createTerminal(piped).bold('ID')).toBe('ID');
  });

  it('is aligned, and what others wrote does not move the cursor', () => {
    const plain = { bold: (text: string) => text };
    expect(columns(['A', 'LONG'], [['evil\u001b[2J\nname', 'x']], plain)).toBe(
      ['A              LONG', 'evil [2J name  x'].join('\n'),
    );
    expect(fields({ id: '1', 'long name': 'x\ny' })).toBe('id         1\nlong name  x y');
  });
});
