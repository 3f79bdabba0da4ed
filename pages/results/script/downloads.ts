/** Downloads as CSV, with the current filters. */

import type { Comment, CommentsReply, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { fieldsIn } from '../../../shared/domain/answers/answer-fields.ts';
import { type Sources, saidUnder } from '../comment.ts';
import { BYTE_ORDER_MARK, type Cell, csvLine, dayLines } from '../write-csv.ts';
import { type Asker, type Query, Refused } from './ask.ts';

const MOST_PER_PAGE = '100';
const TRIES = 5;
const WAIT_MS = 3_000;

function saveAs(name: string, lines: readonly (readonly Cell[])[]): void {
  const text = BYTE_ORDER_MARK + lines.map(csvLine).join('');
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

export function saveDays(results: ResultsReply): void {
  const { survey, from, to } = results;
  saveAs(`${survey.slug}-trend-${from}-${to}.csv`, dayLines(results));
}

/** Waits while the service throttles. @throws Refused */
async function askPatiently(asker: Asker, query: Query, tries = TRIES): Promise<CommentsReply> {
  try {
    return await asker.ask<CommentsReply>('/v1/results/comments', query);
  } catch (error) {
    if (tries === 0 || !(error instanceof Refused) || error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return askPatiently(asker, query, tries - 1);
  }
}

const FIRST: readonly (keyof Comment)[] = [
  ...(['id', 'at', 'rating', 'text', 'followUpRequested', 'contact'] as const),
  ...(['respondentId', 'identityKind', 'source'] as const),
];
/** Segments have columns of their own. */
const SEGMENTED: readonly (keyof Comment)[] = ['traits', 'taskType'];

/** Lists and maps become JSON. */
const cellOf = (value: Comment[keyof Comment]): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

interface AnswersWanted {
  readonly asker: Asker;
  readonly results: ResultsReply;
  readonly filters: Query;
  readonly segments: readonly string[];
  readonly sources: Sources;
  readonly tell: (read: number) => void;
}

/** All responses of the period, newest first. @throws Refused */
export async function saveAnswers(wanted: AnswersWanted): Promise<number> {
  const { asker, results, filters, segments, sources, tell } = wanted;
  const { survey, from, to } = results;
  const answers: Comment[] = [];
  const asked = { surveyId: survey.id, from, to, ...filters, withText: 'false', limit: MOST_PER_PAGE };
  let cursor: string | undefined;
  do {
    const page = await askPatiently(asker, { ...asked, cursor });
    answers.push(...page.comments);
    cursor = page.nextCursor;
    tell(answers.length);
  } while (cursor !== undefined);
  const named = segments.filter((name) => name !== 'identityKind');
  // New columns are last, because readers may count them.
  const others = fieldsIn('comments').filter((name) => name !== 'answers' && !SEGMENTED.includes(name));
  const last = [...others.filter((name) => !FIRST.includes(name)), 'answers'] as const;
  const lines = answers.map((answer) => [
    ...FIRST.map((name) => cellOf(answer[name])),
    ...named.map((name) => saidUnder(name, answer, sources)),
    ...last.map((name) => cellOf(answer[name])),
  ]);
  saveAs(`${survey.slug}-answers-${from}-${to}.csv`, [[...FIRST, ...named, ...last], ...lines]);
  return answers.length;
}
