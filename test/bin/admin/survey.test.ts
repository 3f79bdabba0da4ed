import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { surveyKey } from '../../../shared/data/table/schema.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = await createTestService();
const store = createProjectStore(service.table.table, service.table.readIndex);
const admin = createAdminCli(service);

interface SurveyView {
  readonly id: string;
  readonly slug: string;
}

function fileOf(surveys: readonly object[]): string {
  const file = join(temporaryFolder(), 'surveys.json');
  writeFileSync(file, JSON.stringify({ surveys }));
  return file;
}

const aFileSurvey = (slug: string, more: object = {}) => ({ slug, type: 'nps', question: 'Q?', ...more });

const applied = (some: Readonly<Record<string, readonly string[]>>) => ({
  ...{ created: [], updated: [], unchanged: [], archived: [] },
  ...some,
});

async function aTenant() {
  const { project, publishableKey } = await service.tenant({}, []);
  const apply = (surveys: readonly object[], ...flags: string[]) =>
    admin.json('survey', 'apply', '--project', project.id, '-f', fileOf(surveys), '--yes', ...flags);
  const run = (surveys: readonly object[], ...flags: string[]) =>
    admin.run('survey', 'apply', '--project', project.id, '-f', fileOf(surveys), ...flags);
  const list = (): Promise<SurveyView[]> => admin.json('survey', 'list', '--project', project.id);
  async function served(): Promise<SurveyView[]> {
    service.clock.advance(31_000);
    const { body } = await service.call(bootstrap, { body: { key: publishableKey, userId: 'ann' } });
    return body.surveys;
  }
  return { id: project.id, publishableKey, apply, run, list, served };
}

const slugs = (surveys: readonly SurveyView[]) => surveys.map(({ slug }) => slug).sort();

