import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importedRespondentId, respondentHash, toKeyObject } from '../../../shared/crypto/derive.ts';

const SECRET = randomBytes(32);

describe('the respondent hash', () => {
  it('has 128 bits, is stable, and differs between people, projects and deployments', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (one, two) => {
          fc.pre(one.isWellFormed() && two.isWellFormed());
          const hash = respondentHash(SECRET, 'p1', one);
          expect(hash).toMatch(/^[0-9a-f]{32}$/);
          expect(respondentHash(SECRET, 'p1', one)).toBe(hash);
          expect(respondentHash(SECRET, 'p2', one)).not.toBe(hash);
          expect(respondentHash(randomBytes(32), 'p1', one)).not.toBe(hash);
          expect(respondentHash(SECRET, 'p1', two) === hash).toBe(one === two);
        },
      ),
    );
  });

  it('is case-sensitive and does not normalize white space or Unicode', () => {
    const ids = ['ann', 'Ann', ' ann', 'ann ', 'é', 'e\u0301', 'ann\0'];
    expect(new Set(ids.map((id) => respondentHash(SECRET, 'p1', id))).size).toBe(ids.length);
  });
});

describe('the id of a respondent known by email', () => {
  it('is imp_ and 64 hex digits, and differs between projects', () => {
    const [here, there] = ['p1', 'p2'].map((project) =>
      importedRespondentId(SECRET, project, 'ann@example.com'),
    );
    expect(here).toMatch(/^imp_[0-9a-f]{64}$/);
    for (let at = 4; at + 8 <= 68; at += 2) expect(there).not.toContain(here?.slice(at, at + 8));
  });

  it('ignores letter case and outer white space of the address', () => {
    const id = importedRespondentId(SECRET, 'p1', 'ann@example.com');
    for (const email of ['ANN@Example.COM', '  ann@example.com\n', '\tAnn@example.com'])
      expect(importedRespondentId(SECRET, 'p1', email)).toBe(id);
    expect(importedRespondentId(SECRET, 'p1', 'ann@example.org')).not.toBe(id);
  });

  it('differs from the respondent hash of the same text', () => {
    const email = 'ann@example.com';
    expect(importedRespondentId(SECRET, 'p1', email)).not.toContain(respondentHash(SECRET, 'p1', email));
  });
});

it('a key object hashes like the raw bytes and is made once', () => {
  const secret = new Uint8Array(32).fill(5);
  const digest = (key: Parameters<typeof createHmac>[1]) =>
    createHmac('sha256', key).update('x').digest('hex');
  expect(digest(toKeyObject(secret))).toBe(digest(secret));
  expect(toKeyObject(secret)).toBe(toKeyObject(secret));
});
