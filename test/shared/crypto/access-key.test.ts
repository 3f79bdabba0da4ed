import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  checkAccessKey,
  composeAccessKey,
  hashAccessKey,
  KEY_RANDOM_BYTES,
  parseAccessKey,
} from '../../../shared/crypto/access-key.ts';
import type { KeyKind } from '../../../shared/domain/project.ts';

const SECRET = randomBytes(32);
const random = randomBytes(KEY_RANDOM_BYTES);

const compose = (kind: KeyKind = 'secret', projectId = 'p1', bytes: Uint8Array = random) =>
  composeAccessKey(SECRET, { abbreviation: 'svc', kind, projectId, random: bytes });

function open(text: string, secret: Uint8Array = SECRET) {
  const claimed = parseAccessKey('svc', text);
  return claimed && checkAccessKey(secret, claimed);
}

describe('a key', () => {
  it.each([
    ['publishable', 'svc_pk_'],
    ['secret', 'svc_sk_'],
  ] as const)('of kind %s begins with %s and contains its project', (kind, prefix) => {
    const key = compose(kind);
    expect(key.startsWith(`${prefix}p1_`)).toBe(true);
    expect(open(key)).toEqual({ kind, projectId: 'p1', hash: hashAccessKey(key) });
  });

  it('has at least 192 random bits', () => {
    const value = Buffer.from(compose().slice('svc_sk_p1_'.length), 'base64url');
    expect(value.subarray(0, KEY_RANDOM_BYTES)).toEqual(random);
    expect(random.length * 8).toBeGreaterThanOrEqual(192);
  });

  it('parses with any random part', () => {
    for (const fill of [0x00, 0xff, 0xfb])
      expect(open(compose('secret', 'p1', new Uint8Array(24).fill(fill)))?.projectId).toBe('p1');
  });

  it('passes only under its own secret, and a forged key never passes', () => {
    const key = compose();
    const forged = key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (let again = 0; again < 2; again += 1) {
      expect(open(key)?.hash).toBe(hashAccessKey(key));
      expect([open(key, randomBytes(32)), open(forged)]).toEqual([undefined, undefined]);
    }
  });

  it.each([
    ['another abbreviation', 'abc_pk_p1_'],
    ['no project', 'svc_pk__'],
    ['a project with a separator of the table', 'svc_pk_p#1_'],
    ['a project that is too long', `svc_pk_${'p'.repeat(33)}_`],
    ['an unknown kind', 'svc_xk_p1_'],
    ['white space', ' svc_pk_p1_'],
  ])('with %s is malformed', (_, prefix) => {
    expect(parseAccessKey('svc', prefix + 'A'.repeat(48))).toBeUndefined();
    expect(parseAccessKey('svc', `svc_pk_p1_${'A'.repeat(48)}`)).toBeDefined();
  });

  it('with a line break at its end is malformed', () => {
    expect(parseAccessKey('svc', `${compose()}\n`)).toBeUndefined();
  });
});

describe('the check of a key', () => {
  it('fails after a change of any character', () => {
    const key = compose();
    for (let at = 'svc_'.length; at < key.length; at++) {
      for (const other of ['A', 'b', '0', 'p', 's']) {
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        if (changed !== key) expect([at, open(changed)]).toEqual([at, undefined]);
      }
    }
  });

  it('fails under another secret, project or kind', () => {
    const key = compose();
    expect(open(key, randomBytes(32))).toBeUndefined();
    expect(open(key.replace('_p1_', '_p2_'))).toBeUndefined();
    expect(open(key.replace('svc_sk_', 'svc_pk_'))).toBeUndefined();
  });
});
