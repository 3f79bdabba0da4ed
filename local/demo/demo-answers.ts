/**
 * Some hundred answers of a quarter for the demo project, so that its results show something: stored by the stores and
 * counted from the stream like all others. They depend on the project alone, so storing them again stores nothing twice.
 */

import { composeTokenId } from '../../shared/crypto/token-id.ts';
import type { AnswerStore } from '../../shared/data/answers/answer-store.ts';
import type { ShowStore } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import type { NewAnswer } from '../../shared/domain/answers/answer.ts';
import { DAY, HOUR } from '../../shared/domain/duration.ts';
import type { Project } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { DEMO_WORDS } from './demo-words.ts';

const QUARTER_DAYS = 90;
const WRITES_IN_FLIGHT = 8;

type Some<T> = readonly [T, ...T[]];

interface Plan {
  readonly people: number;
  /** Of those to whom it was shown. */
  readonly answered: number;
  readonly dismissed: number;
  /** Ratings, each as often as it is likely. */
  readonly low: Some<number>;
  readonly middling: Some<number>;
  readonly high: Some<number>;
}

const PLANS: Readonly<Record<string, Plan>> = {
  recommend: {
    people: 260,
    answered: 0.46,
    dismissed: 0.2,
    low: [2, 4, 5, 6, 6],
    middling: [7, 8, 8],
    high: [9, 9, 10],
  },
  checkout: { people: 120, answered: 0.62, dismissed: 0.08, low: [1, 2], middling: [3], high: [4, 5, 5] },
  returns: { people: 70, answered: 0.58, dismissed: 0.1, low: [1, 2, 3], middling: [4, 5], high: [6, 6, 7] },
  'miss-us': { people: 90, answered: 0.5, dismissed: 0.18, low: [0], middling: [1], high: [2] },
};

const CUSTOMERS = ['free', 'free', 'free', 'plus', 'plus', 'pro'] as const;

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Visit {
  readonly survey: Survey;
  readonly tokenId: string;
  readonly respondentId: string;
  /** Milliseconds. */
  readonly at: number;
  readonly answer?: NewAnswer | undefined;
}

interface DemoAnswersOptions {
  readonly project: Project;
  readonly surveys: readonly Survey[];
  readonly answers: AnswerStore;
  readonly shows: ShowStore;
}

/** Who was shown a survey in the quarter before the project was made, and what came of it. */
function* listVisits({ project, surveys }: DemoAnswersOptions): Generator<Visit> {
  const end = Date.parse(project.createdAt) - HOUR;
  for (const [index, survey] of surveys.entries()) {
    const plan = PLANS[survey.content.slug];
    const words = DEMO_WORDS[survey.content.slug];
    if (plan === undefined || words === undefined) continue;
    const roll = createDice(index + 1);
    const pick = <T>(items: Some<T>): T => items[Math.floor(roll() * items.length)] ?? items[0];
    for (let person = 0; person < plan.people; person++) {
      const age = roll();
      const at = end - Math.floor(age * QUARTER_DAYS * DAY);
      const random = Buffer.from(Array.from({ length: 10 }, () => Math.floor(roll() * 256)));
      const tokenId = composeTokenId(at, random);
      const respondentId = `shopper-${index + 1}-${person}`;
      const base = {
        tokenId,
        projectId: project.id,
        surveyId: survey.id,
        respondentId,
        at: new Date(at + HOUR / 60).toISOString(),
        tokenExpiresAt: at + DAY,
      };
      const chance = roll();
      // People grew happier over the quarter, those who pay most.
      const customer = pick(CUSTOMERS);
      const mood = roll() + (1 - age) * 0.25 + (customer === 'pro' ? 0.15 : 0);
      const level = mood < 0.32 ? 'low' : mood < 0.6 ? 'middling' : 'high';
      const rating = pick(plan[level]);
      const says = roll() < 0.3 ? pick(words[level]) : undefined;
      const wantsContact = says !== undefined && level === 'low' && roll() < 0.4;
      const shown = { survey, tokenId, respondentId, at };
      if (chance < plan.answered) {
        const answer: NewAnswer = {
          ...base,
          kind: 'response',
          source: 'sdk',
          rating,
          text: says,
          followUpRequested: wantsContact ? true : undefined,
          traits: { plan: customer },
          identityKind: roll() < 0.8 ? 'identified' : 'anon-device',
          attested: {},
          claimed: {},
        };
        yield { ...shown, answer };
      } else if (chance < plan.answered + plan.dismissed) {
        yield { ...shown, answer: { ...base, kind: 'dismissal' } };
      } else yield shown;
    }
  }
}

/** @returns whether all are stored: not, when the signal ended it */
export async function storeDemoAnswers(options: DemoAnswersOptions, signal: AbortSignal): Promise<boolean> {
  const { project, answers, shows } = options;
  await inFlight([...listVisits(options)], WRITES_IN_FLIGHT, async (visit) => {
    if (signal.aborted) return;
    const { survey, tokenId, respondentId, at, answer } = visit;
    const claims = { surveyId: survey.id, tokenId, respondentId, expiresAt: at + DAY };
    const windowMs = QUARTER_DAYS * DAY;
    await shows.record({ projectId: project.id, claims, windowMs, surveys: options.surveys.length }, at);
    if (answer !== undefined) await answers.redeem(answer);
  });
  return !signal.aborted;
}
