/** Cursors as a model sees them: numbers of this process. The text of the service's own has ids of answers in it. */

import { ReadError } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Cursors {
  /** The arguments of a call with the service's cursor. @throws ReadError where this process gave no such number */
  taken(fields: Fields): Fields;
  /** A reply with a number in place of `nextCursor`; the same cursor has the same number. */
  shown(reply: unknown): unknown;
}

export function createCursors(): Cursors {
  const given: string[] = [];
  return {
    taken(fields) {
      const { cursor: number } = fields;
      if (number === undefined || number === null) return fields;
      const cursor = given.find((_, index) => String(index + 1) === String(number));
      if (cursor === undefined)
        throw new ReadError('There is no such cursor: give `nextCursor` of a reply, or none to begin anew.');
      return { ...fields, cursor };
    },
    shown(reply) {
      if (!isFields(reply) || typeof reply.nextCursor !== 'string') return reply;
      if (!given.includes(reply.nextCursor)) given.push(reply.nextCursor);
      return { ...reply, nextCursor: String(given.indexOf(reply.nextCursor) + 1) };
    },
  };
}
