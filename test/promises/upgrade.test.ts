/** Upgrades and rolls back over one table: each release reads and continues the rows that the other wrote. */

import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { respondentOfPartition, scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { DEFAULT_RATES, type Project } from '../../shared/domain/project.ts';
import { type PurgeScope, sweepInput } from '../../shared/domain/purge.ts';
import { newRetention } from '../../shared/domain/retention.ts';
import { definitionOf, type Survey, type SurveyQuestion } from '../../shared/domain/surveys/survey.ts';
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

/** The release is recorded with `npm run upgrade:record`. */
const BEFORE = '4ba5c62c';

interface Stage {
  readonly table: TestTable;
  readonly clock: TestClock;
  readonly stream: StreamReader;
}

interface Life {
  readonly project: Project;
  readonly key: string;
  readonly secretKey: string;
  readonly editorKey: string;
  readonly draftId: string;
  readonly surveys: Readonly<Record<'nps' | 'helpful' | 'ended' | 'paged' | 'awaited', Survey>>;
  readonly unused: string;
  readonly unusedLabelled: string;
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

const SETTINGS: Partial<Project> = {
  limits: NO_LIMITS,
  rates: { ...DEFAULT_RATES, genuine: 70, genuineAddress: 30 },
  typesUnlessSaid: 'first-four',
  linkLifetimeMs: 5 * SECOND,
  displayName: 'Corner shop',
  accent: '#00aa77',
  redact: true,
  smallestCell: 5,
  retention: { entries: [{ from: '2026-01-01T00:00:00.000Z', period: '13mo' }] },
  consoleProvider: providerAt('https://issuer.example/keys'),
  consoleViewers: ['group:research'],
  consoleEditors: ['*@example.com'],
  consoleGroupsClaim: 'roles',
  consoleComments: 'all',
};

const LEASE_MS = 60 * SECOND;
const leaseOf = ({ version, service }: RunningVersion, { id }: Project) =>
  version.createRunLease(version.table(service), scorePushJob(id));

const REASONS = { reasons: [{ code: 'slow', label: 'Too slow' }] };

async function live(
  running: RunningVersion,
  { clock, stream }: Stage,
  terms: Partial<Project> = {},
): Promise<Life> {
  const { version, service } = running;
  const project = aProject({ ...SETTINGS, ...terms });
  const { text: key, stored } = aKey('publishable', project.id);
  const { text: secretKey, stored: secret } = aKey('secret', project.id);
  const editorScopes = ['results', 'comments', 'contacts', 'surveys'] as const;
  const { text: editorKey, stored: editor } = aKey('editor', project.id, { scopes: editorScopes });
  const content = { trigger: 'manual', followUpQuestion: 'Why?' } as const;
  const segments = [{ name: 'model', from: 'label' as const, values: [{ text: 'a' }] }];
  const surveys = {
    nps: aSurvey({ reasonCodes: ['slow'], segments }, { ...content, ...REASONS, slug: 'nps', type: 'nps' }),
    helpful: aSurvey({ repeat: 'observation' }, { ...content, slug: 'helpful', type: 'thumbs' }),
    ended: aSurvey({}, { ...content, slug: 'ended', type: 'csat' }),
    paged: aSurvey({}, { slug: 'paged', pages: ['/orders/**'] }),
    awaited: aSurvey({}, { slug: 'awaited', on: { event: 'order-paid', after: '2s', times: 3 } }),
  };
  const store = version.projects(service);
  await store.createProject(project, [stored, secret, editor]);
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
  const { contacts } = (await call('listContacts', { secretKey: editorKey })).body;
  const handled = { id: contacts[0].id, handled: true, note: 'Called' };
  await call('handleContact', { secretKey: editorKey, body: handled });
  const bob = await tokensOf('bob');
  await call('submitDismissal', { body: { key, surveyId: nps.id, showToken: bob[nps.id], userId: 'bob' } });
  await answer(ended, bob[ended.id], { rating: 3 });
  const cy = await tokensOf('cy');
  await call('submitImpression', { body: { key, surveyId: nps.id, showToken: cy[nps.id] } });
  const labels = { model: 'a' };
  const dora = await minted('dora', { labels });
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
  const draftId = '0'.repeat(32);
  const draft = definitionOf({ ...nps, id: 'preview' });
  await version.drafts(service).put(project.id, draftId, draft, clock.now() + DAY);
  const onProgress = () => {
    throw new Error('killed');
  };
  const sweep = version.contactSweep(service).sweep(project.id, { now: clock.now, onProgress });
  await expect(sweep).rejects.toThrow('killed');
  const unused = (await tokensOf('hal'))[nps.id];
  const unusedLabelled = (await minted('ida', { labels }))[nps.id];
  const keys = { key, secretKey, editorKey };
  return { project, ...keys, draftId, surveys, unused, unusedLabelled, annsToken: ann[nps.id] };
}

const OF_MODEL = { surveySlug: 'nps', segment: 'model', value: 'a' };

async function look(running: RunningVersion, { clock }: Stage, life: Life) {
  const { project, key, secretKey, editorKey, draftId } = life;
  const { version, service } = running;
  const read = async (...args: Parameters<RunningVersion['call']>) =>
    succeeded(await running.call(...args)).body;
  const erased = [];
  for await (const each of version.erasureLog(service).since(clock.now() - DAY, clock.now()))
    erased.push(each);
  const boot = async (userId: string) => {
    const body = { key, userId, types: 'nps,thumbs,pages,events' };
    const { showTokens, ...others } = await read('bootstrap', { body });
    return { ...others, issued: Object.keys(showTokens).sort() };
  };
  return {
    project: await version.projects(service).read(project.id),
    listed: (await version.projects(service).list()).map(({ id }) => id),
    surveys: await read('listSurveys', { secretKey }),
    exported: await read('exportResponses', { secretKey }),
    results: await read('getResults', { secretKey, query: { surveySlug: 'nps' } }),
    ofModel: await read('getResults', { secretKey, query: OF_MODEL }),
    definitions: await read('listDefinitions', { secretKey: editorKey }),
    contacts: await read('listContacts', { secretKey: editorKey, query: { state: 'all' } }),
    draft: await version.drafts(service).read(project.id, draftId, clock.now()),
    comments: await read('listComments', { secretKey, query: { surveySlug: 'nps' } }),
    scores: await read('listPendingScores', { secretKey, query: { includeWithdrawn: 'true' } }),
    people: await Promise.all(['ann', 'cy', 'eve'].map(boot)),
    purges: await version.purgeRecords(service).list(project.id),
    withdrawn: await version.withdrawals(service).waiting(project.id),
    erased,
  };
}

/** Intervals of older releases may lack the score itself. */
function widened(each: unknown): unknown {
  const { value, low, high } = Object(each);
  if (low === undefined) return each;
  return { ...Object(each), low: Math.min(low, value), high: Math.max(high, value) };
}

function differences(older: unknown, newer: unknown, at = ''): string[] {
  if (typeof older !== 'object' || older === null)
    return Object.is(older, newer) ? [] : [`${at}: ${JSON.stringify(older)} became ${JSON.stringify(newer)}`];
  if (older instanceof Map) return differences([...older], newer instanceof Map ? [...newer] : newer, at);
  return Object.entries(older).flatMap(([name, each]) =>
    differences(widened(each), widened(Object(newer)[name]), `${at}.${name}`),
  );
}

const TYPES = (/\n\| `type`[\s\S]*?\n\n/.exec(readFileSync('docs/data-model.md', 'utf8'))?.[0] ?? '')
  .split('\n')
  .slice(3)
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, type = '']) => type))
  // The sweep of expired answers, tested below, writes these.
  .filter((type) => !['expiry-sweep', 'expiry-told'].includes(type))
  .sort();