describe('survey apply', () => {
  it('declares segments, which list and show print as the file does', async () => {
    const { apply, list } = await aTenant();
    const model = { from: 'label', values: ['a', 'b'] };
    const segments = { plan: ['free', 'pro'], seats: [1, 2], model };
    expect(await apply([aFileSurvey('first', { segments })])).toMatchObject({ created: ['first'] });
    expect(await apply([aFileSurvey('first', { segments })])).toMatchObject({ unchanged: ['first'] });
    expect(await list()).toMatchObject([{ segments: { plan: ['free', 'pro'], seats: ['1', '2'], model } }]);
    expect(await apply([aFileSurvey('first')])).toMatchObject({ updated: ['first'] });
    expect(await list()).toMatchObject([{ segments: {} }]);
  });

  it('shows the instants of a schedule, and both where an earlier release read the day differently', async () => {
    const { id, apply, run } = await aTenant();
    const survey = aFileSurvey('first', { startsAt: '2026-12-01', endsAt: '2026-12-01' });
    const created = await run([survey], '--yes');
    expect(created.stdout).toContain(
      '+ first  create (nps, active)\n    startsAt: 2026-12-01T00:00:00.000Z\n    endsAt: 2026-12-02T00:00:00.000Z\n',
    );
    expect(await apply([survey])).toMatchObject({ unchanged: ['first'] });
    await apply([aFileSurvey('first', { endsAt: '2026-12-01T00:00:00.000Z' })]);
    const { stdout } = await run([aFileSurvey('first', { endsAt: '2026-12-01' })], '--yes');
    expect(stdout).toContain(
      '~ first  update\n    endsAt: 2026-12-01T00:00:00.000Z → 2026-12-02T00:00:00.000Z\n',
    );
    expect((await store.read(id))?.surveys).toMatchObject([{ endsAt: '2026-12-02T00:00:00.000Z' }]);
  });

  it('leaves ends and texts as an earlier release stored them until the file changes them', async () => {
    const { id, apply, run } = await aTenant();
    const question = 'Old\u202e question \n';
    const of = (more: object = {}) => aFileSurvey('first', { question, endsAt: '2026-12-01', ...more });
    await apply([of({ question: 'Q?', followUpQuestion: 'Why?' })]);
    const [survey] = (await store.read(id))?.surveys ?? [];
    const content = { ...survey?.content, question };
    const row = { content, endsAt: '2026-12-01T00:00:00.000Z', endWritten: null };
    await service.table.table.update(surveyKey(id, survey?.id ?? ''), { set: row });
    const endOf = async () => (await store.read(id))?.surveys.map(({ endsAt }) => endsAt);

    const { stdout } = await run([of({ followUpQuestion: 'Why?' })]);
    expect(stdout).toContain('Warning: first still ends at 2026-12-01T00:00:00.000Z, because');
    expect(stdout).toContain('write endsAt: 2026-12-02T00:00:00.000Z');
    expect(stdout).toContain('0 created, 0 updated, 1 unchanged');
    expect(await apply([of({ status: 'paused' })])).toMatchObject({ updated: ['first'] });
    for (const _again of [1, 2]) {
      expect(await apply([of({ status: 'paused' })])).toMatchObject({ unchanged: ['first'] });
      expect(await endOf()).toEqual(['2026-12-01T00:00:00.000Z']);
    }
    const refused = await run([of({ thanks: { text: 'A\u0000' } })], '--yes');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /surveys\.json:1:\d+: surveys\[0\]\.thanks\.text: must not have control characters/,
      ),
    ]);
    for (const [endsAt, end] of [
      ['2026-12-02', '2026-12-03T00:00:00.000Z'],
      ['2026-12-03', '2026-12-04T00:00:00.000Z'],
    ]) {
      expect(await apply([of({ endsAt })])).toMatchObject({ updated: ['first'] });
      expect(await endOf()).toEqual([end]);
    }
  });

  it('shows a warning before it applies a code that YAML reads as a number', async () => {
    const { id } = await aTenant();
    const file = join(temporaryFolder(), 's.yaml');
    writeFileSync(file, 'surveys: [{ slug: a, type: nps, question: Q?, segments: { zip: [01234] } }]');
    const { stdout } = await admin.run('survey', 'apply', '--project', id, '-f', file, '--yes');
    expect(stdout).toContain(`Warning: ${file}:1:65: 01234 is read as 1234.`);
  });

  it('lists reasons, and remembers removed codes, up to 24 in total', async () => {
    const { id, apply, run, served } = await aTenant();
    const reasonsOf = (...codes: string[]) => codes.map((code) => ({ code, label: `It was ${code}` }));
    const survey = (...codes: string[]) => aFileSurvey('first', { reasons: reasonsOf(...codes) });
    const known = async () => (await store.read(id))?.surveys[0]?.reasonCodes;
    await apply([survey('slow', 'wrong')]);
    expect(await served()).toMatchObject([{ reasons: reasonsOf('slow', 'wrong') }]);
    expect(await served()).not.toMatchObject([{ reasonCodes: expect.anything() }]);
    expect(await apply([survey('slow', 'wrong')])).toMatchObject({ unchanged: ['first'] });
    await apply([survey('rude', 'slow')]);
    expect(await served()).toMatchObject([{ reasons: reasonsOf('rude', 'slow') }]);
    expect(await known()).toEqual(['slow', 'wrong', 'rude']);
    await apply([aFileSurvey('first')]);
    expect((await served())[0]).not.toHaveProperty('reasons');
    expect(await known()).toEqual(['slow', 'wrong', 'rude']);
    const fresh = Array.from({ length: 22 }, (_, nth) => `r${nth}`);
    for (const from of [0, 8]) await apply([survey(...fresh.slice(from, from + 8))]);
    expect(await run([survey(...fresh.slice(16))], '--yes')).toEqual(
      failed(2, /24 different reasons .* make it 25/),
    );
    await apply([survey(...fresh.slice(16, 21))]);
    expect(await known()).toHaveLength(24);
  });

  it('keeps the source of a segment, declared or not', async () => {
    const { apply, run, list } = await aTenant();
    const byLabel = { model: { from: 'label', values: ['a'] } };
    await apply([aFileSurvey('first', { segments: byLabel })]);
    const expected =
      'first: You cannot change the source of the breakdown model (label), because its responses are already counted. Add a breakdown with another name instead.';
    const refused = async () => {
      const other = [aFileSurvey('first', { segments: { model: ['a'] } })];
      expect(await run(other, '--yes')).toEqual(failed(2, expected));
    };
    await refused();
    await apply([aFileSurvey('first')]);
    await refused();
    await apply([aFileSurvey('first', { segments: byLabel })]);
    expect(await list()).toMatchObject([{ segments: byLabel }]);
  });

  it('creates surveys that the service serves, then changes only what differs', async () => {
    const { apply, served, list } = await aTenant();
    const first = aFileSurvey('first', {
      targeting: [{ trait: 'plan', op: 'in', value: ['a'] }],
      limits: { quietPeriod: '1d' },
    });
    const draft = aFileSurvey('second', { status: 'draft' });
    expect(await apply([first, draft])).toEqual(applied({ created: ['first', 'second'] }));
    const [shown] = await served();
    expect(await served()).toEqual([
      {
        id: expect.stringMatching(/^sv_[0-9a-f]{16}$/),
        slug: 'first',
        type: 'nps',
        question: 'Q?',
        presentation: 'corner',
        trigger: 'auto',
        targeting: [{ trait: 'plan', op: 'in', value: ['a'] }],
        scale: { min: 0, max: 10 },
      },
    ]);
    expect(await apply([draft, first])).toEqual(applied({ unchanged: ['second', 'first'] }));
    const changed = { ...first, question: 'New?', limits: {} };
    expect(await apply([changed, { ...draft, status: 'active' }])).toMatchObject({
      updated: ['first', 'second'],
      unchanged: [],
    });
    const now = await served();
    expect(slugs(now)).toEqual(['first', 'second']);
    expect(now.find(({ slug }) => slug === 'first')).toMatchObject({ id: shown?.id, question: 'New?' });
    expect(await list()).toHaveLength(2);
  });

  it('makes the service ask in the order of the file, higher priority first', async () => {
    const { apply, run, served } = await aTenant();
    const [a, b, c] = ['a', 'b', 'c'].map((slug) => aFileSurvey(slug));
    const asked = async () => (await served()).map(({ slug }) => slug);
    await apply([c, a, b] as object[]);
    expect(await asked()).toEqual(['c', 'a', 'b']);

    const { status, stdout } = await run([b, c, a] as object[]);
    expect([status, stdout]).toEqual([2, '~ the order of surveys with the same priority\n= 3 unchanged\n']);
    expect(await asked()).toEqual(['c', 'a', 'b']);
    expect(await apply([b, c, a] as object[])).toMatchObject({ updated: [], unchanged: ['b', 'c', 'a'] });
    expect(await asked()).toEqual(['b', 'c', 'a']);
    expect((await run([b, c, a] as object[])).stdout).toBe(
      '= 3 unchanged\n0 created, 0 updated, 3 unchanged, 0 archived.\n',
    );

    await apply([b, aFileSurvey('new'), c] as object[]);
    expect(await asked()).toEqual(['b', 'new', 'c', 'a']);
    expect(await apply([aFileSurvey('a', { priority: 1 })])).toMatchObject({ updated: ['a'] });
    expect(await asked()).toEqual(['a', 'b', 'new', 'c']);
  });

  it('keeps the order of the file across batches', async () => {
    const { apply, served } = await aTenant();
    const many = Array.from({ length: 60 }, (_, index) => aFileSurvey(`s-${(index * 7) % 60}`));
    await apply(many);
    expect((await served()).map(({ slug }) => slug)).toEqual(many.map(({ slug }) => slug));
  });

  it('--prune archives surveys that the file lacks; otherwise they stay', async () => {
    const { id, apply, served } = await aTenant();
    await apply([aFileSurvey('kept'), aFileSurvey('gone')]);
    expect(await apply([aFileSurvey('kept')])).toMatchObject({ archived: [], unchanged: ['kept'] });
    expect(slugs(await served())).toEqual(['gone', 'kept']);
    const pruned = applied({ unchanged: ['kept'], archived: ['gone'] });
    expect(await apply([aFileSurvey('kept')], '--prune')).toEqual(pruned);
    expect(slugs(await served())).toEqual(['kept']);
    expect(await admin.json('survey', 'show', 'gone', '--project', id)).toMatchObject([
      { status: 'archived' },
    ]);
  });

  it('shows the plan, then refuses without a terminal and changes nothing', async () => {
    const { apply, run, list } = await aTenant();
    await apply([aFileSurvey('old')]);
    const later = [aFileSurvey('old', { question: 'Better?' }), aFileSurvey('new')];
    const { status, stdout, stderr } = await run(later);
    expect(status).toBe(2);
    expect(stdout).toBe('+ new  create (nps, active)\n~ old  update\n    question: Q? → Better?\n');
    expect(stderr).toBe('error: There is no terminal to ask on. To apply without asking, use --yes.\n');
    expect(slugs(await list())).toEqual(['old']);
    const asJson = await run(later, '--yes', '--json');
    expect(asJson.stderr).toBe(stdout);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ created: ['new'], updated: ['old'] });
  });

  it('creates each survey once when four run at once', async () => {
    const { apply, list } = await aTenant();
    const surveys = Array.from({ length: 120 }, (_, n) => aFileSurvey(`s${n}`));
    const results = await Promise.all(Array.from({ length: 4 }, () => apply(surveys)));
    expect(slugs(await list())).toEqual(surveys.map(({ slug }) => slug).sort());
    expect(results.flatMap(({ created }) => created).sort()).toEqual(surveys.map(({ slug }) => slug).sort());
    expect(results.flatMap(({ updated, archived }) => [...updated, ...archived])).toEqual([]);
  });

  it('applies one of two conflicting files, and reports the other', async () => {
    const { run, list } = await aTenant();
    const asking = (question: string) =>
      Array.from({ length: 150 }, (_, n) => aFileSurvey(`s${n}`, { question }));
    const ended = await Promise.all(['A?', 'B?'].map((each) => run(asking(each), '--yes', '--json')));
    expect(ended.some(({ status }) => status === 0)).toBe(true);
    for (const { status, stderr } of ended.filter((one) => one.status !== 0)) {
      expect(status).toBe(1);
      expect(stderr).toContain('error: Someone else changed the surveys meanwhile');
    }
    const made = slugs(await list());
    expect(new Set(made).size).toBe(made.length);
  });

  it('writes 500 surveys in batches, and refuses one more before anything changes', async () => {
    const { apply, run, list } = await aTenant();
    const surveys = Array.from({ length: 500 }, (_, n) =>
      aFileSurvey(`s${n}`, { followUpQuestion: 'ä'.repeat(1_000) }),
    );
    expect((await apply(surveys)).created).toHaveLength(500);
    expect(await list()).toHaveLength(500);
    expect(await run([aFileSurvey('more')], '--yes')).toEqual(
      failed(
        2,
        'A project can have 500 surveys, including archived ones. This change would make it 501. Change an existing survey instead of creating one.',
      ),
    );
  });

  it('keeps the type of a survey, and names every survey whose type would change', async () => {
    const { apply, run } = await aTenant();
    await apply([aFileSurvey('a'), aFileSurvey('b'), aFileSurvey('c')]);
    const others = [aFileSurvey('a', { type: 'csat' }), aFileSurvey('b', { type: 'ces' }), aFileSurvey('c')];
    const problems = ['a', 'b'].map(
      (slug) =>
        `${slug}: You cannot change the type of an existing survey (nps). Create another survey instead.`,
    );
    expect(await run(others, '--yes')).toEqual(failed(2, problems.join('\nerror: ')));
  });

  it('reuses the slug of a purged survey under a new ID', async () => {
    const { id, apply, list } = await aTenant();
    await apply([aFileSurvey('a')]);
    const [before] = await list();
    const mark = { UpdateExpression: 'SET purgedAt = :now', ExpressionAttributeValues: { ':now': 'now' } };
    const Key = surveyKey(id, before?.id ?? '');
    await service.table.client.send(new UpdateCommand({ TableName: service.table.tableName, Key, ...mark }));
    expect(await apply([aFileSurvey('a')])).toMatchObject({ created: ['a'] });
    const [after] = await list();
    expect(after?.id).not.toBe(before?.id);
  });
});

