/** A survey in the shortest file form, for `survey pull` and the console. */

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
  /** The latest request, which may not be in force yet. */
  readonly retention?: string;
}

export const writeLimits = ({ quietPeriodMs, ...limits }: SurveyLimits): WrittenLimits => ({
  ...limits,
  ...(quietPeriodMs !== undefined && { quietPeriod: formatDuration(quietPeriodMs) }),
});

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** The inverse of reading a survey file. */
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