const PURGES: Readonly<Record<string, (life: Life, partition: string) => Partial<PurgeScope>>> = {
  'a project': () => ({}),
  'a survey': ({ surveys }) => ({ surveyId: surveys.nps.id }),
  'a person': (_, partition) => ({ respondentHash: respondentOfPartition(partition)?.respondentHash }),
};

/** No purge deletes its own progress or the lease of the score adapter. */
const STAYS = ['purge', 'run-lease'];

function isPurged({ type, pk, surveyId }: Item, scope: PurgeScope): boolean {
  if (scope.respondentHash !== undefined)
    return type === 'response' && String(pk).includes(scope.respondentHash);
  if (scope.surveyId !== undefined) return surveyId === scope.surveyId && !STAYS.includes(type);
  return !STAYS.includes(type);
}

it('keeps texts by rating while an older release serves and edits the survey', async () => {
  const stage = await aStage();
  const [newer, older] = [
    await runVersion(stage.table, stage.clock, undefined),
    await runVersion(stage.table, stage.clock, BEFORE),
  ];
  const { project, key } = await live(older, stage);
  const readIn = async ({ version, service }: RunningVersion) => {
    const record = await version.projects(service).read(project.id);
    const survey = record?.surveys.find(({ content }) => content.slug === 'by-rating');
    if (survey === undefined) throw new Error('the survey is there');
    return { survey, revision: record?.surveysVersion };
  };
  const rated = { ratings: [9, 10], text: 'Review us?' };
  const followUps = [{ ratings: [0], question: 'What went wrong?' }];
  const locales = { de: { question: 'Wie?', followUps: [{ ratings: [0], question: 'Was?' }] } };
  const own = { followUps, thanks: [rated, { text: 'Thanks.' }], locales };
  const survey = aSurvey({}, { slug: 'by-rating', ...own });
  const { version, service } = newer;
  const revision = (await version.projects(service).read(project.id))?.surveysVersion;
  expect(await version.surveys(service).write(project.id, { created: [survey], updated: [] }, revision)).toBe(
    true,
  );

  // Settings are cached.
  stage.clock.advance(31 * SECOND);
  const served = succeeded(await older.call('bootstrap', { body: { key, userId: 'zoe' } })).body.surveys;
  const seen = served.find(({ slug }: { slug: string }) => slug === 'by-rating');
  expect(seen).toMatchObject({ thanks: { text: 'Thanks.' }, locales: { de: { question: 'Wie?' } } });
  expect(JSON.stringify(seen)).not.toMatch(/followUps|ratings/);

  const read = await readIn(older);
  const content = { ...read.survey.content, question: 'How now?', thanks: { text: 'Ta.' } };
  const updated = [{ ...read.survey, content }];
  expect(
    await older.version.surveys(older.service).write(project.id, { created: [], updated }, read.revision),
  ).toBe(true);
  const again = await runVersion(stage.table, stage.clock, undefined);
  expect((await readIn(again)).survey.content).toMatchObject({
    ...{ question: 'How now?', followUps, thanks: [rated, { text: 'Ta.' }], locales },
  });
  expect([...newer.errors, ...older.errors, ...again.errors]).toEqual([]);
});

