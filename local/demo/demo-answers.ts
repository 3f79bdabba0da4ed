/** The answers depend only on the project, so storing them again adds nothing. */

import { composeTokenId } from '../../shared/crypto/ids.ts';
import type { AnswerStore } from '../../shared/data/answers/answer-store.ts';
import type { ProjectRecord } from '../../shared/data/projects/project-record.ts';
import type { ShowStore } from '../../shared/data/shows/show-store.ts';
import { inFlight } from '../../shared/data/table/retry.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { chooseReasons } from '../../shared/domain/surveys/reasons.ts';
import { createTeller } from './demo-people.ts';

const HALF_YEAR_MS = 180 * DAY;
const QUARTER_MS = 90 * DAY;
const PEOPLE = 560;
const PEOPLE_OF_THUMBS = 160;
const MOSTLY_LATE = 1.2;
const [ANSWER, ANSWER_OR_DISMISS] = [0.62, 0.76] as const;
const WRITES_IN_FLIGHT = 8;

/** From 0 to 1 (mulberry32). */
export function createDice(seed: number): () => number {
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
    const length = survey.content.type === 'thumbs' ? PEOPLE_OF_THUMBS : PEOPLE;
    const ages = Array.from({ length }, () => roll() ** MOSTLY_LATE);
    // In order, so that comments do not repeat.
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
      if (isReply && outcome >= ANSWER) continue;
      visits.push(async () => {
        const show = { projectId, windowMs: QUARTER_MS, surveys: surveys.length };
        if (!isReply) await shows.record({ ...show, claims: { ...person, expiresAt } }, shownAt);
        const at = new Date(shownAt + MINUTE).toISOString();
        if (outcome >= ANSWER_OR_DISMISS) return;
        await answers.redeem({ ...person, projectId, at, tokenExpiresAt: expiresAt, ...answer });
      });
    }
  }
  await inFlight(visits, WRITES_IN_FLIGHT, async (store) => signal.aborted || store());
  return !signal.aborted;
}
