import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { answers, folds, imports } from '../../functions/runtime/parts/answers.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import type { Row } from '../../shared/data/table/row.ts';
import { respondentPartition } from '../../shared/data/table/schema.ts';
import { dayAt } from '../../shared/domain/days.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { changeRetention, OBSERVATION_KEPT_MS } from '../../shared/domain/retention.ts';
import type { Repeat } from '../../shared/domain/surveys/repeat.ts';
import { histories } from '../support/depth.ts';
import { createCrashingClient } from '../support/faults/failing-client.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { keptFor, sweepExpired } from '../support/fixtures/expiring.ts';
import {
  isAsked,
  isBeside,
  isSuppressed,
  type ModelLimits,
  type ModelSurvey,
  type Occasion,
  type Person,
} from '../support/model/policy-model.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const RUNS = histories(15);
const lifetimes = fc.constantFrom(DAY, 3 * DAY, 30 * DAY);
const clock = createTestClock();
const service = await createTestService({ clock });

type ModelSet = Record<'quiet' | 'quietAfterDismissal' | 'cap' | 'maxShows' | 'showWindow', number>;

const wait = fc.integer({ min: 1, max: 40 }).map((days) => days * DAY);
const repeat: fc.Arbitrary<Repeat | 'person'> = fc.oneof(
  fc.constantFrom<Repeat | 'person'>('session', 'observation', 'person', {}),
  wait.map((ms) => ({ answeredMs: ms, dismissedMs: ms })),
  fc.record({ answeredMs: wait, dismissedMs: wait }, { requiredKeys: [] }),
);
const limits: fc.Arbitrary<ModelSet> = fc.record({
  quiet: fc.constantFrom(0, 0, DAY, 7 * DAY),
  quietAfterDismissal: fc.constantFrom(0, 3 * DAY, 14 * DAY),
  cap: fc.constantFrom(0, 2, 4),
  maxShows: fc.constantFrom(0, 1, 3),
  showWindow: fc.constantFrom(10 * DAY, 30 * DAY),
});

