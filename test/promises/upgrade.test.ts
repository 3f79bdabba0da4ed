/**
 * An upgrade and its rollback over one table: what either version of the service wrote, rows of every type, the other
 * reads as its writer does, and goes on with.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tombstoneItem } from '../../shared/data/privacy/tombstone-item.ts';
import { respondentOfPartition, scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import type { Project } from '../../shared/domain/project.ts';
import { type PurgeScope, sweepInput } from '../../shared/domain/purge.ts';
import { newRetention } from '../../shared/domain/retention.ts';
import { definitionOf, type Survey } from '../../shared/domain/surveys/survey.ts';
import { openTestStream, type StreamReader } from '../support/events/test-stream.ts';
import { aKey, anId, aProject, aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { providerAt } from '../support/fixtures/signed-in.ts';
import { scanAll } from '../support/scan-all.ts';
import { takeBackup } from '../support/service/restore-table.ts';
import { startRecount } from '../support/service/stepped-recount.ts';
import { createTestClock, type TestClock } from '../support/service/test-clock.ts';
import { createTestTable, type Item, type TestTable } from '../support/service/test-table.ts';
import { runPurge } from '../support/upgrade/run-purge.ts';
import { type RunningVersion, runVersion } from '../support/upgrade/versions.ts';

/** What was deployed last, recorded with `npm run upgrade:record`. */
const BEFORE = '043cd87';

interface Stage {
  readonly table: TestTable;
  readonly clock: TestClock;
  readonly stream: StreamReader;
}

interface Life {
  readonly project: Project;
  readonly key: string;
  readonly secretKey: string;
  readonly surveys: Readonly<Record<'nps' | 'helpful' | 'ended', Survey>>;
  /** Of a token that nobody has used yet. */
  readonly unused: string;
  readonly annsToken: string;
}

async function aStage(): Promise<Stage> {
  const table = await createTestTable();
  const stream = openTestStream(table);
  onTestFinished(() => stream.close());
  return { table, clock: createTestClock(), stream };
}

const succeeded = <T extends { status: number; text: string }>(reply: T): T => {
  expect([reply.status < 300, reply.text]).toEqual([true, reply.text]);
  return reply;
};

const oldestProject: Partial<Project> = { limits: NO_LIMITS };

/** Of the score adapter's run. */
const LEASE_MS = 60 * SECOND;
const leaseOf = ({ version, service }: RunningVersion, { id }: Project) =>
  version.createRunLease(version.table(service), scorePushJob(id));

const KEPT = { entries: [{ from: '2026-01-01T00:00:00.000Z', period: '13mo' }] };
const REASONS = { reasons: [{ code: 'slow', label: 'Too slow' }] };

