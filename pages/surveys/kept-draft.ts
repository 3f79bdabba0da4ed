/** What somebody has typed of a survey and not published: kept until they do, or discard it. */

import { canonicalText } from '../../shared/domain/canonical-text.ts';
import type { WrittenSurvey } from '../../shared/domain/surveys/written-survey.ts';
import { isWrittenSurvey } from './edited-survey.ts';

export interface KeptDraft {
  /** As they have it. */
  readonly mine: WrittenSurvey;
  /** As it was when they began; absent of a new one. */
  readonly base?: WrittenSurvey | undefined;
  /** Of the project's surveys, when they began. */
  readonly revision: number;
  /** When they typed last, milliseconds since the epoch. */
  readonly at: number;
}

/** Whether what a tab kept is a draft: an earlier release may have kept something else. */
export const isKeptDraft = (value: unknown): value is KeptDraft =>
  typeof value === 'object' &&
  value !== null &&
  'mine' in value &&
  isWrittenSurvey(value.mine) &&
  (!('base' in value) || value.base === undefined || isWrittenSurvey(value.base)) &&
  'revision' in value &&
  typeof value.revision === 'number' &&
  'at' in value &&
  typeof value.at === 'number';

/** Whether there is anything to keep. A new survey is, from its first letter on. */
export const hasChanges = ({ mine, base }: Pick<KeptDraft, 'mine' | 'base'>): boolean =>
  base === undefined || canonicalText(mine) !== canonicalText(base);
