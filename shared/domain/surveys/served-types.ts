/** Which types of surveys a client is served (docs/contract.md §3.3). */

import type { TypesUnlessSaid } from '../project.ts';
import type { SurveyType } from './survey.ts';

/** What every client draws. */
const FIRST_FOUR: readonly SurveyType[] = ['nps', 'csat', 'ces', 'pmf'];

/** What clients that name nothing are served besides. A type that comes later is in neither: it has to be named. */
const BESIDES: Readonly<Record<TypesUnlessSaid, readonly SurveyType[]>> = {
  'first-four': [],
  all: ['thumbs'],
};

/**
 * Names, separated by commas; those that mean nothing here are among them.
 * @param said what the client draws besides the first four; undefined where it does not say
 */
export function servedTypes(
  said: string | undefined,
  unlessSaid: TypesUnlessSaid = 'all',
): ReadonlySet<string> {
  const besides = said?.split(',').map((name) => name.trim()) ?? BESIDES[unlessSaid];
  return new Set([...FIRST_FOUR, ...besides]);
}