/** Everything that a version writes in a life, rows of every type. */
async function live(running: RunningVersion, { clock, stream }: Stage, terms = oldestProject): Promise<Life> {
  const { version, service } = running;
  const project = aProject(terms);
  const { text: key, stored } = aKey('publishable', project.id);
  const { text: secretKey, stored: secret } = aKey('secret', project.id);
  const content = { trigger: 'manual', followUpQuestion: 'Why?' } as const;
  const surveys = {
    nps: aSurvey({ reasonCodes: ['slow'] }, { ...content, ...REASONS, slug: 'nps', type: 'nps' }),
    helpful: aSurvey({ repeat: 'observation' }, { ...content, slug: 'helpful', type: 'thumbs' }),
    ended: aSurvey({}, { ...content, slug: 'ended', type: 'csat' }),
  };
  const store = version.projects(service);
  await store.createProject(project, [stored, secret]);
  for (const survey of Object.values(surveys)) await store.createSurvey(project.id, survey);

  const call = async (...args: Parameters<RunningVersion['call']>) => succeeded(await running.call(...args));
  const tokensOf = async (userId: string) =>
    (await call('bootstrap', { body: { key, userId, types: 'nps,csat,ces,pmf,thumbs' } })).body.showTokens;
  const minted = async (respondentId: string, more = {}) =>
    (await call('mintTokens', { secretKey, body: { respondentId, sessionId: `s-${respondentId}`, ...more } }))
      .body.tokens;
  const answer = (survey: Survey, showToken: string, more = {}) =>
    call('submitResponse', { body: { key, surveyId: survey.id, showToken, rating: 1, ...more } });
  const { nps, helpful, ended } = surveys;

  const ann = await tokensOf('ann');
  await answer(nps, ann[nps.id], {
    rating: 9,
    text: 'Good',
    traits: { plan: 'pro' },
    followUpRequested: true,
  });
  const bob = await tokensOf('bob');
  await call('submitDismissal', { body: { key, surveyId: nps.id, showToken: bob[nps.id], userId: 'bob' } });
  await answer(ended, bob[ended.id], { rating: 3 });
  const cy = await tokensOf('cy');
  await call('submitImpression', { body: { key, surveyId: nps.id, showToken: cy[nps.id] } });
  const dora = await minted('dora');
  await answer(nps, dora[nps.id], { rating: 2, sessionId: 's-dora', reasons: ['slow'] });
  clock.advance(SECOND);
  const change = {
    key,
    surveyId: nps.id,
    showToken: dora[nps.id],
    sessionId: 's-dora',
    revision: 1,
    rating: 4,
    text: 'Better',
    reasons: ['slow'],
  };
  await call('reviseResponse', { body: change });
  const turn = { traceId: 't-1', observationId: 'o-1' };
  const fay = await minted('fay', turn);
  await answer(helpful, fay[helpful.id], { sessionId: 's-fay', ...turn });
  const eve = await minted('eve');
  const { body: eves } = await answer(nps, eve[nps.id], { rating: 10, sessionId: 's-eve' });
  await call('ackScores', {
    secretKey,
    body: { results: [{ id: eves.id, state: 'delivered', revision: 0 }] },
  });
  await running.deliver(await stream.read());
  clock.advance(SECOND);
  await leaseOf(running, project).acquire('a run', clock.now(), clock.now() + LEASE_MS, { deletes: true });
  await call('erase', { secretKey, query: { respondentId: 'eve' } });

  // Of a version that notes who changes surveys; others pass the note over.
  const record = await store.read(project.id);
  const paused = { created: [], updated: [{ ...surveys.ended, status: 'paused' as const }] };
  const note = { source: 'console', by: 'ann@example.com', at: project.createdAt } as const;
  const told = [{ slug: 'ended', action: 'updated', fields: ['status'] }] as const;
  const noted = { note, surveys: told, isReordered: false };
  expect(await version.surveys(service).write(project.id, paused, record?.surveysVersion, noted)).toBe(true);
  const sealed = { id: anId(), createdAt: project.createdAt, sealed: 'sealed' };
  expect(await version.identitySecrets(service).add(project.id, sealed)).toBe('added');
  await version.foldRequests(service).ask(project.id, 'gus', clock.now());
  await version.purges(service).open({ projectId: project.id, surveyId: ended.id }, clock.now());
  await running.deliver(await stream.read());
  clock.advance(SECOND);
  const unused = (await tokensOf('hal'))[nps.id];
  return { project, key, secretKey, surveys, unused, annsToken: ann[nps.id] };
}

/** What a version makes of it, by everything that reads. */
async function look(running: RunningVersion, { clock }: Stage, { project, key, secretKey }: Life) {
  const { version, service } = running;
  const read = async (...args: Parameters<RunningVersion['call']>) =>
    succeeded(await running.call(...args)).body;
  const erased = [];
  for await (const each of version.erasureLog(service).since(clock.now() - DAY, clock.now()))
    erased.push(each);
  const boot = async (userId: string) => {
    const { showTokens, ...others } = await read('bootstrap', { body: { key, userId, types: 'nps,thumbs' } });
    return { ...others, issued: Object.keys(showTokens).sort() };
  };
  return {
    project: await version.projects(service).read(project.id),
    listed: (await version.projects(service).list()).map(({ id }) => id),
    surveys: await read('listSurveys', { secretKey }),
    exported: await read('exportResponses', { secretKey }),
    results: await read('getResults', { secretKey, query: { surveySlug: 'nps' } }),
    comments: await read('listComments', { secretKey, query: { surveySlug: 'nps' } }),
    scores: await read('listPendingScores', { secretKey, query: { includeWithdrawn: 'true' } }),
    people: await Promise.all(['ann', 'cy', 'eve'].map(boot)),
    purges: await version.purgeRecords(service).list(project.id),
    withdrawn: await version.withdrawals(service).waiting(project.id),
    erased,
  };
}

/** Where the newer of two views lacks, or has otherwise, what the older has. */
function differences(older: unknown, newer: unknown, at = ''): string[] {
  if (typeof older !== 'object' || older === null)
    return Object.is(older, newer) ? [] : [`${at}: ${JSON.stringify(older)} became ${JSON.stringify(newer)}`];
  if (older instanceof Map) return differences([...older], newer instanceof Map ? [...newer] : newer, at);
  return Object.entries(older).flatMap(([name, each]) =>
    differences(each, Object(newer)[name], `${at}.${name}`),
  );
}