it('keeps new types, triggers and questions, and their answers, while an older release serves and edits', async () => {
  const stage = await aStage();
  const older = await runVersion(stage.table, stage.clock, BEFORE);
  const newer = await runVersion(stage.table, stage.clock);
  const { project, key, secretKey, editorKey } = await live(older, stage);
  const locales = { de: { question: 'Warum?', choices: { price: 'Zu teuer' } } };
  const why = aSurvey({}, { slug: 'why', type: 'choice', locales, shuffle: true });
  const words = aSurvey({}, { slug: 'words', type: 'open' });
  const feedback = aSurvey({}, { slug: 'feedback', type: 'nps', trigger: 'person', pages: ['/**'] });
  const revision = (await newer.version.projects(newer.service).read(project.id))?.surveysVersion;
  const use = { id: 'use', kind: 'one', text: 'What for?', choices: REASONS.reasons } as const;
  const questions: SurveyQuestion[] = [use, { id: 'more', kind: 'text', text: 'Anything else?' }];
  const translated = { de: { question: 'Wie?', questions: { use: { text: 'Wofür?' } } } };
  const further = aSurvey({}, { slug: 'further', type: 'nps', questions, locales: translated });
  const changes = { created: [why, words, feedback, further], updated: [] };
  expect(await newer.version.surveys(newer.service).write(project.id, changes, revision)).toBe(true);
  stage.clock.advance(31 * SECOND);

  const call = async (running: RunningVersion, ...args: Parameters<RunningVersion['call']>) =>
    succeeded(await running.call(...args)).body;
  const minted = async (running: RunningVersion, respondentId: string) => {
    const body = { respondentId, sessionId: `s-${respondentId}` };
    return (await call(running, 'mintTokens', { secretKey, body })).tokens;
  };
  const ids = [why.id, words.id, feedback.id];
  const types = 'nps,csat,ces,pmf,thumbs,choice,open,person,pages';
  const served = await call(older, 'bootstrap', { body: { key, userId: 'zoe', types } });
  const offered = [...served.surveys.map(({ id }: Survey) => id), ...Object.keys(served.showTokens)];
  for (const each of [...offered, ...Object.keys(await minted(older, 'zoe'))])
    expect(ids).not.toContain(each);
  const plain = served.surveys.find(({ id }: Survey) => id === further.id);
  expect(plain).toMatchObject({ type: 'nps', locales: { de: { question: 'Wie?' } } });
  expect(JSON.stringify(plain)).not.toContain('questions');

  // Tokens of the new release arrive at the older one.
  const send = async (running: RunningVersion, respondentId: string, survey: Survey, said: object) => {
    const tokens = await minted(newer, respondentId);
    const answer = {
      ...{ key, surveyId: survey.id, showToken: tokens[survey.id], sessionId: `s-${respondentId}` },
    };
    await call(running, 'submitResponse', { body: { ...answer, ...said } });
    return (next: RunningVersion, change: object) =>
      call(next, 'reviseResponse', { body: { ...answer, ...change } });
  };
  await send(older, 'amy', why, { rating: 2, text: 'The export' });
  const ofBea = await send(newer, 'bea', why, { rating: 0 });
  await ofBea(older, { revision: 1, rating: 1 });
  const ofCat = await send(older, 'cat', why, { rating: 1 });
  await ofCat(newer, { revision: 1, withdraw: true });
  await ofCat(older, { revision: 2, rating: 0 });
  const ofDee = await send(older, 'dee', words, { rating: 0, text: 'First' });
  await ofDee(newer, { revision: 1, rating: 0, text: 'Hello' });
  const ofFlo = await send(older, 'flo', words, { rating: 0, text: 'Delivered' });
  const told = await call(older, 'listPendingScores', { secretKey });
  const pushed = told.scores.filter(({ respondentId }: Item) => respondentId === 'flo');
  const results = pushed.map(({ id }: Item) => ({ id, state: 'delivered', revision: 0 }));
  expect(await call(older, 'ackScores', { secretKey, body: { results } })).toMatchObject({ updated: 1 });
  await ofFlo(newer, { revision: 1, withdraw: true });
  await (await send(newer, 'gus', words, { rating: 0 }))(newer, { revision: 1, withdraw: true });
  await send(newer, 'eli', words, { rating: 0, text: 'Gone' });
  await call(older, 'erase', { secretKey, query: { respondentId: 'eli' } });
  const ofHal = await send(older, 'hal', feedback, { rating: 3, text: 'First' });
  await ofHal(newer, { revision: 1, rating: 4 });
  await ofHal(older, { revision: 2, rating: 5, text: 'Last' });
  await (await send(newer, 'hal', feedback, { rating: 1 }))(older, { revision: 1, withdraw: true });
  for (const running of [older, newer]) await send(running, 'jo', feedback, { rating: 2 });
  await call(older, 'erase', { secretKey, query: { respondentId: 'jo' } });
  const answered = (running: RunningVersion, who: string) =>
    send(running, who, further, { rating: 9, answers: { use: 'slow', more: `Words of ${who}` } });
  await answered(newer, 'kim');
  await (await answered(newer, 'lea'))(older, { revision: 1, rating: 2 });
  await (await answered(newer, 'mia'))(older, { revision: 1, withdraw: true });
  await (await answered(newer, 'ned'))(newer, { revision: 1, withdraw: true });
  await (await answered(older, 'ole'))(newer, { revision: 1, rating: 2, answers: { use: null } });
  for (const [running, who] of [
    [older, 'pat'],
    [newer, 'quy'],
  ] as const) {
    await answered(newer, who);
    await call(running, 'erase', { secretKey, query: { respondentId: who } });
  }
  const ofNps = async (running: RunningVersion, userId: string) =>
    Object.keys((await call(running, 'bootstrap', { body: { key, userId } })).showTokens).length;
  const asked = await Promise.all(['hal', 'jo', 'zoe'].map((userId) => ofNps(older, userId)));
  expect(new Set(asked).size).toBe(1);

  const seen = await call(older, 'listDefinitions', { secretKey: editorKey });
  const edited = seen.surveys
    .filter(({ slug }: { slug: string }) => ['why', 'words', 'feedback', 'further'].includes(slug))
    .map(({ trigger, ...survey }: Item) => ({
      ...{ ...survey, question: 'How now?' },
      ...(trigger === 'manual' ? { trigger: 'auto', repeat: '90d', delayMs: 5 } : { trigger }),
    }));
  const put = { revision: seen.revision, surveys: edited };
  await call(older, 'putDefinitions', { secretKey: editorKey, body: put });

  const again = await runVersion(stage.table, stage.clock);
  const record = await again.version.projects(again.service).read(project.id);
  const kept = ids.map((id) => record?.surveys.find((survey) => survey.id === id));
  const edit = record?.surveys.find(({ id }) => id === further.id);
  expect(edit?.content).toMatchObject({ question: 'How now?', questions, locales: translated });
  const { choices, shuffle } = why.content;
  const content = { type: 'choice', choices, shuffle, locales, question: 'How now?' };
  expect(kept).toMatchObject([
    { status: 'active', content },
    { status: 'active', content: { type: 'open', question: 'How now?' } },
    { status: 'active', content: { type: 'nps', trigger: 'person', question: 'How now?' } },
  ]);
  expect([kept[2]?.repeat, kept[2]?.content.delayMs]).toEqual([undefined, undefined]);
  const rows = async (surveySlug: string) =>
    (await call(again, 'exportResponses', { secretKey, query: { surveySlug } })).responses
      .map((row: Item) => [row.respondentId, row.choice, row.text, row.scoreState])
      .sort();
  expect(await rows('why')).toEqual([
    ['amy', 'other', 'The export', 'pending'],
    ['bea', 'missing', null, 'pending'],
    ['cat', 'price', null, 'pending'],
  ]);
  expect(await rows('words')).toEqual([
    ['dee', null, 'Hello', null],
    ['flo', null, null, null],
    ['gus', null, null, null],
  ]);
  expect(await rows('feedback')).toEqual([
    ['hal', null, null, null],
    ['hal', null, 'Last', 'pending'],
  ]);
  const answers = async () => {
    const query = { surveySlug: 'further' };
    const { responses } = await call(again, 'exportResponses', { secretKey, query });
    return responses.map((row: Item) => [row.respondentId, row.rating, row.answers]).sort();
  };
  const left = [
    ['kim', 9, { use: 'slow', more: 'Words of kim' }],
    ['lea', 2, null],
    ['mia', null, null],
    ['ned', null, null],
    ['ole', 2, { use: null }],
  ];
  expect(await answers()).toEqual(left);
  await again.deliver(await stage.stream.read());
  expect(await answers()).toEqual(left);
  const stored = JSON.stringify(await scanAll(stage.table, project.id));
  expect([...new Set(stored.match(/Words of \w+/g))]).toEqual(['Words of kim']);
  const { showTokens } = await call(again, 'bootstrap', {
    body: { key, userId: 'jo', types, open: 'feedback' },
  });
  const body = { key, surveyId: feedback.id, showToken: showTokens[feedback.id], rating: 9 };
  expect((await again.call('submitResponse', { body })).status).toBe(201);
  const waiting = { secretKey, query: { includeWithdrawn: 'true' } };
  const { scores } = await call(again, 'listPendingScores', waiting);
  const ofThem = scores.filter(({ surveyId }: Item) => ids.includes(String(surveyId)));
  expect(ofThem.map((score: Item) => [score.respondentId, score.choice, score.withdrawn]).sort()).toEqual([
    ['amy', 'other', false],
    ['bea', 'missing', false],
    ['cat', 'price', false],
    // An older release delivered this open answer, so it must be deleted there.
    ['flo', null, true],
    ['hal', null, false],
  ]);
  const offers = await call(again, 'bootstrap', { body: { key, userId: 'zoe', types } });
  expect(offers.surveys.map(({ id }: Survey) => id)).toEqual(expect.arrayContaining(ids));
  expect([...older.errors, ...newer.errors, ...again.errors]).toEqual([]);
});