/** The most quotation marks that fit into a survey. Each takes four bytes in a reply. */
const QUOTES = '"'.repeat(3_900);

describe('surveys that bootstrap could not send in one reply', () => {
  const aLargeSurvey = (slug: string, more: object = {}) =>
    aFileSurvey(slug, { followUpQuestion: QUOTES, ...more });
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, n) => aLargeSurvey(`s${n}`, more));

  it('are refused before anything changes, with their size and the largest survey; a file that fits is served', async () => {
    const { id, publishableKey, run } = await aTenant();
    const largest = aLargeSurvey('largest', { endLabels: { low: 'ä'.repeat(40), high: 'b' } });
    expect(await run([...many(399), largest], '--yes')).toEqual(
      failed(
        2,
        /^error: All surveys together exceed the size limit by \d+ bytes\.[^\n]*The largest are largest \(16\d{3}\), s\d+ \(16\d{3}\), [^\n]*\.\n$/,
      ),
    );
    expect(await admin.json('survey', 'list', '--project', id)).toEqual([]);

    const fitting = many(384);
    expect((await run(fitting, '--yes')).status).toBe(0);
    service.clock.advance(31_000);
    const body = { key: publishableKey, userId: 'u'.repeat(256) };
    const reply = await service.call(bootstrap, { body });
    expect(Object.keys(reply.body.showTokens)).toHaveLength(fitting.length);
    const sent = Buffer.byteLength(
      JSON.stringify({ statusCode: 200, headers: reply.headers, body: reply.text }),
    );
    expect(sent).toBeLessThan(6 * 1_024 * 1_024);
    expect(sent).toBeGreaterThan(5.9 * 1_024 * 1_024);
    expect(await run([...fitting, aLargeSurvey('more')], '--yes')).toMatchObject({ status: 2 });
  });

  it('do not count while they are archived, and then cannot be resumed', async () => {
    const { id, apply } = await aTenant();
    await apply([...many(384), aLargeSurvey('old', { status: 'archived' })]);
    const resumed = await admin.run('survey', 'resume', 'old', '--project', id);
    expect(resumed).toEqual(failed(2, /exceed the size limit by/));
    await admin.json('survey', 'archive', 's0', '--project', id);
    expect((await admin.run('survey', 'resume', 'old', '--project', id)).status).toBe(0);
  });
});