/** Of the data model's table of items. */
const TYPES = (/\n\| `type`[\s\S]*?\n\n/.exec(readFileSync('docs/data-model.md', 'utf8'))?.[0] ?? '')
  .split('\n')
  .slice(3)
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, type = '']) => type))
  // How far sweeps are, and drafts: the release before has none, and they are soon over.
  .filter((type) => !['contact-sweep', 'expiry-sweep', 'expiry-told', 'draft'].includes(type))
  .sort();

/** Types of rows that the version before does not write. */
const SINCE = ['survey-change'];

/** What is purged of a project, given the partition of a person's answers. */
const PURGES: Readonly<Record<string, (life: Life, partition: string) => Partial<PurgeScope>>> = {
  'a project': () => ({}),
  'a survey': ({ surveys }) => ({ surveyId: surveys.nps.id }),
  'a person': (_, partition) => ({ respondentHash: respondentOfPartition(partition)?.respondentHash }),
};

/** What no purge takes, since nobody answered it: how far it is, and who runs the project's score adapter. */
const STAYS = ['purge', 'run-lease'];

/** Whether a row of the project is one that the purge of a scope takes. */
function isPurged({ type, pk, surveyId }: Item, scope: PurgeScope): boolean {
  if (scope.respondentHash !== undefined)
    return type === 'response' && String(pk).includes(scope.respondentHash);
  if (scope.surveyId !== undefined) return surveyId === scope.surveyId && !STAYS.includes(type);
  return !STAYS.includes(type);
}

const DIRECTIONS = [
  ['an upgrade', BEFORE, undefined],
  ['a rollback', undefined, BEFORE],
] as const;

describe.each(DIRECTIONS)('%s', (_what, from, to) => {
  const isRollback = from === undefined;

  it('reads what the other version wrote, rows of every type, as that one does', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const life = await live(writer, stage);
    const rows = await takeBackup(stage.table);
    const known = isRollback ? TYPES : TYPES.filter((type) => !SINCE.includes(type));
    expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(known);
    const reader = await runVersion(stage.table, stage.clock, to);
    // The writer remembers settings for half a minute; another instance of it sees what there is.
    const again = await runVersion(stage.table, stage.clock, from);
    const [written, read] = [await look(again, stage, life), await look(reader, stage, life)];
    const [older, newer] = isRollback ? [read, written] : [written, read];
    expect(differences(older, newer)).toEqual([]);
    expect(reader.errors).toEqual([]);
  });

  it('goes on with it: tokens, answers, scores, erasures, counts, leases and secrets', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const life = await live(writer, stage);
    const { project, key, secretKey, surveys, unused, annsToken } = life;
    const { id: surveyId } = surveys.nps;
    const heir = await runVersion(stage.table, stage.clock, to);
    const call = async (...args: Parameters<RunningVersion['call']>) =>
      succeeded(await heir.call(...args)).body;

    await call('submitResponse', { body: { key, surveyId, showToken: unused, rating: 5 } });
    const used = { key, surveyId, showToken: unused, rating: 5 };
    expect((await heir.call('submitResponse', { body: used })).status).toBe(409);
    await call('reviseResponse', { body: { key, surveyId, showToken: annsToken, revision: 1, rating: 7 } });
    const { scores } = await call('listPendingScores', { secretKey });
    const results = scores.map(({ id, revision = 0 }: { id: string; revision?: number }) => ({
      id,
      state: 'delivered',
      revision,
    }));
    expect(await call('ackScores', { secretKey, body: { results } })).toEqual({ ok: true, updated: 2 });
    await call('erase', { secretKey, query: { respondentId: 'bob' } });
    const records = await stage.stream.read();
    await heir.deliver(records);
    const counted = await call('getResults', { secretKey, query: { surveySlug: 'nps' } });
    expect(counted).toMatchObject({ survey: { slug: 'nps' }, responses: 3 });
    // A batch whose acknowledgement was lost comes again, to a function that is of the other version still.
    await writer.deliver(records);
    expect(await call('getResults', { secretKey, query: { surveySlug: 'nps' } })).toEqual(counted);

    const acquire = () =>
      leaseOf(heir, project).acquire('another', stage.clock.now(), stage.clock.now() + LEASE_MS);
    expect(await acquire()).toBeUndefined();
    stage.clock.advance(LEASE_MS);
    expect(await acquire()).toEqual({});
    const { identitySecrets } = heir.version;
    const sealed = () => ({ id: anId(), createdAt: project.createdAt, sealed: 'sealed' });
    expect(await identitySecrets(heir.service).add(project.id, sealed())).toBe('added');
    expect(await identitySecrets(heir.service).add(project.id, sealed())).toBe('both slots are taken');
    expect(heir.errors).toEqual([]);
  });

  it.each(Object.keys(PURGES))(
    'ends a purge that is under way, and is taken back meanwhile: %s',
    async (what) => {
      const stage = await aStage();
      const starter = await runVersion(stage.table, stage.clock, from);
      const life = await live(starter, stage);
      const other = await runVersion(stage.table, stage.clock, to);
      const neighbour = await live(starter, stage);
      const rowsOf = async ({ project }: Life) =>
        (await takeBackup(stage.table)).filter(({ pk }) => String(pk).includes(project.id));
      const untouched = await rowsOf(neighbour);
      const annsRow = (await rowsOf(life)).find(({ type, rating }) => type === 'response' && rating === 9);
      const scope = { projectId: life.project.id, ...PURGES[what]?.(life, String(annsRow?.pk)) };
      await starter.version.purges(starter.service).open(scope, stage.clock.now());

      // Each call is of another version than the one before.
      let calls = 0;
      const steps = await runPurge(starter, scope, () => (calls++ % 2 === 0 ? starter : other));
      expect(new Set(steps)).toEqual(new Set(['Begin', 'SweepShard', 'Verify', 'Finish']));

      const left = (await rowsOf(life)).filter((row) => isPurged(row, scope));
      expect(left).toEqual([]);
      expect(await rowsOf(neighbour)).toEqual(untouched);
      const records = await Promise.all(
        [starter, other].map(async ({ version, service }) => {
          const all = await version.purgeRecords(service).list(scope.projectId);
          return all.filter(
            ({ surveyId, respondentHash }) =>
              surveyId === scope.surveyId && respondentHash === scope.respondentHash,
          );
        }),
      );
      expect(records[0]).toMatchObject([{ state: 'done', attempt: 1 }]);
      expect(records[1]).toEqual(records[0]);
      expect(records[0]?.[0]?.deleted.responses).toBeGreaterThan(0);
      expect([...starter.errors, ...other.errors]).toEqual([]);
    },
  );
});

