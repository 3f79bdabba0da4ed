/** The answers depend only on the project, so storing them again adds nothing. */

import { composeTokenId } from '../../shared/crypto/ids.ts';
import type { AnswerStore } from '../../shared/data/answers/answer-store.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import type { ShowStore } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { isBeside } from '../../shared/domain/surveys/eligibility.ts';
import { chooseReasons } from '../../shared/domain/surveys/reasons.ts';
import { hasScale, isLow, isLowRating, type SurveyContent } from '../../shared/domain/surveys/survey.ts';
import {
  CHECKOUT_WORDS,
  type DemoWord,
  FEEDBACK_WORDS,
  HELPFUL_WORDS,
  IMPROVE_WORDS,
  MISS_US_WORDS,
  PURPOSE_WORDS,
  RECOMMEND_WORDS,
  REPLY_WORDS,
  RETURNS_WORDS,
} from './demo-words.ts';

const HALF_YEAR_MS = 180 * DAY;
const QUARTER_MS = 90 * DAY;
const PEOPLE = 560;
const PEOPLE_OF_THUMBS = 160;
/** An exponent: more people answered lately. */
const MOSTLY_LATE = 1.2;
const [ANSWER, ANSWER_OR_DISMISS] = [0.62, 0.76] as const;
const WRITES_IN_FLIGHT = 8;

/** Returns numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function createDice(seed: number): Roll {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const repliedTo = ({
  respondentId,
  tokenId,
}: {
  readonly respondentId: string;
  readonly tokenId: string;
}) => ({
  attested: { sessionId: `chat-${respondentId}`, traceId: tokenId, observationId: tokenId },
  taskType: 'plant-care',
  score: { state: 'delivered', attempts: 0 } as const,
});

export async function storeDemoAnswers(
  { project, surveys }: Pick<ProjectRecord, 'project' | 'surveys'>,
  { answers, shows }: { readonly answers: AnswerStore; readonly shows: ShowStore },
  signal: AbortSignal,
): Promise<boolean> {
  const projectId = project.id;
  const visits: (() => Promise<unknown>)[] = [];
  for (const [index, survey] of surveys.entries()) {
    const roll = createDice(index + 1);
    const tell = createTeller(survey.content, roll);
    if (tell === undefined) continue;
    const length =
      survey.content.type === 'thumbs' || !hasScale(survey.content.type) ? PEOPLE_OF_THUMBS : PEOPLE;
    const ages = Array.from({ length }, () => roll() ** MOSTLY_LATE);
    // Sorted by age, so that comments do not repeat.
    for (const [number, age] of ages.sort((one, other) => one - other).entries()) {
      const shownAt = Date.parse(project.createdAt) - HOUR - Math.floor(age * HALF_YEAR_MS);
      const expiresAt = shownAt + DAY;
      const tokenId = composeTokenId(shownAt, Buffer.from(Array.from({ length: 10 }, () => roll() * 256)));
      const person = { surveyId: survey.id, tokenId, respondentId: `shopper-${index + 1}-${number}` };
      const { reason, ...told } = tell(age);
      const { reasons } = chooseReasons(survey, told.rating, reason === undefined ? [] : [reason]);
      // Replies have only thumbs, whose scores must never be pushed.
      const isReply = survey.repeat === 'observation';
      const said = { ...told, reasons, ...(isReply ? repliedTo(person) : { attested: {} }), claimed: {} };
      const response = { kind: 'response', source: 'sdk', identityKind: 'identified', ...said } as const;
      const outcome = roll();
      const answer = outcome < ANSWER ? response : ({ kind: 'dismissal' } as const);
      if (isBeside(survey) && outcome >= ANSWER) continue;
      visits.push(async () => {
        const show = { projectId, windowMs: QUARTER_MS, surveys: surveys.length };
        if (!isBeside(survey)) await shows.record({ ...show, claims: { ...person, expiresAt } }, shownAt);
        const at = new Date(shownAt + MINUTE).toISOString();
        if (outcome >= ANSWER_OR_DISMISS) return;
        await answers.redeem({ ...person, projectId, at, tokenExpiresAt: expiresAt, ...answer });
      });
    }
  }
  await inFlight(visits, WRITES_IN_FLIGHT, async (store) => signal.aborted || store());
  return !signal.aborted;
}

type Roll = () => number;

interface Person {
  readonly plan: string;
  readonly country: string;
  /** When the person was asked, from 0 (now) to 1 (half a year ago). */
  readonly age: number;
}

