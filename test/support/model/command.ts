import fc from 'fast-check';
import { expect } from 'vitest';
import type { Reply } from '../service/test-service.ts';
import { type Model, PEOPLE, type Real } from './world.ts';

export type Command = fc.AsyncCommand<Model, Real>;
type Run = (model: Model, real: Real) => Promise<void>;

export const command = (
  name: string,
  run: Run,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check,
  run,
  toString: () => name,
});

export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('nothing to choose from');
  return item;
}

export const project = fc.nat({ max: 1 });
export const instance = fc.nat({ max: 1 });
export const person = fc.constantFrom(...PEOPLE);
export const hasTokens = ({ tokens }: Readonly<Model>) => tokens.length > 0;

export const outcomeOf = ({ status, body }: Reply): string =>
  body.error === undefined ? String(status) : `${status} ${body.error.code}`;

/** A lagging index shows each id at most once. */
export function expectAmong(shown: readonly string[], ids: readonly string[]): void {
  expect(new Set(shown).size).toBe(shown.length);
  expect(ids).toEqual(expect.arrayContaining([...shown]));
}