const fate = fc.constantFrom('lost', 'sent', 'sent', 'sent', 'twice', 'late');
const device = fc.integer({ min: 0, max: 2 });
const use = fc.constantFrom('response', 'dismissal', 'show', 'show');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait'),
      ms: fc.constantFrom(HOUR, DAY, 4 * DAY, 15 * DAY),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('visit'), device }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mint'),
      device,
      sessionId: fc.constantFrom('s1', 's2'),
      observationId: fc.constantFrom(undefined, 'o1', 'o2'),
    }),
  },
  { weight: 16, arbitrary: fc.record({ do: fc.constant('use'), device, token: fc.nat(), use, fate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import'), survey: fc.nat(), age: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('retain'),
      period: fc.constantFrom(null, '35d', '60d', '2mo'),
      isAtOnce: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sweep'),
      call: fc.integer({ min: 1, max: 100 }),
      // Includes times after the retention period. A pending score keeps its answer for 30 more days.
      after: fc.constantFrom(0, 45 * DAY, 70 * DAY),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('expire'),
      early: fc.constantFrom(0, 0, 3 * DAY),
      times: fc.constantFrom(1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('backup') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore') }) },
);
// biome-ignore lint/suspicious/noExplicitAny: one of the records above, by its `do`.
type Step = any;

interface HeldToken extends Occasion {
  readonly text: string;
  readonly surveyId: string;
  readonly issuedAt: number;
  readonly sent: Readonly<Record<string, string>>;
  readonly name: string;
}

interface World {
  readonly tenant: Tenant;
  readonly lifetime: number;
  readonly surveys: readonly ModelSurvey[];
  readonly limits: ModelLimits;
  readonly person: Person;
  readonly used: Set<string>;
  /** Observations that can be asked again once the tombstone of their token is gone. */
  readonly open: Set<string>;
  devices: HeldToken[][];
  late: (() => Promise<void>)[];
  tokens: number;
  /** Each erasure deletes the backup, so it never contains anything older. */
  backup?: { readonly rows: readonly Row[]; readonly person: Person; readonly used: readonly string[] };
}

/** Answers in the same millisecond as an erasure count as older, and folded times are rounded to this step. */
const AFTER_ERASURE = 10 * MINUTE;

const statuses = { asked: 0, refused: 0, expired: 0, restored: 0 };

/** The uses that the survey has left today. Its next token has the first. */
const numbersLeft = ({ used }: World, surveyId: string): string[] =>
  Array.from({ length: 10 }, (_, number) => `${surveyId} ${dayAt(clock.now())} ${number}`).filter(
    (name) => !used.has(name),
  );

async function check(world: World, index: number, sent: Record<string, string>, at: Occasion) {
  const { tenant, surveys, person, limits: set } = world;
  const now = clock.now();
  const left = (surveyId: string) => numbersLeft(world, surveyId).length;
  const occasion = at.sessionId === undefined ? at : { ...at, left };
  const reply =
    occasion.sessionId === undefined
      ? await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } })
      : await service.call(mintTokens, {
          secretKey: tenant.secretKey,
          body: { respondentId: 'ann', ...sent },
        });
  const issued: Record<string, string> = reply.body.showTokens ?? reply.body.tokens;
  const { isTooLong } = await answers(service.service).history(tenant.project.id, 'ann');
  const wanted = surveys.filter((survey) => isAsked(survey, surveys, person, set, now, occasion));
  const gated = isTooLong === true ? wanted.filter(isBeside) : wanted;
  const isSure = (id: string) => !world.open.has(`${id} ${occasion.observation}`);
  const sure = (of: readonly ModelSurvey[]) =>
    of
      .map(({ id }) => id)
      .filter(isSure)
      .sort();
  expect(Object.keys(issued).filter(isSure).sort()).toEqual(sure(gated));
  const isListed = ({ repeat: by }: ModelSurvey) =>
    (by !== 'session' && by !== 'observation') || occasion.sessionId !== undefined;
  const suppressed = surveys.filter(
    (survey) => isListed(survey) && isSuppressed(survey, person, now, occasion),
  );
  const listed = reply.body.suppression.filter(isSure).sort();
  if (isTooLong !== true) expect(listed).toEqual(sure(suppressed));
  statuses.asked += gated.length;
  statuses.refused += surveys.length - gated.length;
  for (const [surveyId, text] of Object.entries(issued).filter(([id]) => isSure(id))) {
    const by = surveys.find(({ id }) => id === surveyId)?.repeat;
    world.tokens += 1;
    // All tokens of an observation, or with one number of a day, share one use.
    const observed = by === 'observation' ? `${surveyId} ${occasion.observation}` : undefined;
    const started = by === 'person' ? numbersLeft(world, surveyId)[0] : undefined;
    const name = observed ?? started ?? `token ${world.tokens}`;
    world.devices[index]?.push({ ...occasion, text, surveyId, issuedAt: now, sent, name });
  }
}

/** A valid unused token is accepted even if the policy would no longer ask. */
async function arrive(
  world: World,
  token: HeldToken,
  kind: 'response' | 'dismissal' | 'show',
): Promise<void> {
  const { surveyId, text: showToken, sent, issuedAt, name, sessionId, observation } = token;
  const now = clock.now();
  const { person, surveys, tenant } = world;
  const body = { key: tenant.publishableKey, surveyId, showToken, userId: 'ann', ...sent };
  const survey = surveys.find(({ id }) => id === surveyId);
  const isGood = now < issuedAt + world.lifetime;
  if (kind === 'show') {
    expect((await service.call(submitImpression, { body })).status).toBe(isGood ? 201 : 401);
    if (isGood && survey && !isBeside(survey)) person.shows.push({ surveyId, token: name, issuedAt });
    return;
  }
  const endpoint = kind === 'response' ? submitResponse : submitDismissal;
  const { status } = await service.call(endpoint, {
    body: kind === 'response' ? { ...body, rating: 7 } : body,
  });
  const isTaken = isGood && !world.used.has(name);
  expect(status === 201).toBe(isTaken);
  if (!isTaken) return;
  world.used.add(name);
  const about = survey?.repeat === 'observation' ? { observation } : { sessionId };
  person.past.push({ surveyId, kind, at: now, erased: false, ...about });
}