/** Shares from 0 to 1. */
type Mood = (person: Person) => { readonly low: number; readonly high: number };

type Tone = 'low' | 'middle' | 'high';

interface Told {
  readonly words: readonly DemoWord[];
  readonly mood: Mood;
  /** Ratings that are listed several times are more likely. */
  readonly ratings: Readonly<Record<Tone, readonly number[]>>;
}

const THUMBS: Told['ratings'] = { low: [0], middle: [], high: [1] };

const TOLD: Readonly<Record<string, Told>> = {
  // The ratings improved over time, except in Germany's free plan.
  recommend: {
    words: RECOMMEND_WORDS,
    mood({ plan, country, age }) {
      const waits = country === 'DE' ? (plan === 'free' ? 0.34 : 0.04) : 0;
      const low = 0.05 + 0.2 * age + waits - (plan === 'pro' ? 0.05 : 0);
      return { low, high: 0.72 - 0.3 * age - waits };
    },
    ratings: { low: [6, 6, 5, 5, 5, 4, 3, 3, 2, 1, 0], middle: [7, 8, 8], high: [9, 10, 10] },
  },
  checkout: {
    words: CHECKOUT_WORDS,
    mood({ age }) {
      const low = age < 0.24 ? 0.28 : 0.04;
      return { low, high: 0.91 - low };
    },
    ratings: { low: [2, 1, 1], middle: [3], high: [5, 5, 5, 4, 4] },
  },
  returns: {
    words: RETURNS_WORDS,
    mood({ country }) {
      const low = country === 'FR' ? 0.38 : 0.1;
      return { low, high: 0.88 - low };
    },
    ratings: { low: [3, 3, 2, 1], middle: [4], high: [7, 7, 7, 6, 6, 5] },
  },
  'miss-us': {
    words: MISS_US_WORDS,
    mood({ plan, age }) {
      const high = 0.42 - 0.06 * age + (plan === 'pro' ? 0.24 : plan === 'free' ? -0.1 : 0);
      return { low: plan === 'free' ? 0.22 : 0.1, high };
    },
    ratings: { low: [0], middle: [1], high: [2] },
  },
  // More people use the shop for gifts than half a year ago.
  purpose: {
    words: PURPOSE_WORDS,
    mood: ({ age }) => ({ low: 0.12, high: 0.3 - 0.15 * age }),
    ratings: { low: [3], middle: [0, 0, 0, 0, 2, 1], high: [1, 1, 4] },
  },
  improve: {
    words: IMPROVE_WORDS,
    mood: () => ({ low: 0, high: 1 }),
    ratings: { low: [0], middle: [0], high: [0] },
  },
  feedback: {
    words: FEEDBACK_WORDS,
    mood: () => ({ low: 0, high: 1 }),
    ratings: { low: [0], middle: [0], high: [0] },
  },
  helpful: {
    words: HELPFUL_WORDS,
    mood: () => ({ low: 0.27, high: 0.73 }),
    ratings: THUMBS,
  },
  reply: {
    words: REPLY_WORDS,
    mood({ age }) {
      const low = 0.14 + 0.3 * age;
      return { low, high: 1 - low };
    },
    ratings: THUMBS,
  },
};