it('the nightly sweep of expired answers is none of a purge to the version before, whichever machine starts it', async () => {
  const stage = await aStage();
  const [before, now] = [
    await runVersion(stage.table, stage.clock, BEFORE),
    await runVersion(stage.table, stage.clock),
  ];
  const { project } = await live(now, stage);
  const rows = await takeBackup(stage.table);
  const input = sweepInput(stage.clock.now(), [project.id]);
  // Rolled back: the schedule of the version after may come once more; or amid an upgrade, to its functions.
  for (const [machine, functions] of [
    [before, before],
    [before, now],
    [now, before],
  ] as const) {
    await expect(runPurge(machine, input, () => functions)).rejects.toThrow();
  }
  expect(await takeBackup(stage.table)).toEqual(rows);
  expect(await runPurge(now, input, () => now)).toEqual(['Expire', 'Expire', 'Expire']);
});

describe('what the answers of a segment’s value said', () => {
  const ofNobodyKnown = async (running: RunningVersion, { secretKey }: Life) => {
    const query = { surveySlug: 'nps', segment: 'identityKind', value: 'null' };
    const { body } = succeeded(await running.call('getResults', { secretKey, query }));
    const { responses, comments, followUpsRequested } = body;
    return { responses, comments, followUpsRequested };
  };
  const answerAs = async (running: RunningVersion, stage: Stage, { key, surveys }: Life, userId: string) => {
    const call = async (...args: Parameters<RunningVersion['call']>) =>
      succeeded(await running.call(...args));
    const { body } = await call('bootstrap', { body: { key, userId, types: 'nps' } });
    const showToken = body.showTokens[surveys.nps.id];
    const answer = { key, surveyId: surveys.nps.id, showToken, rating: 9, text: 'Words' };
    await call('submitResponse', { body: answer });
    await running.deliver(await stage.stream.read());
  };

  it('is unknown of days on which the version before counted until a recount, and known of later ones until a rollback', async () => {
    const stage = await aStage();
    const before = await runVersion(stage.table, stage.clock, BEFORE);
    const life = await live(before, stage);
    const now = await runVersion(stage.table, stage.clock);
    const unknown = { comments: null, followUpsRequested: null };
    const { responses } = await ofNobodyKnown(now, life);
    expect(await ofNobodyKnown(now, life)).toEqual({ responses, ...unknown });
    // What the version before counted is taken away, and the day stays unknown.
    succeeded(await now.call('erase', { secretKey: life.secretKey, query: { respondentId: 'ann' } }));
    await now.deliver(await stage.stream.read());
    expect(await ofNobodyKnown(now, life)).toEqual({ responses: responses - 1, ...unknown });

    const fresh = await live(now, stage);
    const counted = await ofNobodyKnown(now, fresh);
    expect(counted.comments).toBeGreaterThan(0);
    await answerAs(now, stage, fresh, 'jo');
    const more = { ...counted, responses: counted.responses + 1, comments: counted.comments + 1 };
    expect(await ofNobodyKnown(now, fresh)).toEqual(more);
    await answerAs(before, stage, fresh, 'kim');
    expect(await ofNobodyKnown(now, fresh)).toEqual({ responses: more.responses + 1, ...unknown });

    // A recount reads it from the rows, those of the version before too.
    for (const { project } of [life, fresh]) {
      const ended = await startRecount(stage, ['--all', '--project', project.id]).end();
      expect(ended).toMatchObject({ status: 0, stderr: '' });
    }
    stage.clock.advance(MINUTE);
    const all = { ...more, responses: more.responses + 1, comments: more.comments + 1 };
    expect(await ofNobodyKnown(now, fresh)).toEqual(all);
    const { comments } = await ofNobodyKnown(now, life);
    expect(comments).toEqual(expect.any(Number));
    expect([...before.errors, ...now.errors]).toEqual([]);
  });
});

