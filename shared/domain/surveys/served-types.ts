/** Selects surveys that a client can draw and whose conditions it supports (docs/contract.md §3.3). */

import type { TypesUnlessSaid } from '../project.ts';
import { SURVEY_TYPES, type SurveyContent, type SurveyType, TYPES } from './survey.ts';

const UNLISTED: Readonly<Record<TypesUnlessSaid, readonly SurveyType[]>> = {
  'first-four': SURVEY_TYPES.filter((type) => TYPES[type].unlisted === 'always'),
  all: SURVEY_TYPES.filter((type) => ['always', 'all'].includes(TYPES[type].unlisted)),
};

/**
 * May contain unknown names.
 * @param said the client's comma-separated types besides the first four; undefined if it lists none
 */
export function servedTypes(
  said: string | undefined,
  unlessSaid: TypesUnlessSaid = 'all',
): ReadonlySet<string> {
  const listed = said?.split(',').map((name) => name.trim());
  return new Set(listed === undefined ? UNLISTED[unlessSaid] : [...UNLISTED['first-four'], ...listed]);
}

export const isServedTo = (
  types: ReadonlySet<string>,
  { type, pages, on }: Pick<SurveyContent, 'type' | 'pages' | 'on'>,
): boolean =>
  types.has(type) && (pages === undefined || types.has('pages')) && (on === undefined || types.has('events'));
