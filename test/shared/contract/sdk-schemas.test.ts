import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { responseInput } from '../../../shared/contract/sdk-schemas.ts';

const VALID = { showToken: 'token', surveyId: 'sv_1', rating: 8 };

function wrongFields(fields: Record<string, unknown>): unknown[] {
  const parsed = z.safeParse(responseInput(), { ...VALID, ...fields });
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path: [field] }) => field))];
}

const oneKey = (length: number) => ({ k: 'v'.repeat(length) });
/** The number of characters around the value of the key `k` in `{"k":""}`. */
const AROUND = 8;
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('a response', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no showToken', { showToken: undefined }, 'showToken'],
    ['an empty showToken', { showToken: '' }, 'showToken'],
    ['a showToken longer than one can be', { showToken: 'A'.repeat(1_025) }, 'showToken'],
    ['a showToken that is a number', { showToken: 5 }, 'showToken'],
    ['showToken null', { showToken: null }, 'showToken'],
    ['showToken in a list', { showToken: ['x'] }, 'showToken'],
    ['no surveyId', { surveyId: undefined }, 'surveyId'],
    ['an empty surveyId', { surveyId: '' }, 'surveyId'],
    ['a surveyId with a lone surrogate', { surveyId: 'sv_\ud800' }, 'surveyId'],
    ['no rating', { rating: undefined }, 'rating'],
    ['rating null', { rating: null }, 'rating'],
    ['rating as text', { rating: '4' }, 'rating'],
    ['a fraction', { rating: 4.5 }, 'rating'],
    ['an infinite rating', { rating: Number.POSITIVE_INFINITY }, 'rating'],
    ['a rating above the outer bound', { rating: 11 }, 'rating'],
    ['a rating below the outer bound', { rating: -1 }, 'rating'],
  ])('rejects %s', (_, fields, field) => {
    expect(wrongFields(fields)).toEqual([field]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['50 traits', { traits: keys(50) }],
    ['4,096 bytes of traits', { traits: oneKey(4_096 - AROUND) }],
    ['4,096 bytes of traits in fewer characters', { traits: { k: 'ü'.repeat(2_044) } }],
    ['a taskType of 64 bytes', { taskType: 'ü'.repeat(32) }],
    ['a contact of 256 bytes', { contact: 'ü'.repeat(128) }],
    ['a text of 5,000 characters', { text: '😀'.repeat(5_000) }],
    ['ids of 256 bytes', { userId: 'ü'.repeat(128), sessionId: '😀'.repeat(64), traceId: 'x'.repeat(256) }],
  ])('accepts %s', (_, fields) => {
    expect(z.parse(responseInput(), { ...VALID, ...fields })).toEqual({ ...VALID, ...fields });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a text that is none', { text: 1 }],
    ['followUpRequested as text', { followUpRequested: 'true' }],
    ['an unknown identityKind', { identityKind: 'robot' }],
    ['a userId of 257 bytes', { userId: `${'ü'.repeat(128)}x` }],
    ['a sessionId with a lone surrogate', { sessionId: '\udfff' }],
    ['a traceId of 257 bytes', { traceId: 'x'.repeat(257) }],
    ['an empty observationId', { observationId: '' }],
    ['a taskType of 65 bytes', { taskType: `${'ü'.repeat(32)}x` }],
    ['a contact of 257 bytes', { contact: 'x'.repeat(257) }],
    ['a contact that is none', { contact: { email: 'ann@example.org' } }],
    ['traits that are none', { traits: ['x'] }],
    ['traits as text', { traits: '{}' }],
  ])('drops %s', (_, fields) => {
    expect(z.parse(responseInput(), { ...VALID, ...fields })).toEqual({
      ...VALID,
      ...Object.fromEntries(Object.keys(fields).map((name) => [name, undefined])),
    });
  });

  it.each<[string, unknown, unknown]>([
    ['5,001 characters', 'x'.repeat(5_001), 'x'.repeat(5_000)],
    ['5,001 characters outside the basic plane', '😀'.repeat(5_001), '😀'.repeat(5_000)],
    ['half a character', 'a\ud83d', 'a\ufffd'],
  ])('keeps the valid beginning of a text of %s', (_, sent, text) => {
    expect(z.parse(responseInput(), { ...VALID, text: sent }).text).toBe(text);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['51', keys(51), keys(50)],
    ['4,097 bytes', oneKey(4_097 - AROUND), {}],
    ['4,098 bytes in fewer characters', { k: 'ü'.repeat(2_045) }, {}],
    ['a nested one', { a: [] }, { a: '[]' }],
    ['an infinite one', { a: Number.POSITIVE_INFINITY }, {}],
  ])('keeps the traits that fit: %s', (_, sent, traits) => {
    expect(z.parse(responseInput(), { ...VALID, traits: sent }).traits).toEqual(traits);
  });
});