describe('survey list, show, pause, resume, archive', () => {
  it('change what is served', async () => {
    const { id, apply, served } = await aTenant();
    await apply([aFileSurvey('a'), aFileSurvey('b')]);
    const change = (verb: string, ...which: string[]) =>
      admin.json('survey', verb, ...which, '--project', id);
    expect(await change('pause', 'a', 'b')).toMatchObject([
      { slug: 'a', status: 'paused' },
      { slug: 'b', status: 'paused' },
    ]);
    expect(await served()).toEqual([]);
    expect(await change('resume', 'b')).toMatchObject([{ slug: 'b', status: 'active' }]);
    expect(slugs(await served())).toEqual(['b']);
    expect(await change('archive', 'b')).toMatchObject([{ slug: 'b', status: 'archived' }]);
    expect(await served()).toEqual([]);
  });

  it('show everything that is stored, named as in the file', async () => {
    const { id } = await aTenant();
    const survey = aSurvey(
      { limits: { quietPeriodMs: 3_600_000, maxResponses: 9 } },
      { slug: 'shown', delayMs: 5 },
    );
    await store.createSurvey(id, survey);
    const expected = {
      id: survey.id,
      slug: 'shown',
      type: 'nps',
      status: 'active',
      question: survey.content.question,
      presentation: 'corner',
      trigger: 'auto',
      delayMs: 5,
      startsAt: null,
      endsAt: null,
      limits: { maxResponses: 9, quietPeriod: '1h' },
      responses: 0,
    };
    expect(await admin.json('survey', 'show', 'shown', '--project', id)).toEqual([expected]);
    expect(await admin.json('survey', 'list', '--project', id)).toEqual([expected]);
    const { stdout } = await admin.run('survey', 'list', '--project', id);
    expect(stdout).toMatch(/^SLUG +TYPE +STATUS +RESPONSES +ID\nshown +nps +active +0 +sv_\w{16}\n$/);
  });

  it('name an unknown slug and change none of the others', async () => {
    const { id, apply, served } = await aTenant();
    await apply([aFileSurvey('checkout')]);
    expect(await admin.run('survey', 'pause', 'checkout', 'chekout', '--project', id)).toEqual(
      failed(1, `There is no survey chekout in project ${id}. Did you mean checkout?`),
    );
    expect(slugs(await served())).toEqual(['checkout']);
  });
});
