/** Days and answers as files of CSV, with the filters that are set. */

import type { Comment, CommentsReply, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { dayLines } from '../day-lines.ts';
import { type Sources, saidUnder } from '../said-under.ts';
import { BYTE_ORDER_MARK, type Cell, csvLine } from '../write-csv.ts';
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

/** A line for each bucket of the trend. */
export function saveDays(results: ResultsReply): void {
  const { survey, from, to } = results;
  saveAs(`${survey.slug}-days-${from}-${to}.csv`, dayLines(results));
}

/** Waits where the service says that it is asked too fast. @throws Refused */
async function askPatiently(asker: Asker, query: Query, tries = TRIES): Promise<CommentsReply> {
  try {
    return await asker.ask<CommentsReply>('/v1/results/comments', query);
  } catch (error) {
    if (tries === 0 || !(error instanceof Refused) || error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return askPatiently(asker, query, tries - 1);
  }
}

interface AnswersWanted {
  readonly asker: Asker;
  readonly results: ResultsReply;
  readonly filters: Query;
  /** Of the survey. */
  readonly segments: readonly string[];
  readonly sources: Sources;
  readonly tell: (read: number) => void;
}

/** Every answer of the days, with or without text, newest first. @throws Refused */
export async function saveAnswers({
  asker,
  results,
  filters,
  segments,
  sources,
  tell,
}: AnswersWanted): Promise<number> {
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
  const head = ['id', 'at', 'rating', 'text', 'followUpRequested', 'contact', 'respondentId', 'identityKind'];
  const lines = answers.map((answer) => [
    ...[answer.id, answer.at, answer.rating, answer.text, answer.followUpRequested, answer.contact],
    ...[answer.respondentId, answer.identityKind, answer.source],
    ...named.map((name) => saidUnder(name, answer, sources)),
    ...[
      answer.reasons && JSON.stringify(answer.reasons),
      answer.labels && JSON.stringify(answer.labels),
      answer.channel,
    ],
  ]);
  saveAs(`${survey.slug}-answers-${from}-${to}.csv`, [
    [...head, 'source', ...named, 'reasons', 'labels', 'channel'],
    ...lines,
  ]);
  return answers.length;
}