/** People with strong opinions comment more often. */
const SAYS: Readonly<Record<Tone, number>> = { low: 0.55, middle: 0.3, high: 0.2 };
const WANTS_CONTACT: Readonly<Record<Tone, number>> = { low: 0.4, middle: 0.1, high: 0.02 };
const LEAVES_ADDRESS = 0.8;
const GIVES_REASON = 0.75;
/** An exponent: the first reasons are given more often. */
const MOSTLY_FIRST = 2;

const FIRST_NAMES: Readonly<Record<string, readonly string[]>> = {
  CH: ['reto', 'ursina', 'beat', 'flurina', 'luca', 'seraina', 'nino', 'chiara'],
  DE: ['jonas', 'hanna', 'lukas', 'frieda', 'malte', 'wiebke', 'emre', 'svenja'],
  FR: ['camille', 'hugo', 'margaux', 'yanis', 'juliette', 'baptiste', 'ines', 'remi'],
};
const LAST_NAMES: Readonly<Record<string, readonly string[]>> = {
  CH: ['caduff', 'meier', 'rossi', 'zurbriggen', 'frei', 'bernasconi', 'amstutz'],
  DE: ['hoffmann', 'yilmaz', 'krause', 'petersen', 'vogel', 'sommer', 'brandt'],
  FR: ['lefevre', 'moreau', 'benali', 'girard', 'roussel', 'fontaine', 'perrin'],
};

function pick<T>(from: readonly T[], roll: Roll): T | undefined {
  return from[Math.floor(roll() * from.length)];
}

function addressOf(country: string, roll: Roll): string {
  const first = pick(FIRST_NAMES[country] ?? [], roll);
  return `${first}.${pick(LAST_NAMES[country] ?? [], roll)}${Math.floor(roll() * 90) + 10}@example.com`;
}

export function createTeller(content: SurveyContent, roll: Roll) {
  const told = TOLD[content.slug];
  if (told === undefined) return undefined;
  const said = new Map<DemoWord, number>();
  const timesSaid = (word: DemoWord): number => said.get(word) ?? 0;

  function say(rating: number, country: string): DemoWord | undefined {
    const fitting = told?.words
      .filter(({ ratings: [from, to] }) => from <= rating && rating <= to)
      .filter((word) => word.country === undefined || word.country === country)
      .sort((one, other) => timesSaid(one) - timesSaid(other));
    const fresh = fitting?.filter((word) => timesSaid(word) === timesSaid(fitting[0] ?? word)) ?? [];
    const own = fresh.filter((word) => word.country === country);
    const word = pick(own.length > 0 && roll() < 0.7 ? own : fresh, roll);
    if (word !== undefined) said.set(word, timesSaid(word) + 1);
    return word;
  }

  return (age: number) => {
    const plan = pick(['free', 'plus', 'pro'], roll) ?? 'free';
    const country = pick(['CH', 'DE', 'FR'], roll) ?? 'CH';
    const { low, high } = told.mood({ plan, country, age });
    const feels = roll();
    const tone = feels < low ? 'low' : feels < 1 - high ? 'middle' : 'high';
    const rating = pick(told.ratings[tone], roll) ?? 0;
    const isAnswer = content.type === 'open' || content.choices?.[rating]?.words === true;
    const word = isAnswer || roll() < SAYS[tone] ? say(rating, country) : undefined;
    // Only scales and low choices have a contact checkbox.
    const hasCheckbox =
      content.type !== 'thumbs' && (hasScale(content.type) || isLowRating({ content }, rating));
    const mayAsk = hasCheckbox && roll() < WANTS_CONTACT[tone];
    const followUpRequested = mayAsk || undefined;
    const contact = followUpRequested && roll() < LEAVES_ADDRESS ? addressOf(country, roll) : undefined;
    const reasons = content.reasons ?? [];
    const given = reasons[Math.floor(roll() ** MOSTLY_FIRST * reasons.length)]?.code;
    const isAsked = isLow(content.type, rating) && roll() < GIVES_REASON;
    const reason = word?.reason ?? (isAsked ? given : undefined);
    return { rating, text: word?.text, followUpRequested, contact, reason, traits: { plan, country } };
  };
}
