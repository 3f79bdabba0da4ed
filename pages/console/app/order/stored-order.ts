/** The order as the service has it, beside what somebody has moved, and who chose it where both have. */

import type {
  DefinitionsReply,
  PutDefinitionsReply,
} from '../../../../shared/contract/definition-schemas.ts';
import { meetOrder, type Ordering } from '../../rules/survey-order.ts';
import { type Definitions, readDefinitions } from '../editor/definitions.ts';
import type { Session } from '../session/session.tsx';

const PATH = '/v1/surveys/definitions';

export interface FoundOrder {
  readonly definitions: Definitions;
  readonly ordering: Ordering;
  /** Who stored the order that is to be decided about; null where that was not noted, or is long ago. */
  readonly theirsBy: string | null;
}

async function whoReordered(ask: Session['ask']): Promise<string | null> {
  const { log = [] } = await ask<DefinitionsReply>(PATH, { query: { limit: '1', log: 'true' } });
  return log.find(({ reordered }) => reordered)?.changedBy ?? null;
}

/**
 * @param latest what somebody has moved by then stays so
 * @throws Refused
 */
export async function readOrder(ask: Session['ask'], latest: () => Ordering): Promise<FoundOrder> {
  const definitions = await readDefinitions(ask);
  const meet = () => meetOrder(latest(), definitions.order);
  const theirsBy = meet().theirs === undefined ? null : await whoReordered(ask).catch(() => null);
  return { definitions, ordering: meet(), theirsBy };
}

/**
 * Stores it as it was shown.
 * @param revision that was shown
 * @throws Refused: `surveys_changed` where somebody was first
 */
export const storeOrder = (
  ask: Session['ask'],
  revision: number,
  order: readonly string[],
): Promise<PutDefinitionsReply> =>
  ask<PutDefinitionsReply>(PATH, { method: 'PUT', body: { revision, surveys: [], order } });
