/**
 * A reader without comments asks for everything, three times, with answers in between. All answers of a group have the
 * same rating, and no other group has it, so a distribution names the groups that it counts (docs/contract.md §17.8).
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf } from '../../../functions/digest/project-digest.ts';
import { getOverview } from '../../../functions/get-overview.ts';
import { getResults } from '../../../functions/get-results.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { addDays, BUCKETS, lastWeek } from '../../../shared/domain/days.ts';
import { DAY, SECOND } from '../../../shared/domain/duration.ts';
import type { QuestionResult } from '../../../shared/domain/results/question-results.ts';
import type { SurveyQuestion } from '../../../shared/domain/surveys/survey.ts';
import { histories } from '../../support/depth.ts';
import { aResponseRow, deliver } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { START } from '../../support/service/test-clock.ts';
import { createTestService } from '../../support/service/test-service.ts';

const RUNS = histories(2);
const LEAST = 5;
/** A Monday. The test clock starts on the Friday of the next week. */
const FIRST = '2026-11-09';
const DAYS = Array.from({ length: 14 }, (_, day) => addDays(FIRST, day));
const WHOLE = { from: FIRST, to: addDays(FIRST, 13) };
const SEGMENTS = [
  { name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] },
  { name: 'how', from: 'channel' as const, values: [{ text: 'slack' }] },
];
const choices = ['a', 'b', 'c'].map((code) => ({ code, label: code }));
const QUESTIONS: SurveyQuestion[] = [
  { id: 'role', kind: 'one', text: 'Your role?', choices },
  { id: 'use', kind: 'many', text: 'What for?', choices },
];
const VALUES = {
  plan: ['free', 'pro', 'other', 'null'],
  how: ['slack', 'null'],
  identityKind: ['identified', 'anon-device', 'null'],
};

const groupOn = (days: readonly string[]) =>
  fc.record({
    day: fc.constantFrom(...days),
    plan: fc.constantFrom('free', 'pro', 'team', undefined),
    channel: fc.constantFrom('slack', undefined),
    identityKind: fc.constantFrom('identified', 'anon-device', 'model-requested', undefined),
    count: fc.integer({ min: 1, max: 7 }),
    followUpRequested: fc.boolean(),
    codes: fc.option(fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 3 })),
  });
type Group = ReturnType<typeof groupOn> extends fc.Arbitrary<infer T> ? T : never;

const MONDAY: Group = {
  ...{ day: FIRST, plan: undefined, channel: undefined, identityKind: 'anon-device' },
  ...{ count: 5, followUpRequested: false, codes: null },
};
/** Without the five anonymous people, one person has no plan. */
const NESTED: Group[] = [
  MONDAY,
  { ...MONDAY, identityKind: 'identified', count: 1 },
  { ...MONDAY, identityKind: 'identified', plan: 'pro' },
];
const LATE: Group = { ...MONDAY, day: addDays(FIRST, 12), count: 1, followUpRequested: true };

interface Counted {
  readonly responses: number;
  readonly dismissals?: number | null;
  readonly modelRequested?: number | null;
  readonly distribution: readonly { readonly rating: number; readonly count: number }[];
}

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly questions: readonly QuestionResult[];
}

const numbersOf = ({ questions }: Asked): Record<string, number> =>
  Object.fromEntries(
    questions.flatMap(({ id, asked, answered, choices = [], few }) => [
      [`${id} answered`, answered],
      [`${id} unanswered`, asked - answered],
      [`${id} few`, few?.count ?? 0],
      ...choices.map(({ code, count }) => [`${id} ${code}`, count] as const),
    ]),
  );

/** Each number is a sum over weeks in which it is not small, so two replies differ by whole weeks. */
function checkQuestions(replies: readonly Asked[]): Record<string, number>[] {
  const weeks = [0, 7].map((day) => ({ from: addDays(FIRST, day), to: addDays(FIRST, day + 6) }));
  const ofWeek = weeks.map(({ from, to }) => {
    const reply = replies.find((each) => each.from === from && each.to === to);
    return reply === undefined ? {} : numbersOf(reply);
  });
  for (const number of ofWeek.flatMap((numbers) => Object.values(numbers)))
    expect(number === 0 || number >= LEAST, `${number} people`).toBe(true);
  for (const reply of replies) {
    const inside = ofWeek.filter((_, nth) => {
      const { from = '', to = '' } = weeks[nth] ?? {};
      return from >= reply.from && to <= reply.to;
    });
    for (const [name, number] of Object.entries(numbersOf(reply)))
      expect(number, name).toBe(inside.reduce((sum, numbers) => sum + (numbers[name] ?? 0), 0));
  }
  return ofWeek;
}

const test = await createTestService();
const service = test.service;

