import { afterEach, expect, it, vi } from 'vitest';
import { log } from '../../../../sdk/browser/client/debug.ts';
import { type CanvassError, createEmitter } from '../../../../sdk/browser/client/events.ts';

afterEach(() => vi.restoreAllMocks());

const KEY = 'svc_pk_1';
const SERVICE = 'https://surveys.example.com';

async function said(options: { key?: string; baseUrl?: string }, error?: CanvassError): Promise<string> {
  const lines = vi.spyOn(console, 'info').mockReturnValue();
  const { on, emit } = createEmitter();
  log(on, options);
  if (error) emit('error', error);
  await Promise.resolve();
  return lines.mock.calls.map((line) => line.slice(1).join(' ')).join('\n');
}

it.each([
  [{}, /^the option key is missing.*\nthe option baseUrl is missing/],
  [
    { key: KEY, baseUrl: 'surveys.example.com' },
    /^baseUrl "surveys.example.com" does not begin with https:\/\/, so/,
  ],
  [{ key: KEY, baseUrl: '/surveys' }, /is a path of this page\.$/],
  [{ key: KEY, baseUrl: SERVICE }, /^$/],
])('prints for the options %j: %s', async (options, line) => {
  expect(await said(options)).toMatch(line);
});

it.each<[CanvassError, string]>([
  [{ cause: new Error('boom') }, 'failed: Error: boom'],
  [{ missing: ['surveyId'] }, 'bind() failed: the binding has no surveyId.'],
  [{ status: 0, cause: new TypeError('Failed') }, `no reply came from ${SERVICE}. TypeError: Failed`],
  [{ status: 404 }, `the reply (404) is not from the service. Is ${SERVICE} its address?`],
  [
    { status: 200, cause: 'no JSON' },
    `the reply (200) is not from the service. Is ${SERVICE} its address? no JSON`,
  ],
  [{ status: 413 }, 'the service answered 413.'],
  [{ status: 503, code: 'temporarily_unavailable' }, 'the service answered 503 temporarily_unavailable.'],
  [
    { status: 401, code: 'token_mismatch', missing: ['traceId'] },
    'the service answered 401 token_mismatch. Missing: traceId.',
  ],
])('explains the error %o', async (error, line) => {
  expect(await said({ key: KEY, baseUrl: SERVICE }, error)).toBe(line);
});
