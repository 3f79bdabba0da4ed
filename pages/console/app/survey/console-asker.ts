import { type Asker, Refused } from '../../../results/script/ask.ts';
import { Refused as ConsoleRefused } from '../session/ask.ts';
import type { Session } from '../session/session.tsx';

/** What only some who look may see: a key without it is refused as if it were none. */
const OF_PEOPLE: readonly string[] = ['/v1/results/comments', '/v1/contacts'];

function retold(error: unknown): never {
  throw error instanceof ConsoleRefused ? new Refused(error.status, error.message) : error;
}

/** Results are asked for as the console asks. */
export const consoleAsker = (ask: Session['ask']): Asker => ({
  ask: <Reply>(path: string, query = {}) =>
    ask<Reply>(path, { query, isOptional: OF_PEOPLE.includes(path) }).catch(retold),
  put: (path, body) => ask<unknown>(path, { method: 'PUT', body }).catch(retold),
});
