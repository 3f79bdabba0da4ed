/** A survey as operators read it: fields named and written as in the survey file. */

import { formatDuration } from '../../shared/domain/duration.ts';
import type { Survey } from '../../shared/domain/survey.ts';

function limitsView({ quietPeriodMs, ...limits }: Survey['limits']) {
  return { ...limits, ...(quietPeriodMs !== undefined && { quietPeriod: formatDuration(quietPeriodMs) }) };
}

/** @param responses accepted ones so far; counted asynchronously */
export function surveyView({ id, content, status, startsAt, endsAt, limits }: Survey, responses: number) {
  const { slug, type, question, ...others } = content;
  return {
    id,
    slug,
    type,
    status,
    question,
    ...others,
    startsAt: startsAt ?? null,
    endsAt: endsAt ?? null,
    limits: limitsView(limits),
    responses,
  };
}
