/** The survey file that the console hands out: it says what `survey pull` writes into a new file. */

import { parseDocument } from 'yaml';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';

interface PulledFrom {
  readonly project: string;
  readonly revision: number;
}

/** Texts are quoted where they would mean something else; lines are as long as they are. */
export function surveyFileText(pulled: PulledFrom, surveys: readonly WrittenSurvey[]): string {
  const document = parseDocument('surveys: []');
  document.set('surveys', document.createNode(surveys, { aliasDuplicateObjects: false }));
  document.set('pulled', document.createNode(pulled, { flow: true }));
  return document.toString({ lineWidth: 0 });
}
