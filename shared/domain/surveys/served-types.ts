/** Which surveys a client is served: those that it can draw, and ask where and when they are meant (docs/contract.md §3.3). */

import type { TypesUnlessSaid } from '../project.ts';
import type { SurveyContent, SurveyType } from './survey.ts';

/** What every client draws. */
const FIRST_FOUR: readonly SurveyType[] = ['nps', 'csat', 'ces', 'pmf'];

/** What clients that name nothing are served besides. A type that comes later is in neither: it has to be named. */
const BESIDES: Readonly<Record<TypesUnlessSaid, readonly SurveyType[]>> = {
  'first-four': [],
  all: ['thumbs'],
};

/**
 * Names, separated by commas; those that mean nothing here are among them.
 * @param said what the client knows besides the first four; undefined where it does not say
 */
export function servedTypes(
  said: string | undefined,
  unlessSaid: TypesUnlessSaid = 'all',
): ReadonlySet<string> {
  const besides = said?.split(',').map((name) => name.trim()) ?? BESIDES[unlessSaid];
  return new Set([...FIRST_FOUR, ...besides]);
}

/** Whether a client asks a survey as it is meant. */
export const isServedTo = (
  types: ReadonlySet<string>,
  { type, pages, on }: Pick<SurveyContent, 'type' | 'pages' | 'on'>,
): boolean =>
  types.has(type) && (pages === undefined || types.has('pages')) && (on === undefined || types.has('events'));
