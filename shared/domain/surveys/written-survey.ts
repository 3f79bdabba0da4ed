/** A survey as a survey file writes it, in the shortest way: what `survey pull` and the console hold. */

import { formatDuration } from '../duration.ts';
import { periodWanted } from '../retention.ts';
import { formatRepeat, type WrittenRepeat } from './repeat.ts';
import { type DeclaredSegments, declaredSegments } from './segments.ts';
import type { Survey, SurveyContent, SurveyLimits, SurveyStatus } from './survey.ts';

export interface WrittenLimits extends Omit<SurveyLimits, 'quietPeriodMs'> {
  readonly quietPeriod?: string;
}

export interface WrittenSurvey extends SurveyContent {
  readonly status: SurveyStatus;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly repeat?: WrittenRepeat;
  readonly limits?: WrittenLimits;
  readonly segments?: DeclaredSegments;
  /** What was asked for last, though it may not be in force yet. */
  readonly retention?: string;
}

export const writeLimits = ({ quietPeriodMs, ...limits }: SurveyLimits): WrittenLimits => ({
  ...limits,
  ...(quietPeriodMs !== undefined && { quietPeriod: formatDuration(quietPeriodMs) }),
});

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Read as a file it is the same survey. */
export function writeSurvey({
  content,
  status,
  startsAt,
  endsAt,
  repeat,
  limits,
  segments,
  retention,
}: Survey): WrittenSurvey {
  const { slug, type, question, ...others } = content;
  const declared = declaredSegments(segments);
  const period = periodWanted(retention);
  return {
    slug,
    type,
    question,
    status,
    ...others,
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
    ...(repeat !== undefined && { repeat: formatRepeat(repeat) }),
    ...(!isEmpty(limits) && { limits: writeLimits(limits) }),
    ...(!isEmpty(declared) && { segments: declared }),
    ...(period !== null && { retention: period }),
  };
}
