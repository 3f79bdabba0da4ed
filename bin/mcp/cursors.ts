/** Replaces cursors by numbers, because the service's cursors contain ids of answers. */

import { ReadError } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Cursors {
  /** @throws ReadError for an unknown number */
  taken(fields: Fields): Fields;
  /** Equal cursors get equal numbers. */
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
        throw new ReadError(
          'There is no such cursor. Use `nextCursor` of a reply, or none to start from the beginning.',
        );
      return { ...fields, cursor };
    },
    shown(reply) {
      if (!isFields(reply) || typeof reply.nextCursor !== 'string') return reply;
      if (!given.includes(reply.nextCursor)) given.push(reply.nextCursor);
      return { ...reply, nextCursor: String(given.indexOf(reply.nextCursor) + 1) };
    },
  };
}
