import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  composeAccessKey,
  hashAccessKey,
  KEY_RANDOM_BYTES,
  parseAccessKey,
} from '../../../shared/crypto/access-key.ts';

const random = randomBytes(KEY_RANDOM_BYTES);

describe('a key', () => {
  it.each([
    ['publishable', 'svc_pk_'],
    ['secret', 'svc_sk_'],
  ] as const)('of kind %s begins with %s and carries its project', (kind, prefix) => {
    const key = composeAccessKey('svc', kind, 'p1', random);
    expect(key.startsWith(prefix)).toBe(true);
    expect(parseAccessKey('svc', key)).toEqual({ kind, projectId: 'p1', hash: hashAccessKey(key) });
  });

  it('has at least 192 random bits', () => {
    const [, , , ...value] = composeAccessKey('svc', 'secret', 'p1', random).split('_');
    expect(Buffer.from(value.join('_'), 'base64url')).toEqual(random);
    expect(random.length * 8).toBeGreaterThanOrEqual(192);
  });

  it('is read whatever its random part looks like', () => {
    for (const fill of [0x00, 0xff, 0xfb]) {
      const key = composeAccessKey('svc', 'secret', 'p1', new Uint8Array(24).fill(fill));
      expect(parseAccessKey('svc', key)?.projectId).toBe('p1');
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
    expect(parseAccessKey('svc', prefix + random.toString('base64url'))).toBeUndefined();
  });

  it('with a line break at its end is malformed', () => {
    expect(parseAccessKey('svc', `${composeAccessKey('svc', 'secret', 'p1', random)}\n`)).toBeUndefined();
  });
});
