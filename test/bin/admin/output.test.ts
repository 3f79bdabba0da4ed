import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bringPlace, runInProcess } from '../../support/admin-cli.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADMIN = join(import.meta.dirname, '../../../bin/admin.ts');

const fault = (code: string) => Object.assign(new Error(`${code}: no more`), { code });

describe('a standard output that cannot be written', () => {
  let service: TestService;
  let tenant: Tenant;

  beforeAll(async () => {
    service = await createTestService();
    tenant = await service.tenant();
    await seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds: tenant.surveys.map(({ id }) => id),
      // Exceeds one write.
      count: 30,
      responseOf: () => ({ text: 'x'.repeat(5_000) }),
    });
  });

  const runOn = (code: string, ...args: string[]) =>
    runInProcess([...args, '--project', tenant.project.id], bringPlace(service), fault(code));
  const exporting = () => ['results', 'export', tenant.surveys[0]?.content.slug ?? '', '--format', 'jsonl'];

  it.each([
    ['a document', () => ['key', 'create', '--kind', 'secret', '--json']],
    ['text', () => ['key', 'list']],
    ['answers', exporting],
  ])('exits with 1 and the reason in one line: %s', async (_, args) => {
    const { status, stderr } = await runOn('ENOSPC', ...args());
    expect([status, stderr]).toEqual([1, 'error: The output could not be written: ENOSPC: no more\n']);
  });

  it('succeeds when the reader has stopped reading', async () => {
    expect(await runOn('EPIPE', 'key', 'list', '--json')).toMatchObject({ status: 0, stderr: '' });
    expect(await runOn('EPIPE', ...exporting())).toMatchObject({ status: 0 });
  });

  it('keeps the exit status of a wrong flag', async () => {
    expect(await runOn('ENOSPC', 'key', 'list', '--form')).toMatchObject({ status: 2 });
  });
});

/** Runs the process with a file as standard output, limited to this number of blocks (512 or 1,024 bytes each). */
function runInto(file: string, blocks: number) {
  const script = `ulimit -f ${blocks}; exec "$0" "$@" > ${file}`;
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, ADMIN, '--help'], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('the process, writing to a file on a full disk', () => {
  it.each([0, 1])('exits with 1 when there is room for %i blocks', (blocks) => {
    const file = join(temporaryFolder(), 'help.txt');
    writeFileSync(file, '');
    expect(runInto(file, blocks)).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: The output could not be written: EFBIG[^\n]*\n$/),
    });
    expect(readFileSync(file).length < 1_025).toBe(true);
  });

  it('writes everything when there is room', () => {
    const file = join(temporaryFolder(), 'help.txt');
    expect(runInto(file, 100)).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toContain('Usage');
  });
});