const rowsOf = ({ tenant: { project } }: Pick<World, 'tenant'>): Promise<Row[]> => {
  const hash = respondentHash(TEST_HASH_SECRET, project.id, 'ann');
  return service.table.table.query({ partition: respondentPartition(project.id, hash) });
};

const keysOf = (rows: readonly Row[]) => rows.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));

/** DynamoDB deletes expired rows, some days early or twice. */
async function expire(world: World, { early, times }: { early: number; times: number }): Promise<void> {
  const { person, open } = world;
  const now = clock.now();
  const rows = await rowsOf(world);
  const isEnded = ({ at }: Row) => Date.parse(String(at)) < now - 35 * DAY;
  const isDue = (row: Row) => Number(row.ttl) * SECOND <= now + (isEnded(row) ? early : 0);
  const due = rows.filter((row) => row.type === 'tombstone' && isDue(row));
  for (let time = 0; time < times; time += 1) await service.table.table.deleteMany(keysOf(due));
  for (const { surveyId, observation, at } of person.past) {
    if (observation === undefined || at + OBSERVATION_KEPT_MS > now + early) continue;
    open.add(`${surveyId} ${observation}`);
  }
}

async function restore(world: World): Promise<void> {
  const { backup, person, used } = world;
  if (backup === undefined) return;
  const { table } = service.table;
  await table.deleteMany(keysOf(await rowsOf(world)));
  for (const row of backup.rows) await table.put(row);
  Object.assign(person, structuredClone(backup.person));
  used.clear();
  for (const name of backup.used) used.add(name);
  statuses.restored += 1;
}

async function take(world: World, action: Step): Promise<void> {
  const { tenant, person, surveys } = world;
  const projectId = tenant.project.id;
  const hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
  switch (action.do) {
    case 'wait':
      clock.advance(action.ms);
      return;
    case 'visit':
      return check(world, action.device, {}, {});
    case 'mint': {
      const { sessionId, observationId } = action;
      const sent = { sessionId, ...(observationId !== undefined && { observationId }) };
      return check(world, action.device, sent, { sessionId, observation: observationId });
    }
    case 'use': {
      const held = world.devices[action.device] ?? [];
      const token = held[action.token % Math.max(held.length, 1)];
      if (token === undefined || action.fate === 'lost') return;
      if (action.fate === 'late') {
        world.late.push(() => arrive(world, token, action.use));
        return;
      }
      await arrive(world, token, action.use);
      if (action.fate === 'twice') await arrive(world, token, action.use);
      return;
    }
    case 'deliver':
      for (const arriving of world.late.splice(0)) await arriving();
      return;
    case 'fold':
      return folds(service.service).fold({ projectId, respondentHash: hash }, clock.now());
    case 'import': {
      const survey = surveys[action.survey % surveys.length];
      if (survey === undefined) return;
      const at = clock.now() - action.age * DAY;
      const target = { projectId, surveyId: survey.id, isBeside: isBeside(survey) };
      const row = { respondentId: 'ann', rating: 7, at, text: `${person.past.length}` };
      const outcome = await imports(service.service).store(target, row, clock.now());
      expect(outcome === 'erased').toBe(person.past.some(({ erased }) => erased));
      if (outcome === 'imported')
        person.past.push({ surveyId: survey.id, kind: 'response', at, erased: false });
      return;
    }
    case 'retain': {
      const record = await projects(service.service).read(projectId);
      const before = record?.project.retention;
      const { period, isAtOnce } = action;
      const retention = changeRetention(before, { period, now: clock.now(), isAtOnce });
      if (retention === undefined || retention === before) return;
      expect(await projects(service.service).setRetention(projectId, retention, before)).toBe('done');
      return;
    }
    case 'sweep': {
      clock.advance(action.after);
      const { client, hasCrashed } = createCrashingClient(service.table.endpoint, action);
      const swept = await sweepExpired(service, projectId, {}, { client }).catch(() => undefined);
      expect(swept === undefined).toBe(hasCrashed());
      statuses.expired += swept?.expired ?? 0;
      client.destroy();
      return;
    }
    case 'expire':
      return expire(world, action);
    case 'backup':
      world.backup = { rows: await rowsOf(world), person: structuredClone(person), used: [...world.used] };
      return;
    case 'restore':
      return restore(world);
    default: {
      if (person.past.length === 0) return;
      const query = { respondentId: 'ann' };
      const { status } = await service.call(erase, { secretKey: tenant.secretKey, query });
      expect(status).toBe((await rowsOf(world)).length === 0 ? 404 : 200);
      if (status === 404) return;
      for (const each of person.past) each.erased = true;
      for (const { surveyId, observation } of person.past) {
        if (observation !== undefined) world.open.add(`${surveyId} ${observation}`);
      }
      person.shows = [];
      delete world.backup;
      // Late answers, dismissals and impressions belong to the erased past.
      world.devices = world.devices.map(() => []);
      world.late = [];
      clock.advance(AFTER_ERASURE);
    }
  }
}