async function createProject(declared: number) {
  const segments = declared === 0 ? undefined : SEGMENTS.slice(0, declared);
  const { project, surveys } = await test.tenant({ limits: NO_LIMITS, smallestCell: LEAST }, [
    aSurvey({ segments }, { questions: QUESTIONS }),
  ]);
  const { text: secretKey } = await test.addKey('reader', project.id, { scopes: ['results'] });
  const [projectId, surveyId] = [project.id, surveys[0]?.id ?? ''];

  /** Null is a rating that asked nothing. Without codes, the questions were skipped. */
  function answersOf(codes: readonly number[] | null) {
    if (codes === null) return undefined;
    const given = QUESTIONS.map(({ id, kind }, place) => {
      const some = kind === 'one' ? codes.slice(0, 1) : codes;
      const texts = some.map((code) => choices[code]?.code ?? '');
      const value = kind === 'one' ? texts[0] : texts;
      return { id, place, kind, ...(some.length === 0 ? { value: null } : { value, codes: some }) };
    });
    return { given };
  }

  async function answer({ day, plan, count, codes, ...said }: Group, rating: number) {
    const at = `${day}T12:00:00.000Z`;
    const traits = JSON.stringify(plan === undefined ? {} : { plan });
    const row = { projectId, surveyId, at, rating, traits, answers: answersOf(codes), ...said };
    const rows = Array.from({ length: count }, () => aResponseRow(row));
    await deliver(test, rows);
    await seedAnswers(test.table, {
      ...{ projectId, surveyIds: [surveyId], count },
      respondentOf: (person) => `${rating}-${person}`,
      momentOf: () => Date.parse(at),
      responseOf: () => ({ rating, followUpRequested: said.followUpRequested }),
    });
  }

  async function results(query: Readonly<Record<string, string>>) {
    // Rates limit the number of requests.
    test.clock.advance(SECOND);
    const { status, body } = await test.call(getResults, { secretKey, query: { surveyId, ...query } });
    expect(status).toBe(200);
    return body;
  }

  let shownBefore: Record<string, number>[] = [];
  async function askResults(): Promise<Counted[]> {
    const queries: Record<string, string>[] = DAYS.flatMap((from, start) =>
      DAYS.slice(start).map((to, index) => ({ from, to, by: BUCKETS[(start + index) % 3] ?? 'day' })),
    );
    for (const [segment, values] of Object.entries(VALUES)) {
      if (segment !== 'identityKind' && segments?.every(({ name }) => name !== segment) !== false) continue;
      queries.push({ ...WHOLE, segment }, { ...WHOLE, from: addDays(FIRST, 7), segment });
      queries.push(...values.map((value) => ({ ...WHOLE, by: 'week', segment, value })));
    }
    const replies: Counted[] = [];
    const asked: Asked[] = [];
    for (const query of queries) {
      const body = await results(query);
      if (body.questions !== undefined) asked.push(body);
      replies.push(body, ...body.series, ...(body.segments ?? []));
    }
    const weeks = checkQuestions(asked);
    for (const [week, numbers] of shownBefore.entries())
      if (Object.values(numbers).some((number) => number > 0)) expect(weeks[week]).toEqual(numbers);
    shownBefore = weeks;
    return replies;
  }

  /** The other routes and the digest have no other numbers than the results. */
  async function checkOthers() {
    const { body: overview } = await test.call(getOverview, { secretKey, query: {} });
    const [line] = overview.surveys;
    const { from, to } = overview;
    const shown = await results({ from, to, by: 'week' });
    expect(line).toMatchObject({ responses: shown.responses, openContacts: shown.followUpsRequested });
    const responsesOf = ({ responses }: { responses: number }) => responses;
    const weeks = line.trend.map(responsesOf);
    expect(weeks).toEqual(shown.series.map(responsesOf));
    const { body: listed } = await test.call(listSurveys, { secretKey, query: {} });
    const [{ responses: total, segments: offered }] = listed.surveys;
    expect([line.allResponses % LEAST, total % LEAST]).toEqual([0, 0]);
    expect(offered).toEqual(segments === undefined ? [] : ['plan']);
    const settings = await projectSettings(service).load(projectId);
    const digest = settings && (await digestOf({ service, settings, week: lastWeek(test.clock.now()) }));
    const [told = { responses: 0, responsesBefore: weeks[2] }] = digest?.surveys ?? [];
    expect([told.responsesBefore, told.responses]).toEqual(weeks.slice(2));
    expect(digest?.openContacts).toBe(line.openContacts);
  }

  async function read(): Promise<Counted[]> {
    await checkOthers();
    return askResults();
  }
  return { answer, read };
}

it(`isolates fewer than ${LEAST} people in no pair of replies, in ${RUNS} random projects`, async () => {
  const early = fc.array(groupOn(DAYS.slice(0, 11)), { minLength: 4, maxLength: 7 });
  const late = fc.array(groupOn(DAYS.slice(11)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(early, late, fc.nat({ max: 2 }), async (first, second, declared) => {
      test.clock.advance(START - test.clock.now());
      const project = await createProject(declared);
      const groups = [...first, ...second];
      for (const [rating, group] of first.entries()) await project.answer(group, rating);
      const replies = await project.read();
      for (const [index, group] of second.entries()) await project.answer(group, first.length + index);
      replies.push(...(await project.read()));
      test.clock.advance(4 * DAY);
      replies.push(...(await project.read()));

      const found = new Map<string, readonly number[]>([['', []]]);
      for (const { distribution, responses, dismissals, modelRequested } of replies) {
        const others = (dismissals ?? 0) + (modelRequested ?? 0);
        expect(responses >= LEAST || others === 0, 'numbers without ratings').toBe(true);
        const counted = distribution.filter(({ count }) => count > 0);
        for (const { rating, count } of counted) expect(count).toBe(groups[rating]?.count);
        const ratings = counted.map(({ rating }) => rating);
        found.set(ratings.join(), ratings);
      }
      for (const one of found.values()) {
        for (const other of found.values()) {
          const left = one.filter((rating) => !other.includes(rating));
          const people = left.reduce((sum, rating) => sum + (groups[rating]?.count ?? 0), 0);
          expect(people === 0 || people >= LEAST, `groups ${one} without ${other}`).toBe(true);
        }
      }
    }),
    { numRuns: RUNS, examples: [[NESTED, [LATE], 1]] },
  );
});