const DIRECTIONS = [
  ['an upgrade', BEFORE, undefined],
  ['a rollback', undefined, BEFORE],
] as const;

describe.each(DIRECTIONS)('%s', (_what, from, to) => {
  const isRollback = from === undefined;

  it('reads rows of every type written by the other version in the same way as that version', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const life = await live(writer, stage);
    const rows = await takeBackup(stage.table);
    expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual(TYPES);
    const reader = await runVersion(stage.table, stage.clock, to);
    // The writer caches settings for 30 seconds, so another instance reads the new ones.
    const again = await runVersion(stage.table, stage.clock, from);
    const [written, read] = [await look(again, stage, life), await look(reader, stage, life)];
    const [older, newer] = isRollback ? [read, written] : [written, read];
    expect(differences(older, newer)).toEqual([]);
    expect(reader.errors).toEqual([]);
  });

  it('continues with them: tokens, answers, scores, erasures, counts, leases and secrets', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const life = await live(writer, stage);
    const { project, key, secretKey, editorKey, surveys, unused, unusedLabelled, annsToken } = life;
    const { id: surveyId } = surveys.nps;
    const heir = await runVersion(stage.table, stage.clock, to);
    const call = async (...args: Parameters<RunningVersion['call']>) =>
      succeeded(await heir.call(...args)).body;

    await call('submitResponse', { body: { key, surveyId, showToken: unused, rating: 5 } });
    const used = { key, surveyId, showToken: unused, rating: 5 };
    expect((await heir.call('submitResponse', { body: used })).status).toBe(409);
    const session = { sessionId: 's-ida' };
    await call('submitResponse', {
      body: { key, surveyId, showToken: unusedLabelled, rating: 8, ...session },
    });
    const change = { key, surveyId, showToken: annsToken, revision: 1, rating: 7, followUpRequested: true };
    await call('reviseResponse', { body: change });
    const { contacts } = await call('listContacts', { secretKey: editorKey, query: { state: 'all' } });
    expect(contacts).toMatchObject([{ respondentId: 'ann', handled: null }]);
    const { scores } = await call('listPendingScores', { secretKey });
    const results = scores.map(({ id, revision = 0 }: { id: string; revision?: number }) => ({
      id,
      state: 'delivered',
      revision,
    }));
    expect(await call('ackScores', { secretKey, body: { results } })).toEqual({ ok: true, updated: 3 });
    await call('erase', { secretKey, query: { respondentId: 'bob' } });
    const records = await stage.stream.read();
    await heir.deliver(records);
    const counted = await call('getResults', { secretKey, query: { surveySlug: 'nps' } });
    expect(counted).toMatchObject({ survey: { slug: 'nps' }, responses: 4 });
    const ofModel = await call('getResults', { secretKey, query: OF_MODEL });
    expect(ofModel).toMatchObject({ responses: 2, comments: 1 });
    // A repeated batch arrives at a function of the other version.
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

  it('keeps all other settings and surveys when the other version changes one', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const { project, surveys } = await live(writer, stage);
    const heir = await runVersion(stage.table, stage.clock, to);
    const recordIn = async ({ version, service }: RunningVersion) => {
      const record = await version.projects(service).read(project.id);
      if (record === undefined) throw new Error('the project is there');
      return record;
    };
    const before = await recordIn(writer);
    await heir.version.projects(heir.service).updateProject(project.id, { name: 'Renamed' });
    await heir.version.projects(heir.service).updateProject(project.id, { rates: { publishable: 9 } });
    const rates = { ...project.rates, publishable: 9 };
    const changed = { ...before.project, name: 'Renamed', rates };
    for (const running of [writer, heir]) expect((await recordIn(running)).project).toEqual(changed);

    const statuses = async (running: RunningVersion) => {
      const found = (await recordIn(running)).surveys;
      return [surveys.paged, surveys.awaited].map(({ id }) => found.find((each) => each.id === id)?.status);
    };
    const set = async ({ version, service }: RunningVersion, status: Survey['status']) => {
      const { surveysVersion } = await recordIn(writer);
      const changes = { created: [], updated: [{ ...surveys.paged, status }] };
      expect(await version.surveys(service).write(project.id, changes, surveysVersion)).toBe(true);
    };
    for (const [by, status] of [
      [heir, 'paused'],
      [writer, 'active'],
      [writer, 'paused'],
      [heir, 'active'],
    ] as const) {
      await set(by, status);
      for (const running of [writer, heir]) expect(await statuses(running)).toEqual([status, 'active']);
    }
    expect([...writer.errors, ...heir.errors]).toEqual([]);
  });

  it('sweeps expired answers with machines and functions of both versions, and keeps their numbers', async () => {
    const stage = await aStage();
    const writer = await runVersion(stage.table, stage.clock, from);
    const retention = newRetention('35d', stage.clock.now());
    const { key, secretKey, project } = await live(writer, stage, { retention });
    const other = await runVersion(stage.table, stage.clock, to);
    /** The embedded DynamoDB uses the machine's clock, so records get the test's. */
    const changes = async () => {
      const records = await stage.stream.read();
      const seconds = Math.floor(stage.clock.now() / SECOND);
      for (const { dynamodb } of records)
        if (dynamodb !== undefined) dynamodb.ApproximateCreationDateTime = seconds;
      return records;
    };
    const counted = async (running: RunningVersion) => {
      stage.clock.advance(31 * SECOND);
      const query = { surveySlug: 'nps', from: '2026-11-01' };
      const { responses, completeFrom } = succeeded(
        await running.call('getResults', { secretKey, query }),
      ).body;
      return { responses, completeFrom };
    };
    await writer.deliver(await changes());
    const { responses } = await counted(writer);
    expect(responses).toBeGreaterThan(0);

    stage.clock.advance(80 * DAY);
    const input = sweepInput(stage.clock.now(), [project.id]);
    for (const [machine, functions] of [
      [writer, other],
      [other, writer],
    ] as const)
      expect(await runPurge(machine, input, () => functions)).toEqual(['Expire', 'Expire', 'Expire']);
    await writer.deliver(await changes());
    const ended = await counted(writer);
    expect(ended).toEqual({ responses, completeFrom: expect.any(String) });
    expect(await counted(other)).toEqual(ended);
    const { body } = succeeded(await other.call('exportResponses', { secretKey }));
    expect([body.responses, body.dismissals]).toEqual([[], []]);

    const tombstones = (await scanAll(stage.table, project.id)).filter(({ type }) => type === 'tombstone');
    expect(tombstones.length).toBeGreaterThan(4);
    for (const { pk, sk } of tombstones) await stage.table.table.delete({ pk: String(pk), sk: String(sk) });
    await other.deliver(await changes());
    for (const running of [other, writer]) expect(await counted(running)).toEqual(ended);
    succeeded(await other.call('bootstrap', { body: { key, userId: 'ida' } }));
    expect([...writer.errors, ...other.errors]).toEqual([]);
  });

  it.each(Object.keys(PURGES))(
    'finishes a purge that the other version began, also after a rollback: %s',
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

it('returns null for comments of a segment’s value on days that a release without them counted, until a recount', async () => {
  const stage = await aStage();
  const running = await runVersion(stage.table, stage.clock);
  const { project, secretKey } = await live(running, stage);
  const ofModel = async () => {
    const { body } = succeeded(await running.call('getResults', { secretKey, query: OF_MODEL }));
    const { responses, comments, followUpsRequested } = body;
    return { responses, comments, followUpsRequested };
  };
  const counted = await ofModel();
  expect(counted).toEqual({ responses: 1, comments: 1, followUpsRequested: 0 });
  const { table } = stage.table;
  const byValue = (await scanAll(stage.table, project.id)).filter(({ by }) => typeof by === 'number');
  expect(byValue.length).toBeGreaterThan(0);
  for (const { pk, sk } of byValue)
    await table.update({ pk: String(pk), sk: String(sk) }, { remove: ['by'] });
  expect(await ofModel()).toEqual({ responses: 1, comments: null, followUpsRequested: null });
  const recount = await startRecount(stage, ['--all', '--project', project.id]).end();
  expect(recount).toMatchObject({ status: 0, stderr: '' });
  stage.clock.advance(MINUTE);
  expect(await ofModel()).toEqual(counted);
  expect(running.errors).toEqual([]);
});