it('reasons are counted as long as they are those of the revision: what a rollback revises has none', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const life = await live(now, stage);
  const { key, secretKey, surveys } = life;
  const call = async (running: RunningVersion, ...args: Parameters<RunningVersion['call']>) =>
    succeeded(await running.call(...args)).body;
  const told = async () => {
    await now.deliver(await stage.stream.read());
    const query = { surveySlug: 'nps' };
    const { reasons } = await call(now, 'getResults', { secretKey, query });
    const { responses } = await call(now, 'exportResponses', { secretKey, query });
    return [reasons[0]?.count, responses.filter(({ reasons }: { reasons: unknown }) => reasons).length];
  };
  expect(await told()).toEqual([1, 1]);
  const { showTokens } = await call(now, 'bootstrap', { body: { key, userId: 'jo', types: 'nps' } });
  const answer = { key, surveyId: surveys.nps.id, showToken: showTokens[surveys.nps.id] };
  await call(now, 'submitResponse', { body: { ...answer, rating: 3, reasons: ['slow'] } });
  expect(await told()).toEqual([2, 2]);
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  await call(before, 'reviseResponse', { body: { ...answer, revision: 1, rating: 2 } });
  expect(await told()).toEqual([1, 1]);
  await call(now, 'reviseResponse', { body: { ...answer, revision: 2, rating: 1, reasons: ['slow'] } });
  expect(await told()).toEqual([2, 2]);
  await call(now, 'erase', { secretKey, query: { respondentId: 'jo' } });
  expect(await told()).toEqual([1, 1]);
  expect([...before.errors, ...now.errors]).toEqual([]);
});

const CONSOLE = {
  consoleProvider: providerAt('https://issuer.example/keys'),
  consoleViewers: ['group:research'],
  consoleEditors: ['*@example.com'],
  consoleGroupsClaim: 'roles',
  consoleComments: 'all',
} as const satisfies Partial<Project>;

it('settings that only this version knows are kept over a rollback, and are no concern of the one before', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const terms: Partial<Project> = {
    ...oldestProject,
    rates: { publishable: 0, secret: 0, genuine: 7, genuineAddress: 3 },
    typesUnlessSaid: 'first-four',
    linkLifetimeMs: 5 * SECOND,
    displayName: 'Corner shop',
    accent: '#00aa77',
    redact: true,
    smallestCell: 5,
    retention: KEPT,
    ...CONSOLE,
  };
  const { project, key } = await live(now, stage, terms);
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  succeeded(await before.call('bootstrap', { body: { key, userId: 'ida' } }));
  await before.version.projects(before.service).updateProject(project.id, { name: 'Renamed' });
  await before.version.projects(before.service).updateProject(project.id, { rates: { publishable: 9 } });
  const record = await now.version.projects(now.service).read(project.id);
  expect(record?.project).toMatchObject({
    name: 'Renamed',
    rates: { publishable: 9, genuine: 7, genuineAddress: 3 },
    typesUnlessSaid: 'first-four',
    linkLifetimeMs: 5 * SECOND,
    displayName: 'Corner shop',
    accent: '#00aa77',
    redact: true,
    smallestCell: 5,
    retention: KEPT,
    ...CONSOLE,
  });
});

