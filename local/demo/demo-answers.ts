/**
 * Some hundred answers of half a year for the demo project, so that its results show something: stored by the stores and
 * counted from the stream like all others. They depend on the project alone, so storing them again stores nothing twice.
 */

import { composeTokenId } from '../../shared/crypto/ids.ts';
import type { AnswerStore } from '../../shared/data/answers/answer-store.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import type { ShowStore } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { chooseReasons } from '../../shared/domain/surveys/reasons.ts';
import { SCALES } from '../../shared/domain/surveys/survey.ts';

/** A quarter, and the one before it to be compared with. */
const HALF_YEAR_MS = 180 * DAY;
const QUARTER_MS = 90 * DAY;
const PEOPLE = 240;
const WRITES_IN_FLIGHT = 8;

/** By slug: what people say, from the happiest to the unhappiest. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  recommend: [
    'Support solved it in one mail. Thank you!',
    'Livraison rapide, bien emballé.',
    'Everything arrived in one parcel, a day early.',
    'My colleagues ask me where the pots are from.',
    'Easy to order again from the last receipt.',
    'Good range, slow search.',
    'Nice, though I wish you had gift wrapping.',
    'Fine so far. Filters by size would help.',
    'Good quality, but shipping costs as much as the mug.',
    'The vase was lovely, the box was not: it arrived chipped.',
    'I could not find what I had seen in the newsletter.',
    'Delivery took nine days, and nobody told me why.',
    'Three mails to support and no answer yet.',
  ],
  checkout: [
    'Two taps and done.',
    'I like that it remembers my size.',
    'Clear, no surprises at the end.',
    'Fine, but I looked for the voucher field for a while.',
    'I had to enter my address again.',
    'It jumped back to the first step when I changed the amount.',
    'My card was charged twice.',
  ],
  returns: [
    'Easier than buying it.',
    'The label was in the box already.',
    'Fine. A tracking number would be good.',
    'I had to print the label at work.',
    'The refund took two weeks.',
    'Three mails until I got my money back.',
  ],
  'miss-us': [
    'Nobody else has my size in stock.',
    'It is where I buy every present.',
    'The shop is fine, the newsletter is better.',
    'I could do without.',
    'I would buy elsewhere.',
  ],
};

/** Of a survey with reasons, how often the first ones are given. */
const MOSTLY_FIRST = 2;

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns whether all are stored: not, when the signal ended it */
export async function storeDemoAnswers(
  { project, surveys }: Pick<ProjectRecord, 'project' | 'surveys'>,
  { answers, shows }: { readonly answers: AnswerStore; readonly shows: ShowStore },
  signal: AbortSignal,
): Promise<boolean> {
  const projectId = project.id;
  const show = { projectId, windowMs: QUARTER_MS, surveys: surveys.length };
  const visits: (() => Promise<unknown>)[] = [];
  for (const [index, survey] of surveys.entries()) {
    const { id: surveyId, content } = survey;
    const words = WORDS[content.slug];
    const { min, max } = SCALES[content.type];
    const roll = createDice(index + 1);
    for (let number = 0; words && number < PEOPLE; number++) {
      const age = roll();
      const at = Date.parse(project.createdAt) - HOUR - Math.floor(age * HALF_YEAR_MS);
      const tokenId = composeTokenId(at, Buffer.from(Array.from({ length: 10 }, () => roll() * 256)));
      const person = { surveyId, tokenId, respondentId: `shopper-${index + 1}-${number}` };
      const moment = { at: new Date(at + MINUTE).toISOString(), tokenExpiresAt: at + DAY };
      const plan = ['free', 'plus', 'pro'][Math.floor(roll() * 3)] ?? 'free';
      const country = ['CH', 'DE', 'FR'][Math.floor(roll() * 3)] ?? 'CH';
      // People grew happier over the half-year, those who pay most.
      const grief = roll() * (0.6 + 0.4 * age) * (plan === 'pro' ? 0.8 : 1);
      const rating = max - Math.floor(grief ** 2 * (max - min + 1));
      const text = roll() < 0.3 ? words[Math.floor(grief * words.length)] : undefined;
      // Some ask to be contacted and write nothing.
      const followUpRequested = (grief > 0.55 && (text !== undefined || number % 3 === 0)) || undefined;
      // Not everybody leaves an address; of the others the server knows who they are.
      const contact = followUpRequested && number % 2 === 0 ? `shopper${number}@example.com` : undefined;
      const given = content.reasons?.[Math.floor(roll() ** MOSTLY_FIRST * content.reasons.length)];
      const wanted = given && number % 4 !== 0 ? [given.code] : undefined;
      const { reasons } = chooseReasons(survey, rating, wanted);
      const people = { followUpRequested, contact, traits: { plan, country } };
      const said = { rating, text, reasons, ...people, attested: {}, claimed: {} };
      const response = { kind: 'response', source: 'sdk', identityKind: 'identified', ...said } as const;
      const outcome = roll();
      visits.push(async () => {
        await shows.record({ ...show, claims: { ...person, expiresAt: at + DAY } }, at);
        if (outcome < 0.7) {
          const answer = outcome < 0.55 ? response : ({ kind: 'dismissal' } as const);
          await answers.redeem({ ...person, ...moment, projectId, ...answer });
        }
      });
    }
  }
  await inFlight(visits, WRITES_IN_FLIGHT, async (store) => signal.aborted || store());
  return !signal.aborted;
}
