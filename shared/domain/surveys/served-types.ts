/** Which surveys a client is served: those that it can draw, and ask where and when they are meant (docs/contract.md §3.3). */

import type { TypesUnlessSaid } from '../project.ts';
import { SURVEY_TYPES, type SurveyContent, type SurveyType, TYPES } from './survey.ts';

/** Types that clients get without listing them. */
const UNLISTED: Readonly<Record<TypesUnlessSaid, readonly SurveyType[]>> = {
  'first-four': SURVEY_TYPES.filter((type) => TYPES[type].unlisted === 'always'),
  all: SURVEY_TYPES.filter((type) => ['always', 'all'].includes(TYPES[type].unlisted)),
};

/**
 * Names, separated by commas; those that mean nothing here are among them.
 * @param said what the client knows besides the first four; undefined where it does not say
 */
export function servedTypes(
  said: string | undefined,
  unlessSaid: TypesUnlessSaid = 'all',
): ReadonlySet<string> {
  const listed = said?.split(',').map((name) => name.trim());
  return new Set(listed === undefined ? UNLISTED[unlessSaid] : [...UNLISTED['first-four'], ...listed]);
}

/** Whether a client asks a survey as it is meant. */
export const isServedTo = (
  types: ReadonlySet<string>,
  { type, pages, on }: Pick<SurveyContent, 'type' | 'pages' | 'on'>,
): boolean =>
  types.has(type) && (pages === undefined || types.has('pages')) && (on === undefined || types.has('events'));
