/** What the rows of a respondent's partition say of their history. */

import type { History } from '../../domain/eligibility.ts';
import type { Item } from '../table/item.ts';
import { issueTimeOfAnswer, TABLE, tokenIdOfAnswer } from '../table/schema.ts';
import { momentText, suppressedMoments, suppressedSurveys } from './suppression-item.ts';

/**
 * Answers carry a survey id and a moment; retained suppression carries sets of both, of what was erased and of what was folded.
 * An answer that is folded may be read as well: the same moment counts once. A tombstone says nothing that the
 * retained suppression does not.
 */
export function historyOf(items: readonly Item[]): History {
  const surveyIds = new Set<string>();
  const times = new Map<string, number>();
  const unfolded: number[] = [];
  const foldedUpTo = items.find(({ type }) => type === 'suppression')?.foldedUpTo ?? 0;
  for (const item of items) {
    if (item.type === 'suppression') {
      for (const surveyId of suppressedSurveys(item)) surveyIds.add(surveyId);
      for (const moment of suppressedMoments(item)) times.set(momentText(moment), moment.at);
    } else if (item.type === 'response' || item.type === 'dismissal') {
      const sk = item[TABLE.sortKey];
      const moment = { at: Date.parse(item.at), tokenId: tokenIdOfAnswer(sk) };
      surveyIds.add(item.surveyId);
      times.set(momentText(moment), moment.at);
      const issuedAt = issueTimeOfAnswer(sk);
      if (issuedAt >= foldedUpTo) unfolded.push(issuedAt);
    }
  }
  return { surveyIds, times: [...times.values()], unfolded };
}
