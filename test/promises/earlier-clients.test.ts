/** Replays requests that clients of 0.1.0 sent on 2026-11-22. Replies must keep their status and shape. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../local/gateway.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

/** Type names in place of values. A list has one element, with the fields that all its elements share. */
type Shape = string | boolean | null | readonly Shape[] | { readonly [name: string]: Shape };

/** `{2/showTokens/survey:nps}` is a placeholder for a value from the reply to line 2, counted from 0. */
interface Exchange {
  readonly client: string;
  readonly flow: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string is form-encoded. */
  readonly body?: string | object;
  readonly status: number;
  readonly reply?: Shape;
  readonly type?: string;
}

const exchanges: readonly Exchange[] = readFileSync(new URL('earlier-clients.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Compared by value because clients depend on it. */
const LITERAL = ['ok', 'code', 'impressions'];

/** Paths of recorded fields that are missing, null or of another type. Additional fields are allowed. */
function missing(then: Shape | undefined, now: unknown, at = ''): string[] {
  if (then === null || now === null || then === 'traits') return [];
  if (Array.isArray(then)) {
    if (!Array.isArray(now)) return [`${at} is no list`];
    return then.length === 0 ? [] : now.flatMap((one) => missing(then[0], one, `${at}[]`));
  }
  if (typeof then === 'object') {
    if (typeof now !== 'object') return [`${at} is no object`];
    const fields = new Map(Object.entries(now ?? {}));
    return Object.entries(then).flatMap(([name, shape]) =>
      fields.has(name) ? missing(shape, fields.get(name), `${at}.${name}`) : [`${at}.${name} is missing`],
    );
  }
  const found = LITERAL.includes(at.split('.').at(-1) ?? '') ? now : typeof now;
  return found === then ? [] : [`${at} is ${found}, was ${then}`];
}

/** Only clients that name these types receive such surveys. */
const LATER = ['choice', 'open'] as const;

const EACH_SECOND = { answeredMs: 1_000, dismissedMs: 1_000 };

let gateway: Gateway;
let tenant: Tenant;
const service = await createTestService();

beforeAll(async () => {
  gateway = await serveService(service);
  const followUpQuestion = 'Why?';
  const trigger = 'manual';
  tenant = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, [
    aSurvey(
      { repeat: EACH_SECOND },
      {
        slug: 'nps',
        type: 'nps',
        questions: [{ id: 'more', kind: 'text', text: 'Anything else?' }],
        followUpQuestion,
        trigger,
        followUps: [{ ratings: [0], question: 'What went wrong?' }],
        thanks: [{ ratings: [10], text: 'Great!' }, { text: 'Thanks' }],
        locales: { de: { thanks: [{ ratings: [10], text: 'Toll!' }] }, fr: { thanks: { text: 'Merci' } } },
      },
    ),
    aSurvey({ repeat: 'session' }, { slug: 'after-run', type: 'csat', trigger }),
    aSurvey({ repeat: 'observation' }, { slug: 'helpful', type: 'thumbs', followUpQuestion, trigger }),
    aSurvey({ repeat: EACH_SECOND }, { slug: 'page-helpful', type: 'thumbs', followUpQuestion, trigger }),
    ...LATER.map((type) => aSurvey({}, { slug: type, type, priority: 9 })),
  ]);
});
afterAll(() => gateway.stop());

it('answers the clients of 0.1.0 as it did when they were released', async () => {
  const { publishableKey, secretKey, surveys } = tenant;
  const known = new Map([
    ['key', publishableKey],
    ['secretKey', secretKey],
    ...surveys.map(({ id, content }): [string, string] => [`survey:${content.slug}`, id]),
  ]);
  const replies: unknown[] = [];
  const valueAt = (place: string): string => {
    const [first = '', ...path] = place.split('/');
    if (path.length === 0) return known.get(first) ?? place;
    const found = path.reduce<unknown>(
      (value, name) => Object(value)[known.get(name) ?? name],
      replies[Number(first)],
    );
    return String(found);
  };
  const filled = (text: string): string => text.replace(/\{([\w:/-]+)\}/g, (_, place) => valueAt(place));

  const differences: string[] = [];
  for (const { client, flow, method, path, headers, body, status, reply, type } of exchanges) {
    service.clock.advance(100);
    const response = await fetch(gateway.url + filled(path), {
      method,
      headers: { ...headers, ...(headers.authorization && { authorization: filled(headers.authorization) }) },
      ...(body !== undefined && { body: filled(typeof body === 'string' ? body : JSON.stringify(body)) }),
    });
    const text = await response.text();
    const json = reply === undefined ? undefined : JSON.parse(text);
    replies.push(json);
    const found = [
      ...(response.status === status ? [] : [`status ${response.status}, was ${status}: ${text}`]),
      ...(reply === undefined ? [] : missing(JSON.parse(filled(JSON.stringify(reply))), json)),
      ...(type === undefined || response.headers.get('content-type') === type
        ? []
        : ['another content-type']),
    ];
    differences.push(...found.map((one) => `${client}, ${flow}, ${method} ${path}: ${one}`));
  }
  expect(differences).toEqual([]);
  // The texts by rating are left out, and the others have the shape of that time.
  const served = replies.flatMap((reply): object[] => Object(reply).surveys ?? []);
  const definitions = served.filter((one) => 'presentation' in one);
  const ofNps = definitions.filter((one) => 'slug' in one && one.slug === 'nps');
  expect(ofNps.length).toBeGreaterThan(0);
  for (const one of definitions) expect(LATER).not.toContain(Reflect.get(one, 'type'));
  for (const one of ofNps) {
    expect(one).not.toHaveProperty('followUps');
    const texts = { followUpQuestion: 'Why?', thanks: { text: 'Thanks' } };
    expect(one).toMatchObject(texts);
    expect(Reflect.get(one, 'locales')).toEqual({ de: {}, fr: { thanks: { text: 'Merci' } } });
  }
  expect(replies).toHaveLength(83);
});
