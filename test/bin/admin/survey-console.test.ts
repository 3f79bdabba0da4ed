/** The command line and the console do not overwrite each other's changes unseen. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDefinitions } from '../../../functions/list-definitions.ts';
import { putDefinitions } from '../../../functions/put-definitions.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = await createTestService();
const admin = createAdminCli(service);

const written = (slug: string, more: object = {}) => ({ slug, type: 'nps', question: 'Q?', ...more });

async function aTenant() {
  const { project, secretKey } = await service.tenant({}, []);
  const file = join(temporaryFolder(), 'surveys.yaml');
  const of = ['--project', project.id] as const;
  const save = (text: string) => writeFileSync(file, text);
  const surveys = async () => (await service.call(listDefinitions, { secretKey })).body;
  const put = async (more: object) => {
    const { revision } = await surveys();
    const reply = await service.call(putDefinitions, { secretKey, body: { revision, ...more } });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const apply = (...flags: string[]) => admin.run('survey', 'apply', ...of, '-f', file, '--yes', ...flags);
  const pull = () => admin.run('survey', 'pull', ...of, '-f', file);
  const text = () => readFileSync(file, 'utf8');
  const questions = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await surveys()).surveys.map(({ slug, question }: Record<string, string>) => [slug, question]),
    );
  return { id: project.id, of, file, save, put, apply, pull, text, questions, surveys };
}

async function aTenantWithFile() {
  const tenant = await aTenant();
  tenant.save(FILE);
  await tenant.apply();
  return tenant;
}

const FILE = `# What we ask
surveys:
  # The one that the board looks at
  - slug: a
    type: nps
    question: Q?   # short
  - { slug: b, type: nps, question: "Q?" } # flow
`;

const refused = (what: string) => ({
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(`^error: Changed in the console since this file was pulled: ${what}\\. Nothing was changed`),
  ),
});

describe('survey apply', () => {
  it('refuses a file that differs from a survey changed in the console, and names the survey', async () => {
    const { save, put, apply, questions } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'From the console?' })] });
    expect(await apply()).toEqual(refused('b'));
    save(FILE.replace('Q?   # short', 'From the file?'));
    expect(await apply()).toEqual(refused('b'));
    expect(await questions()).toEqual({ a: 'Q?', b: 'From the console?' });
  });

  it('refuses a file that lacks a survey from the console, and archives nothing', async () => {
    const { put, apply, surveys } = await aTenantWithFile();
    await put({ surveys: [written('made'), written('another')] });
    expect(await apply()).toEqual(refused('another, made'));
    expect(await apply('--prune')).toEqual(refused('another, made'));
    expect((await surveys()).surveys.map(({ status }: { status: string }) => status)).not.toContain(
      'archived',
    );
    await put({
      surveys: [written('made', { status: 'archived' }), written('another', { status: 'archived' })],
    });
    expect((await apply('--prune')).status).toBe(0);
  });

  it('--overwrite applies the file anyway, and makes the command line the last editor', async () => {
    const { save, put, apply, questions, surveys } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'From the console?' }), written('c')] });
    const { status, stdout } = await apply('--overwrite', '--prune');
    expect([status, stdout]).toEqual([0, expect.stringContaining('question: From the console? → Q?')]);
    expect(await questions()).toEqual({ a: 'Q?', b: 'Q?', c: 'Q?' });
    const { lastChanges } = await surveys();
    expect(lastChanges).toMatchObject({
      b: { source: 'apply', changedBy: 'operator' },
      c: { source: 'apply' },
    });
    save(FILE.replace('question: "Q?"', 'question: "Later?"'));
    expect((await apply()).status).toBe(0);
  });

  it("accepts a file that is the same, or that the console's change does not affect", async () => {
    const { save, put, apply, questions } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'Both?' })] });
    save(FILE.replace('question: "Q?"', 'question: "Both?"').replace('Q?   # short', 'New?'));
    expect((await apply()).status).toBe(0);
    expect(await questions()).toEqual({ a: 'New?', b: 'Both?' });
  });

  it('keeps the console as last editor of a survey that the command line paused', async () => {
    const { of, put, apply } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'From the console?' })] });
    await admin.json('survey', 'pause', 'b', ...of);
    expect(await apply()).toEqual(refused('b'));
  });

  it('refuses an order that the console changed', async () => {
    const { put, apply, surveys } = await aTenantWithFile();
    await put({ surveys: [], order: ['b', 'a'] });
    expect(await apply()).toEqual(refused('the order of the surveys'));
    expect((await apply('--overwrite')).status).toBe(0);
    expect((await surveys()).order).toEqual(['a', 'b']);
  });
});

describe('survey pull', () => {
  it('writes the surveys, and keeps comments and positions of unchanged ones', async () => {
    const { put, apply, pull, text, of } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'From the console?', repeat: '90d' }), written('c')] });
    expect(await pull()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/: 2 written, 1 unchanged\.\n$/),
    });
    const pulled = text();
    for (const kept of ['# What we ask', '# The one that the board looks at', 'question: Q? # short'])
      expect(pulled).toContain(kept);
    expect(pulled).not.toContain('# flow');
    expect(pulled).toContain('question: From the console?');
    expect(pulled).toContain(`pulled: { project: ${of[1]}, revision: 2 }`);
    expect(await apply()).toMatchObject({ status: 0, stdout: expect.stringContaining('= 3 unchanged') });
  });

  it('writes a file that can be changed and applied without undoing later console changes', async () => {
    const { save, put, apply, pull, text, questions } = await aTenant();
    await put({ surveys: [written('a'), written('b')] });
    await pull();
    save(text().replace('Q?', 'From the file?'));
    expect((await apply()).status).toBe(0);
    expect(await questions()).toEqual({ a: 'From the file?', b: 'Q?' });
    await put({ surveys: [written('b', { question: 'Since then?' })] });
    save(text().replace('From the file?', 'Again?'));
    expect(await apply()).toEqual(refused('b'));
    await pull();
    expect(text()).toContain('Since then?');
  });

  it('writes questions that can be applied again; another kind is refused', async () => {
    const { save, put, apply, pull, text, surveys } = await aTenant();
    const use = { id: 'use', kind: 'one', text: 'What for?', ratings: [9, 10] };
    const choices = ['reports', 'alerts'].map((code) => ({ code, label: code }));
    const survey = {
      ...{
        questions: [
          { ...use, choices },
          { id: 'more', kind: 'text', text: 'Else?' },
        ],
      },
      locales: { de: { questions: { use: { text: 'Wofür?', choices: { alerts: 'Alarme' } } } } },
    };
    await put({ surveys: [written('a', survey)] });
    await pull();
    expect(await apply()).toMatchObject({ status: 0, stdout: expect.stringContaining('= 1 unchanged') });
    expect((await surveys()).surveys).toMatchObject([survey]);
    const before = text();
    save(before.replace('Wofür?', 'Wozu?'));
    expect((await apply()).stdout).toMatch(/locales: ….*Wofür.* → ….*Wozu/);
    save(before.replace('kind: one', 'kind: many'));
    expect(await apply()).toMatchObject({ stderr: expect.stringContaining('Use a new id instead.') });
  });

  it('ignores the mark of another project', async () => {
    const [mine, theirs] = [await aTenant(), await aTenant()];
    await mine.put({ surveys: [written('a', { question: 'Mine?' })] });
    await theirs.put({ surveys: [written('a', { question: 'Theirs?' })] });
    await mine.pull();
    theirs.save(mine.text());
    expect(await theirs.apply()).toEqual(refused('a'));
  });

  it('creates a file, lists what it drops, writes JSON by extension, and keeps a file that it cannot read', async () => {
    const { of, save, put, pull, text, file } = await aTenant();
    await put({ surveys: [written('a')] });
    expect(existsSync(file)).toBe(false);
    await pull();
    expect(text()).toMatch(/^surveys:\n {2}- slug: a\n/);
    save('surveys:\n  - { slug: gone, type: nps, question: Q? }\n');
    expect((await pull()).stdout).toContain('because the project does not have them: gone.');
    const json = `${file}.json`;
    await admin.run('survey', 'pull', ...of, '-f', json);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ surveys: [{ slug: 'a' }] });
    save('surveys: [');
    expect(await pull()).toMatchObject({ status: 2 });
    expect(text()).toBe('surveys: [');
  });

  it.each([
    '!!js/function "function () { throw 1 }"',
    '*anchor',
    '&anchor x',
    '<<: { a: b }',
    '- a: b # c',
    'yes',
    '2026-12-01',
    '0x10',
    '~',
    '"quoted\'',
    'a\nb\r\n\tc\u2028d',
    '%TAG ! tag:x',
    '--- |',
    '{{ template }}',
    '👍🏽 שלום',
    ' end ',
  ])('keeps %j as text although YAML could read it as another type', async (question) => {
    const { put, pull, apply, questions } = await aTenant();
    await put({ surveys: [written('a', { question, endLabels: { low: question, high: question } })] });
    await pull();
    expect(await apply()).toMatchObject({ status: 0, stdout: expect.stringContaining('= 1 unchanged') });
    expect(await questions()).toEqual({ a: question.trim() });
  });

  it('keeps choices whose codes and labels YAML could read as another type, and applies them unchanged', async () => {
    const { put, apply, pull, surveys } = await aTenant();
    const codes = ['yes', 'null', '1e3', '0x10', '2026-12-01', '007'];
    const choices = codes.map((code) => ({ code, label: code, low: true, words: code === 'yes' }));
    const locales = { de: { choices: Object.fromEntries(codes.map((code) => [code, `~ ${code}`])) } };
    await put({ surveys: [written('a', { type: 'choice', choices, shuffle: true, locales })] });
    await pull();
    expect(await apply()).toMatchObject({ status: 0, stdout: expect.stringContaining('= 1 unchanged') });
    expect((await surveys()).surveys).toMatchObject([{ choices, shuffle: true, locales }]);
  });

  it('expands shared aliases instead of leaving an alias without its anchor', async () => {
    const { save, put, apply, pull } = await aTenant();
    save(
      'surveys:\n  - { slug: a, type: nps, question: &q "Q?" }\n  - { slug: b, type: nps, question: *q }\n',
    );
    await apply();
    await put({ surveys: [written('a', { question: 'New?' })] });
    expect((await pull()).status).toBe(0);
    expect(await apply()).toMatchObject({ status: 0, stdout: expect.stringContaining('= 2 unchanged') });
  });
});

describe('survey log', () => {
  it('lists who changed what, newest first, without texts', async () => {
    const { of, put } = await aTenantWithFile();
    await put({ surveys: [written('b', { question: 'Words?' })], order: ['b', 'a'] });
    await admin.json('survey', 'archive', 'a', ...of);
    const log = await admin.json('survey', 'log', ...of);
    expect(log).toMatchObject([
      { revision: 3, source: 'apply', by: 'operator', surveys: [{ slug: 'a', fields: ['status'] }] },
      { revision: 2, source: 'console', surveys: [{ slug: 'b', fields: ['question'] }], isReordered: true },
      { revision: 1, source: 'apply', surveys: [{ slug: 'a', action: 'created' }, { slug: 'b' }] },
    ]);
    const { stdout } = await admin.run('survey', 'log', ...of);
    expect(stdout).toMatch(/^WHEN +BY +IN +REVISION +WHAT\n/);
    expect(stdout).toContain('~ b: question; the order\n');
    expect(stdout).not.toContain('Words?');
  });

  it('keeps the last fifty changes', async () => {
    const { of, put } = await aTenant();
    for (let n = 0; n < 53; n++) await put({ surveys: [written('a', { question: `${n}?` })] });
    const log: { revision: number }[] = await admin.json('survey', 'log', ...of);
    expect(log.map(({ revision }) => revision)).toEqual(Array.from({ length: 50 }, (_, n) => 53 - n));
  });
});
