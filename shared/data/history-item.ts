/** What the rows of a respondent's partition say of their history. */

import type { History } from '../domain/eligibility.ts';
import type { Item } from './item.ts';
import { momentOfText } from './suppression-item.ts';

/**
 * Answers carry a survey id and a moment; the retained suppression of an erased past carries sets of both
 * (`surveyIds`, `answerTimes`). A tombstone says nothing that the retained suppression does not.
 */
export function historyOf(items: readonly Item[]): History {
  const surveyIds = new Set<string>();
  const times: number[] = [];
  for (const item of items) {
    if (item.type === 'tombstone') continue;
    if (item.surveyId !== undefined) surveyIds.add(item.surveyId);
    if (item.at !== undefined) times.push(Date.parse(item.at));
    for (const surveyId of item.surveyIds ?? []) surveyIds.add(surveyId);
    for (const moment of item.answerTimes ?? []) times.push(momentOfText(moment).at);
  }
  return { surveyIds, times };
}