it('who asked to be contacted is listed after a sweep; a rollback reads it, its revisions, and keys with new scopes', async () => {
  const stage = await aStage();
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  const { project, key, surveys, annsToken, secretKey } = await live(before, stage);
  const now = await runVersion(stage.table, stage.clock);
  const colleague = aKey('secret', project.id, { scopes: ['comments', 'contacts'] });
  const editor = aKey('editor', project.id, { scopes: ['results', 'contacts'] });
  for (const { stored } of [colleague, editor])
    await now.version.projects(now.service).addKey(project.id, stored);
  const sweep = (more: object = {}) =>
    now.version.contactSweep(now.service).sweep(project.id, { now: stage.clock.now, ...more });
  const list = async () => {
    const query = { state: 'all' };
    return succeeded(await now.call('listContacts', { secretKey: colleague.text, query })).body.contacts;
  };

  expect(await list()).toEqual([]);
  expect(await sweep()).toMatchObject({ contacts: 1, changed: 1 });
  const [ann] = await list();
  expect(ann).toMatchObject({ respondentId: 'ann', handled: null });
  const body = { id: ann.id, handled: true, note: 'Called' };
  succeeded(await now.call('handleContact', { secretKey: editor.text, body }));

  const onProgress = () => {
    throw new Error('killed');
  };
  await expect(sweep({ onProgress })).rejects.toThrow('killed');

  const again = await runVersion(stage.table, stage.clock, BEFORE);
  const read = async (endpoint: 'listComments' | 'exportResponses', secret: string) =>
    succeeded(
      await again.call(endpoint, {
        secretKey: secret,
        ...(endpoint === 'listComments' && { query: { surveySlug: 'nps' } }),
      }),
    ).body;
  expect((await read('listComments', colleague.text)).comments).not.toEqual([]);
  expect((await read('exportResponses', secretKey)).responses).not.toEqual([]);
  expect((await list())[0].handled).toMatchObject({ note: 'Called' });
  const revised = { key, surveyId: surveys.nps.id, showToken: annsToken, rating: 7 };
  const wishing = { ...revised, revision: 1, followUpRequested: true };
  succeeded(await again.call('reviseResponse', { body: wishing }));

  expect(await list()).toMatchObject([{ id: ann.id, handled: null }]);
  // The one before ended early, and what it had looked at was changed since.
  expect(await sweep({ isAnew: true })).toMatchObject({ contacts: 1, changed: 1 });
  succeeded(await now.call('handleContact', { secretKey: colleague.text, body }));
  expect(await list()).toMatchObject([{ id: ann.id, handled: { note: 'Called' } }]);
  succeeded(await again.call('reviseResponse', { body: { ...revised, revision: 2 } }));
  expect(again.errors).toEqual([]);

  expect(await list()).toEqual([]);
  expect(await sweep()).toMatchObject({ contacts: 0, changed: 1 });
});

it('labels and channels: rows and segments of this version are read by the one before; its tokens are refused, and keep', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const { project, key, secretKey } = await live(now, stage);
  const segments = [{ name: 'model', from: 'label' as const, values: [{ text: 'a' }] }];
  const survey = aSurvey(
    { segments, repeat: 'session' },
    { slug: 'labelled', type: 'nps', trigger: 'manual' },
  );
  await now.version.projects(now.service).createSurvey(project.id, survey);
  stage.clock.advance(MINUTE);
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  const again = await runVersion(stage.table, stage.clock);
  const mint = async (running: RunningVersion, respondentId: string, more = {}) => {
    const body = { respondentId, sessionId: 's-1', surveySlug: 'labelled', ...more };
    return succeeded(await running.call('mintTokens', { secretKey, body })).body.tokens[survey.id];
  };
  const answer = (running: RunningVersion, showToken: string, more = {}) => {
    const body = { key, surveyId: survey.id, showToken, sessionId: 's-1', rating: 9, ...more };
    return running.call('submitResponse', { body });
  };
  const byModel = async () => {
    await again.deliver(await stage.stream.read());
    const query = { surveySlug: 'labelled', segment: 'model', value: 'a' };
    return succeeded(await again.call('getResults', { secretKey, query })).body.responses;
  };
  const labelled = { labels: { model: 'a' } };
  const [labelledToken, unused] = [await mint(again, 'ida', labelled), await mint(again, 'jim', labelled)];
  succeeded(await answer(again, labelledToken));
  expect(await byModel()).toBe(1);

  // A token without labels is that of ever; one with labels is refused, stores nothing, and is good once more.
  succeeded(await answer(before, await mint(again, 'kit')));
  const refused = await answer(before, unused);
  expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_token']);
  succeeded(await answer(before, await mint(before, 'lea', labelled)));
  succeeded(await before.call('exportResponses', { secretKey }));
  const { surveys } = (await before.call('listSurveys', { secretKey })).body;
  expect(surveys.find(({ id }: Item) => id === survey.id).segments).toEqual(['identityKind', 'label:model']);
  await before.deliver(await stage.stream.read());
  expect(await byModel()).toBe(1);

  succeeded(await answer(again, unused));
  expect(await byModel()).toBe(2);
  const { body } = succeeded(
    await again.call('exportResponses', { secretKey, query: { surveySlug: 'labelled' } }),
  );
  const labelsOf = body.responses.map(({ respondentId, labels }: Item) => [respondentId, labels]);
  expect(Object.fromEntries(labelsOf)).toEqual({
    ida: labelled.labels,
    jim: labelled.labels,
    kit: null,
    lea: null,
  });
  expect([...before.errors, ...now.errors, ...again.errors]).toEqual([]);
});