/** A restore and an expiry, since few random histories contain either. */
const EXAMPLE: [(Repeat | 'person')[], ModelSet, number, Step[]] = [
  [{}, 'session'],
  { quiet: 0, quietAfterDismissal: 0, cap: 0, maxShows: 0, showWindow: 10 * DAY },
  DAY,
  [
    { do: 'visit', device: 0 },
    { do: 'backup' },
    { do: 'use', device: 0, token: 0, use: 'response', fate: 'sent' },
    { do: 'restore' },
    { do: 'use', device: 0, token: 0, use: 'response', fate: 'sent' },
    { do: 'sweep', call: 100, after: 70 * DAY, when: 'before' },
  ],
];

const durations = (by: Repeat | 'person' | undefined): ModelSurvey['repeat'] => {
  if (typeof by === 'string') return by;
  const { answeredMs = Number.POSITIVE_INFINITY, dismissedMs = Number.POSITIVE_INFINITY } = by ?? {};
  return { answered: answeredMs, dismissed: dismissedMs };
};

it('asks exactly the people whom the policy allows to be asked', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(repeat, { minLength: 2, maxLength: 4 }),
      limits,
      lifetimes,
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (repeats, set, lifetime, steps) => {
        const tenant = await service.tenant(
          {
            limits: {
              quietPeriodMs: set.quiet,
              quietAfterDismissalMs: set.quietAfterDismissal,
              monthlyCap: set.cap,
              maxShows: set.maxShows,
              showWindowMs: set.showWindow,
            },
            tokenLifetimeMs: lifetime,
            retention: keptFor('35d'),
          },
          repeats.map((by) => (by === 'person' ? aSurvey({}, { trigger: by }) : aSurvey({ repeat: by }))),
        );
        const surveys = tenant.surveys.map(({ id }, place) => ({ id, repeat: durations(repeats[place]) }));
        const person: Person = { past: [], shows: [] };
        const world: World = {
          ...{ tenant, lifetime, surveys, limits: set, person, used: new Set(), open: new Set() },
          ...{ devices: [[], [], []], late: [], tokens: 0 },
        };
        for (const action of steps) await take(world, action);
        await check(world, 0, {}, {});
      },
    ),
    { numRuns: RUNS, examples: [EXAMPLE] },
  );
  expect(Math.min(statuses.asked, statuses.refused)).toBeGreaterThan(RUNS);
  expect(statuses.expired).toBeGreaterThan(RUNS / 30);
  expect(statuses.restored).toBeGreaterThan(RUNS / 30);
});
