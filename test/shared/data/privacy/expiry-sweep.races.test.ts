/** The sweep may crash or meet another change at any call. It must not lose anybody's suppression. */

import { expect, it } from 'vitest';
import { compose } from '../../../../functions/runtime/compose.ts';
import { folds, imports } from '../../../../functions/runtime/parts/answers.ts';
import { erasures } from '../../../../functions/runtime/parts/privacy.ts';
import { scores } from '../../../../functions/runtime/parts/scores.ts';
import { respondentHash } from '../../../../shared/crypto/derive.ts';
import { type Key, respondentPartition } from '../../../../shared/data/table/schema.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { IS_WHOLE } from '../../../support/depth.ts';
import { createClientAround, createCrashingClient } from '../../../support/faults/failing-client.ts';
import { aSurvey, surveysIn } from '../../../support/fixtures/builders.ts';
import { historyOf, keptFor, sweepExpired } from '../../../support/fixtures/expiring.ts';
import { seedAnswers } from '../../../support/fixtures/seed-answers.ts';
import { createTestClock, START } from '../../../support/service/test-clock.ts';
import { createTestSecrets, TEST_HASH_SECRET } from '../../../support/service/test-secrets.ts';
import { createTestService, testConfig } from '../../../support/service/test-service.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

const table = await createTestTable();
const clock = createTestClock();
const place = await createTestService({ table, clock });
const service = compose(testConfig(table), {
  client: table.client,
  clock: clock.now,
  secrets: createTestSecrets(),
});

async function aPerson() {
  const { project, surveys } = await place.tenant({}, [aSurvey({ retention: keptFor('35d') }), aSurvey()]);
  const ages = [50, 40, 38, 2];
  const [, , scored] = await Promise.all(
    ages.map((age, index) =>
      seedAnswers(table, {
        projectId: project.id,
        surveyIds: [surveys[index < 3 ? 0 : 1]?.id ?? ''],
        count: 1,
        respondentOf: () => 'ann',
        momentOf: () => START - age * DAY,
        responseOf: () => ({
          text: `words of ${age} days`,
          ...(index === 2 && { score: { state: 'pending', attempts: 0 } }),
        }),
      }),
    ),
  );
  const target = {
    projectId: project.id,
    respondentHash: respondentHash(TEST_HASH_SECRET, project.id, 'ann'),
  };
  return { projectId: project.id, surveys, target, scoreId: scored?.[0] ?? '' };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

const STEP = IS_WHOLE ? 1 : 3;

async function expectSuppressed({ projectId, surveys }: Person): Promise<void> {
  const history = await historyOf(place, projectId, 'ann');
  for (const { id } of surveys) expect([...surveysIn(history)]).toContain(id);
  expect(history.latest.answeredAt).toBe(START - 2 * DAY);
}

const rowsOf = ({ target }: Person) =>
  table.table.query({ partition: respondentPartition(target.projectId, target.respondentHash) });

const wordsIn = async (person: Person): Promise<string[]> =>
  (await rowsOf(person)).flatMap(({ text }) => (text === undefined ? [] : [String(text)])).sort();

for (const when of ['before', 'after'] as const) {
  it(`completes a sweep that died at any call, ${when} DynamoDB carries it out`, async () => {
    for (let call = 1; ; call += STEP) {
      const person = await aPerson();
      const { client, hasCrashed } = createCrashingClient(table.endpoint, { call, when });
      await sweepExpired(place, person.projectId, {}, { client }).catch(() => undefined);
      await expectSuppressed(person);
      await sweepExpired(place, person.projectId);
      await expectSuppressed(person);
      expect(await wordsIn(person)).toEqual(['words of 2 days', 'words of 38 days']);
      if (hasCrashed()) continue;
      expect(call).toBeGreaterThan(10);
      return;
    }
  });
}

const endedOf = async (person: Person): Promise<Key[]> =>
  (await rowsOf(person))
    .filter(({ surveyId, sk }) => surveyId === person.surveys[0]?.id && String(sk).startsWith('ANSWER'))
    .map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));

const importsLate = (person: Person) =>
  imports(service).store(
    { projectId: person.projectId, surveyId: 'sv_imported' },
    { respondentId: 'ann', rating: 7, at: START - 45 * DAY },
    START,
  );

const MEETINGS: Readonly<
  Record<string, { act: (person: Person) => Promise<unknown>; check: (person: Person) => Promise<void> }>
> = {
  'an erasure': {
    act: ({ target }) => erasures(service).eraseByHash({ ...target, longestQuietPeriodMs: DAY }, START),
    check: async (person) => expect(await wordsIn(person)).toEqual([]),
  },
  'a fold': {
    act: ({ target }) => folds(service).fold(target, START),
    check: async (person) => expect(await wordsIn(person)).toEqual(['words of 2 days', 'words of 38 days']),
  },
  'an acknowledgement': {
    act: ({ projectId, scoreId }) =>
      scores(service).acknowledge(projectId, [{ id: scoreId, state: 'delivered' }]),
    check: async (person) => expect(await wordsIn(person)).toEqual(['words of 2 days']),
  },
  'an import': {
    act: importsLate,
    check: async ({ projectId }) =>
      expect([...surveysIn(await historyOf(place, projectId, 'ann'))]).toContain('sv_imported'),
  },
  'the purge of a survey': {
    act: async (person) => table.table.deleteMany(await endedOf(person)),
    check: async (person) => expect(await endedOf(person)).toEqual([]),
  },
};

it.each(Object.entries(MEETINGS))(
  'stays correct when it meets %s at any call',
  async (name, { act, check }) => {
    for (let call = 1; ; call += STEP) {
      const person = await aPerson();
      let calls = 0;
      const client = createClientAround(table.endpoint, async (_, next) => {
        calls += 1;
        if (calls === call) await act(person);
        return next();
      });
      await sweepExpired(place, person.projectId, {}, { client });
      const isOver = calls < call;
      if (isOver) await act(person);
      await sweepExpired(place, person.projectId);
      await check(person);
      // A purge of the survey may precede the fold, or follow everything.
      if (name !== 'the purge of a survey') await expectSuppressed(person);
      client.destroy();
      if (isOver) return;
    }
  },
);