it('surveys of the console: a rollback serves, pauses and applies them, and who changed them last is not lost', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const { project, key, secretKey } = await live(now, stage);
  const editor = aKey('editor', project.id, { scopes: ['results', 'contacts', 'surveys'] });
  const server = aKey('secret', project.id, { scopes: ['results', 'surveys'] });
  for (const { stored } of [editor, server])
    await now.version.projects(now.service).addKey(project.id, stored);
  stage.clock.advance(3 * SECOND);
  const read = async () => succeeded(await now.call('listDefinitions', { secretKey: editor.text })).body;
  const made = [{ slug: 'made', type: 'nps', question: 'Q?' }];
  const body = { revision: (await read()).revision, surveys: made, order: ['made'] };
  succeeded(await now.call('putDefinitions', { secretKey: editor.text, body }));

  const before = await runVersion(stage.table, stage.clock, BEFORE);
  const served = async (running: RunningVersion) =>
    succeeded(await running.call('bootstrap', { body: { key, userId: 'ida' } })).body.surveys.map(
      ({ slug }: { slug: string }) => slug,
    );
  expect(await served(before)).toEqual(await served(now));
  for (const secret of [secretKey, server.text])
    succeeded(await before.call('listSurveys', { secretKey: secret }));
  const store = before.version.projects(before.service);
  const record = await store.read(project.id);
  const survey = record?.surveys.find(({ content }) => content.slug === 'made') ?? aSurvey();
  const changes = { created: [], updated: [{ ...survey, status: 'paused' as const }] };
  expect(
    await before.version.surveys(before.service).write(project.id, changes, record?.surveysVersion),
  ).toBe(true);
  expect(before.errors).toEqual([]);

  stage.clock.advance(31 * SECOND);
  const { revision, surveys, order, lastChanges } = await read();
  expect(revision).toBe((record?.surveysVersion ?? 0) + 1);
  expect(order[0]).toBe('made');
  expect(surveys[0]).toMatchObject({ slug: 'made', status: 'paused' });
  expect(lastChanges.made).toMatchObject({ source: 'console', changedBy: editor.stored.id });
});

it('drafts that are tried: the one before passes them over, and its reply is taken for no preview', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const { project, key, surveys } = await live(now, stage);
  const id = '0'.repeat(32);
  const draft = definitionOf({ ...surveys.nps, id: 'preview' });
  await now.version.drafts(now.service).put(project.id, id, draft, stage.clock.now() + MINUTE);
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  const { body } = succeeded(
    await before.call('bootstrap', { body: { key, preview: 'of the next release' } }),
  );
  expect(Object.keys(body)).toEqual(['surveys', 'suppression']);
  await before.deliver(await stage.stream.read());
  expect(await now.version.drafts(now.service).read(project.id, id, stage.clock.now())).toMatchObject({
    slug: 'nps',
  });
  expect([...before.errors, ...now.errors]).toEqual([]);
});

