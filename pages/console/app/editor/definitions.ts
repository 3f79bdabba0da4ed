/** The project's surveys as they are now, all of one revision. */

import type { DefinitionsReply } from '../../../../shared/contract/definition-schemas.ts';
import { Refused } from '../session/ask.ts';
import type { Session } from '../session/session.tsx';

export interface Definitions
  extends Pick<DefinitionsReply, 'revision' | 'order' | 'surveys' | 'lastChanges'> {}

export const PATH = '/v1/surveys/definitions';
/** How often somebody may change them between two pages. */
const MOST_TRIES = 3;

async function readPages(ask: Session['ask']): Promise<Definitions> {
  let page = await ask<DefinitionsReply>(PATH, { query: { limit: '100' } });
  const surveys = [...page.surveys];
  let { lastChanges } = page;
  while (page.nextCursor !== undefined) {
    page = await ask<DefinitionsReply>(PATH, { query: { limit: '100', cursor: page.nextCursor } });
    surveys.push(...page.surveys);
    lastChanges = { ...lastChanges, ...page.lastChanges };
  }
  return { revision: page.revision, order: page.order, surveys, lastChanges };
}

/** @throws Refused */
export async function readDefinitions(ask: Session['ask']): Promise<Definitions> {
  for (let tries = 1; ; tries++) {
    try {
      return await readPages(ask);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'surveys_changed' || tries === MOST_TRIES)
        throw error;
    }
  }
}
