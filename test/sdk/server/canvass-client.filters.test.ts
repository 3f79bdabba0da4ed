import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CanvassClient } from '../../../sdk/server/canvass-client.ts';
import type { EraseQuery } from '../../../sdk/server/contract-types.ts';
import { scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const ERASED = { ok: true, mode: 'survey', responsesDeleted: 0 };
const EXPORTED = { projectId: 'p', exportedAt: '', count: 0, responses: [], dismissals: [] };
const SCORES = { scores: [] };

/** Makes calls without types, like plain JavaScript. */
const loosely = (client: CanvassClient) =>
  client as unknown as Record<
    'erase' | 'exportResponses' | 'pendingScores',
    (query: object | null) => Promise<object>
  >;

async function sentBy(call: (client: ReturnType<typeof loosely>) => Promise<object>, reply: object) {
  const { client, requests } = scriptedClient(Response.json(reply));
  await call(loosely(client));
  return Object.fromEntries(new URL(requests[0]?.url ?? '').searchParams);
}

describe('a filter without a value', () => {
  it.each([
    ['erase', { respondentId: undefined, surveySlug: 'returns' }, 'respondentId'],
    ['erase', { respondentId: 'u', email: null }, 'email'],
    ['exportResponses', { respondentId: undefined }, 'respondentId'],
    ['exportResponses', { surveySlug: null }, 'surveySlug'],
    ['exportResponses', { surveySlug: 'x', from: undefined }, 'from'],
  ] as const)('sends nothing and is named: %s %j', async (name, query, filter) => {
    const { client, requests } = scriptedClient(Response.json({ ...ERASED, ...EXPORTED }));
    const call = loosely(client)[name](query);
    await expect(call).rejects.toThrow(new RegExp(`^${filter} `));
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  it.each(['erase', 'exportResponses'] as const)('sends nothing if it is null: %s', async (name) => {
    const { client, requests } = scriptedClient(Response.json({ ...ERASED, ...EXPORTED }));
    await expect(loosely(client)[name](null)).rejects.toThrow('the filters are null');
    expect(requests).toEqual([]);
  });

  it('is omitted if it only selects a page', async () => {
    const first = { respondentId: 'u', limit: 5, cursor: undefined };
    expect(await sentBy((client) => client.exportResponses(first), EXPORTED)).toEqual({
      respondentId: 'u',
      limit: '5',
    });
    expect(await sentBy((client) => client.pendingScores({ limit: 5, cursor: null }), SCORES)).toEqual({
      limit: '5',
    });
  });
});

describe('a value that is neither text, a whole number nor a boolean', () => {
  it.each([
    ['a Date', { from: new Date(0) }, 'from'],
    ['a list', { respondentId: ['a', 'b'] }, 'respondentId'],
    ['an object', { email: {} }, 'email'],
    ['a part', { limit: 1.5 }, 'limit'],
    ['no number', { limit: Number.NaN }, 'limit'],
    ['half a character', { respondentId: '\ud800' }, 'respondentId'],
  ])('is not sent, and its parameter is named: %s', async (_name, query, parameter) => {
    const { client, requests } = scriptedClient(Response.json(EXPORTED));
    const call = loosely(client).exportResponses(query);
    await expect(call).rejects.toThrow(new RegExp(`^${parameter} `));
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  it('does not include surrogate pairs, numbers and booleans, which are sent', async () => {
    const query = { respondentId: '😀&+', limit: 7, includeFailed: false };
    expect(await sentBy((client) => client.pendingScores(query), SCORES)).toEqual({
      respondentId: '😀&+',
      limit: '7',
      includeFailed: 'false',
    });
  });
});

it('erases an account with true, as text or not', async () => {
  for (const account of [true, 'true'] as const) {
    const { client, requests } = scriptedClient(Response.json({ ok: true, mode: 'account' }));
    await client.erase({ account });
    expect(new URL(requests[0]?.url ?? '').search).toBe('?account=true');
  }
});

it('allows one mode per erasure, checked by its type', () => {
  expectTypeOf<{ respondentId: string; email: string }>().toExtend<EraseQuery>();
  expectTypeOf<{ account: true }>().toExtend<EraseQuery>();
  expectTypeOf<{ respondentId: string; surveySlug: string }>().not.toExtend<EraseQuery>();
  expectTypeOf<{ respondentId: string | undefined }>().not.toExtend<EraseQuery>();
  expectTypeOf<{ respondentId: undefined; surveySlug: string }>().not.toExtend<EraseQuery>();
  expectTypeOf<Record<never, never>>().not.toExtend<EraseQuery>();
});