it('surveys with pages or an event: to the one before they are paused, and what it makes of them holds', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const { project, key } = await live(now, stage);
  const conditional = {
    paged: aSurvey({}, { slug: 'paged', pages: ['/orders/**'] }),
    awaited: aSurvey({}, { slug: 'awaited', on: { event: 'order-paid', after: '2s', times: 3 } }),
    drafted: aSurvey({ status: 'draft' }, { slug: 'drafted', pages: ['/'] }),
  };
  for (const survey of Object.values(conditional))
    await now.version.projects(now.service).createSurvey(project.id, survey);
  const before = await runVersion(stage.table, stage.clock, BEFORE);
  const served = async (running: RunningVersion) => {
    stage.clock.advance(31 * SECOND);
    const body = { key, userId: 'ida', types: 'thumbs,pages,events' };
    const { surveys } = succeeded(await running.call('bootstrap', { body })).body;
    return surveys.map(({ slug }: { slug: string }) => slug).filter((slug: string) => slug in conditional);
  };
  const statusIn = async ({ version, service }: RunningVersion, slug: string) => {
    const record = await version.projects(service).read(project.id);
    return record?.surveys.find(({ content }) => content.slug === slug)?.status;
  };
  const write = async ({ version, service }: RunningVersion, slug: string, more: Partial<Survey>) => {
    const record = await version.projects(service).read(project.id);
    const survey = record?.surveys.find(({ content }) => content.slug === slug) ?? aSurvey();
    const changes = { created: [], updated: [{ ...survey, ...more }] };
    expect(await version.surveys(service).write(project.id, changes, record?.surveysVersion)).toBe(true);
  };

  expect(await served(now)).toEqual(expect.arrayContaining(['paged', 'awaited']));
  expect(await served(before)).toEqual([]);
  expect([await statusIn(before, 'paged'), await statusIn(before, 'drafted')]).toEqual(['paused', 'draft']);

  // Without pages it is a survey as the one before knows them.
  const { pages: _, ...everywhere } = conditional.paged.content;
  await write(before, 'paged', { content: everywhere, status: 'paused' });
  await write(before, 'awaited', { status: 'archived' });
  await write(before, 'drafted', { status: 'active' });
  expect(await served(now)).toEqual(['drafted']);
  expect([await statusIn(now, 'paged'), await statusIn(now, 'awaited')]).toEqual(['paused', 'archived']);

  await write(now, 'awaited', { status: 'active' });
  expect([await statusIn(now, 'awaited'), await statusIn(before, 'awaited')]).toEqual(['active', 'paused']);
  await write(now, 'awaited', { status: 'paused' });
  expect([await statusIn(now, 'awaited'), await statusIn(before, 'awaited')]).toEqual(['paused', 'paused']);
  await write(now, 'awaited', {
    status: 'active',
    content: { ...conditional.awaited.content, on: undefined },
  });
  expect(await statusIn(before, 'awaited')).toBe('active');
  expect([...before.errors, ...now.errors]).toEqual([]);
});

it('answers that are gone: the one before reads their tombstones and takes nothing off results when those go', async () => {
  const stage = await aStage();
  const now = await runVersion(stage.table, stage.clock);
  const retention = newRetention('35d', stage.clock.now());
  const { key, secretKey, surveys, project } = await live(now, stage, { ...oldestProject, retention });
  /** Stamped with the test's clock: the embedded DynamoDB stamps the machine's. */
  const changes = async () => {
    const records = await stage.stream.read();
    const seconds = Math.floor(stage.clock.now() / SECOND);
    for (const { dynamodb } of records)
      if (dynamodb !== undefined) dynamodb.ApproximateCreationDateTime = seconds;
    return records;
  };
  const counted = async (running: RunningVersion) => {
    stage.clock.advance(31 * SECOND);
    const query = { surveyId: surveys.nps.id, from: '2026-11-01' };
    return succeeded(await running.call('getResults', { secretKey, query })).body.responses;
  };
  await now.deliver(await changes());
  const before = await counted(now);
  expect(before).toBeGreaterThan(0);

  stage.clock.advance(40 * DAY);
  const { table } = stage.table;
  const rows = await scanAll(stage.table, project.id);
  const ended = rows.filter(({ type }) => type === 'response' || type === 'dismissal');
  for (const row of ended) await table.put(tombstoneItem(row, stage.clock.now()));
  await now.deliver(await changes());
  expect(await counted(now)).toBe(before);
  const recounted = await startRecount(stage, ['--all', '--project', project.id]).end();
  expect(recounted).toMatchObject({ status: 0, stderr: '' });
  expect(await counted(now)).toBe(before);

  const older = await runVersion(stage.table, stage.clock, BEFORE);
  expect(await counted(older)).toBe(before);
  const { body } = succeeded(await older.call('exportResponses', { secretKey }));
  expect([body.responses, body.dismissals]).toEqual([[], []]);
  for (const { pk, sk } of ended) await table.delete({ pk, sk });
  await older.deliver(await changes());
  expect(await counted(older)).toBe(before);
  succeeded(await older.call('bootstrap', { body: { key, userId: 'ida' } }));

  const again = await runVersion(stage.table, stage.clock);
  expect(await counted(again)).toBe(before);
  const { completeFrom } = (await again.call('getResults', { secretKey, query: { surveySlug: 'nps' } })).body;
  expect(completeFrom).toBe('2026-11-25');
  expect([...older.errors, ...now.errors, ...again.errors]).toEqual([]);
});
