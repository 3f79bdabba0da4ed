import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Grant as Claims,
  createSealer,
  parseShowToken,
  SALT_BYTES,
  type TokenScope,
  type UnsealedShowToken,
  unsealShowToken,
} from '../../../shared/crypto/show-token-seal.ts';
import type { TokenKey } from '../../../shared/crypto/token-ring.ts';
import type { SessionIds } from '../../../shared/domain/answers/answer.ts';
import { isAttested } from '../../../shared/domain/answers/show-token.ts';

const KEY: TokenKey = { id: '0a1b2c3d', secret: randomBytes(32), activeFrom: 0 };
const SCOPE: TokenScope = { stage: 'prod', projectId: 'p1' };

/** The minimum content of a token. */
const ANN = { tokenId: 'a'.repeat(32), surveyId: 'sv', respondentId: 'ann', expiresAt: 1 };

type Grant = Claims & { readonly session?: SessionIds };

const sealShowToken = (
  { session, ...claims }: Grant,
  scope: TokenScope,
  key: TokenKey,
  salt: Uint8Array = randomBytes(SALT_BYTES),
): string => createSealer(key, scope, salt, { session })(claims) ?? '';

const sealLink = ({ session, ...claims }: Grant, scope = SCOPE, key = KEY): string | undefined =>
  createSealer(key, scope, randomBytes(SALT_BYTES), { session, isLink: true })(claims);

/** The hex digits of version, key id, salt and token id. */
const HEADER_DIGITS = 2 * (1 + 4 + SALT_BYTES + 16);

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => Buffer.from(value).toString('hex'));

const textOf = (bytes: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: bytes }),
      fc.constantFrom('a'.repeat(bytes), 'ü'.repeat(bytes / 2), '😀'.repeat(bytes / 4), '\0', 'é', 'e\u0301'),
    )
    .filter((text) => Buffer.byteLength(text) <= bytes);

const session = fc.record(
  { sessionId: textOf(256), observationId: textOf(256), traceId: textOf(256) },
  { requiredKeys: ['sessionId'] },
);

const grant: fc.Arbitrary<Grant> = fc.record(
  {
    tokenId: hex(16),
    surveyId: textOf(255),
    respondentId: textOf(256),
    expiresAt: fc.nat({ max: 2 ** 48 - 1 }),
    taskType: textOf(64),
    labels: fc.dictionary(fc.constantFrom('a', 'model', 'n'.repeat(8)), textOf(8), {
      minKeys: 1,
      maxKeys: 3,
    }),
    session,
    fold: fc.constant(true as const),
    verified: fc.constant(true as const),
    modelRequested: fc.constant(true as const),
  },
  { requiredKeys: ['tokenId', 'surveyId', 'respondentId', 'expiresAt'] },
);

const open = (token: string, scope = SCOPE, key = KEY): UnsealedShowToken | undefined => {
  const sealed = parseShowToken(token);
  return sealed && unsealShowToken(sealed, scope, key);
};

/** The token with each of its bits changed. */
function flipped(token: string): string[] {
  const bytes = Buffer.from(token, 'base64url');
  return Array.from({ length: 8 * bytes.length }, (_, bit) => {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return changed.toString('base64url');
  });
}

const SALT = randomBytes(SALT_BYTES);

/** The base64 text of `{"amr":true}`, followed by the dot. */
const HEAD = 'eyJhbXIiOnRydWV9.';
const sealedPart = (token: string): string => token.slice(token.indexOf('.') + 1);

describe('sealing', () => {
  it('opens to the sealed claims, and attests exactly the sealed session', () => {
    fc.assert(
      fc.property(grant, ({ session: ids, ...claims }) => {
        const opened = open(sealShowToken({ ...claims, ...(ids && { session: ids }) }, SCOPE, KEY));
        const { binding, ...rest } = opened?.claims ?? {};
        expect(rest).toEqual(claims);
        expect(binding).toEqual(ids && opened?.bind(ids));
      }),
    );
  });

  it('contains its key and its id, and is a canonical encoding', () => {
    fc.assert(
      fc.property(grant, (sealedGrant) => {
        const token = sealShowToken(sealedGrant, SCOPE, KEY);
        const head = sealedGrant.modelRequested === true ? HEAD : '';
        expect(token).toMatch(new RegExp(`^${head}[A-Za-z0-9_-]+$`));
        expect(token.length).toBeLessThanOrEqual(1_024);
        const parsed = parseShowToken(token);
        expect([parsed?.keyId, parsed?.tokenId.toString('hex')]).toEqual([KEY.id, sealedGrant.tokenId]);
      }),
    );
  });

  it('stays within 1,024 characters for the longest ids that the contract allows', () => {
    const long = '😀'.repeat(64);
    const token = sealShowToken(
      {
        tokenId: 'f'.repeat(32),
        surveyId: 'x'.repeat(255),
        respondentId: long,
        expiresAt: 2 ** 48 - 1,
        taskType: 'x'.repeat(64),
        fold: true,
        verified: true,
        modelRequested: true,
        session: { sessionId: long, observationId: long, traceId: long },
      },
      SCOPE,
      KEY,
    );
    expect(token.length).toBeLessThanOrEqual(1_024);
    expect(open(token)?.claims.respondentId).toBe(long);
  });

  it('reveals nothing of its content', () => {
    const ids = { respondentId: 'respondent-canary', surveyId: 'survey-canary', taskType: 'task-canary' };
    const session = { sessionId: 'session-canary' };
    const token = sealShowToken({ ...ANN, ...ids, session }, SCOPE, KEY);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('canary');
  });

  it('shares only the header with the same id in another project or stage, and with another token of the request', () => {
    const seal = createSealer(KEY, SCOPE, SALT);
    const [first = '', ...others] = [
      seal(ANN),
      sealShowToken(ANN, { ...SCOPE, projectId: 'p2' }, KEY, SALT),
      sealShowToken(ANN, { ...SCOPE, stage: 'dev' }, KEY, SALT),
      seal({ ...ANN, tokenId: '1'.repeat(32) }),
    ].map((token = '') => Buffer.from(token, 'base64url').toString('hex').slice(HEADER_DIGITS));
    for (const other of others) expect(sharedBlock(first, other, 8)).toBeUndefined();
  });
});

function sharedBlock(one: string, two: string, digits: number): string | undefined {
  for (let at = 0; at + digits <= one.length; at += 2) {
    const block = one.slice(at, at + digits);
    if (two.includes(block)) return block;
  }
  return undefined;
}

describe('opening', () => {
  it('accepts a token of version 1, which had no salt', () => {
    const token =
      'AQobLD0BI0VniavN7wEjRWeJq83viAio0E4Q5tRv02PEhT4foNbPRwZTqHvmIxe0i6_5Yy_AckkqtqAjpmOaS6IBqZTbxP38HBGD';
    const opened = open(token, SCOPE, { ...KEY, secret: Buffer.alloc(32, 7) });
    const binding = opened?.bind({ sessionId: 's-1' });
    expect(opened?.claims).toEqual({
      tokenId: '0123456789abcdef0123456789abcdef',
      surveyId: 'sv_1',
      respondentId: 'ann',
      expiresAt: 1_800_000_000_000,
      taskType: 'refund',
      binding,
    });
    expect(opened?.bind({ sessionId: 's-2' })).not.toEqual(binding);
  });

  it('refuses every token with a changed byte', () => {
    fc.assert(
      fc.property(grant, fc.nat(), fc.integer({ min: 1, max: 255 }), (sealedGrant, at, difference) => {
        const token = sealShowToken(sealedGrant, SCOPE, KEY);
        const bytes = Buffer.from(sealedPart(token), 'base64url');
        const position = at % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(position) ^ difference, position);
        const changed = bytes.toString('base64url');
        expect([open(changed), open(`${HEAD}${changed}`)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('refuses a head that was added, removed, changed or doubled', () => {
    fc.assert(
      fc.property(grant, fc.string({ unit: 'binary', maxLength: 20 }), (sealedGrant, other) => {
        const token = sealShowToken(sealedGrant, SCOPE, KEY);
        const sealed = sealedPart(token);
        const twins = [HEAD + token, `${HEAD.slice(0, -1)}${sealed}`, `.${sealed}`, `${other}.${sealed}`];
        // The text of `{"amr":false}`, and the same head with padding, white space or a dot from another alphabet.
        const heads = ['eyJhbXIiOmZhbHNlfQ.', HEAD.replace('.', '=.'), ` ${HEAD}`, `${HEAD}.`];
        const swapped = token === sealed ? HEAD + sealed : sealed;
        const candidates = [swapped, ...twins, ...heads.map((head) => head + sealed)];
        for (const wrong of candidates.filter((text) => text !== token)) expect(open(wrong)).toBeUndefined();
        expect(open(token)).toBeDefined();
      }),
    );
  });

  it('refuses a head with any bit changed', () => {
    const token = sealShowToken({ ...ANN, modelRequested: true }, SCOPE, KEY);
    expect(token.startsWith(HEAD)).toBe(true);
    expect(JSON.parse(atob(token.split('.')[0] ?? ''))).toEqual({ amr: true });
    for (let position = 0; position < HEAD.length; position++) {
      for (let bit = 0; bit < 7; bit++) {
        const changed = String.fromCharCode(HEAD.charCodeAt(position) ^ (1 << bit));
        expect(
          open(HEAD.slice(0, position) + changed + HEAD.slice(position + 1) + sealedPart(token)),
        ).toBeUndefined();
      }
    }
  });

  const ids = { sessionId: 'session-1', traceId: 'trace-1' };
  const token = sealShowToken({ ...ANN, surveyId: 'sv_1', taskType: 'refund', session: ids }, SCOPE, KEY);

  it.each([
    ['', token],
    [' of a link', sealLink(ANN) ?? ''],
  ])('refuses a shortened token%s and one with further characters', (_, whole) => {
    for (let length = 0; length < whole.length; length++)
      expect([length, open(whole.slice(0, length))]).toEqual([length, undefined]);
    expect(open(`${whole}AAAA`)).toBeUndefined();
  });

  it('refuses every other encoding of the same bytes', () => {
    // With survey ids of these lengths, the token's last character has 0, 2 or 4 unused bits.
    for (const surveyId of ['sv_1', 'sv_12', 'sv_123']) {
      const sealed = sealShowToken({ ...ANN, surveyId, respondentId: '~~~~~' }, SCOPE, KEY);
      const bytes = Buffer.from(sealed, 'base64url');
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const twins = [...alphabet]
        .map((last) => `${sealed.slice(0, -1)}${last}`)
        .filter((twin) => twin !== sealed && Buffer.from(twin, 'base64url').equals(bytes));
      expect(twins).toHaveLength([0, 15, 3][bytes.length % 3] ?? -1);
      const others = [bytes.toString('base64'), `${sealed}=`, ` ${sealed}`, `${sealed}\n`, `${sealed}.`];
      for (const other of [...twins, ...others.filter((text) => text !== sealed)])
        expect([other, open(other)]).toEqual([other, undefined]);
      expect(open(sealed)).toBeDefined();
    }
  });

  it.each([
    ['rubbish', 'rubbish'],
    ['a JSON Web Token', 'eyJhbGciOiJub25lIn0.e30.'],
    ['a lone surrogate', '\ud800'],
    ['NUL', '\0'],
    ['1,024 characters', 'A'.repeat(1_024)],
  ])('refuses %s', (_, text) => expect(open(text)).toBeUndefined());

  it('refuses another scope and another key', () => {
    fc.assert(
      fc.property(grant, (sealedGrant) => {
        const token = sealShowToken(sealedGrant, SCOPE, KEY);
        expect(open(token, { ...SCOPE, projectId: 'p2' })).toBeUndefined();
        expect(open(token, { ...SCOPE, stage: 'dev' })).toBeUndefined();
        expect(open(token, { stage: 'prod\0p', projectId: '1' })).toBeUndefined();
        expect(open(token, SCOPE, { ...KEY, secret: randomBytes(32) })).toBeUndefined();
      }),
      { numRuns: 25 },
    );
  });

  it('refuses anything else without throwing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 1_100 }), fc.base64String({ maxLength: 1_100 })),
        (text) => {
          expect(open(text)).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        for (const version of [1, 2, 3]) {
          const head = Buffer.concat([Buffer.of(version), Buffer.from(KEY.id, 'hex')]);
          expect(open(Buffer.concat([head, bytes]).toString('base64url'))).toBeUndefined();
        }
      }),
    );
  });
});

describe('binding', () => {
  it('accepts exactly the sealed values', () => {
    fc.assert(
      fc.property(session, session, (sealedIds, presented) => {
        const opened = open(sealShowToken({ ...ANN, session: sealedIds }, SCOPE, KEY));
        if (opened === undefined) throw new Error('the token does not open');
        const fits = (ids: typeof presented) =>
          isAttested(opened.claims, { surveyId: 'sv', binding: opened.bind(ids) });
        expect(fits(sealedIds)).toBe(true);
        const same = (['sessionId', 'observationId', 'traceId'] as const).every(
          (name) => sealedIds[name] === undefined || sealedIds[name] === presented[name],
        );
        expect(fits(presented)).toBe(same);
      }),
    );
  });

  it('gives unrelated hashes of one session in the tokens of two requests, and in its three roles', () => {
    const ids = { sessionId: 'same', observationId: 'same', traceId: 'same' };
    const hashes = ['1', '2'].flatMap((digit) => {
      const opened = open(sealShowToken({ ...ANN, tokenId: digit.repeat(32), session: ids }, SCOPE, KEY));
      return Object.values(opened?.claims.binding ?? {});
    });
    expect(new Set(hashes).size).toBe(6);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
  });

  it('distinguishes letter case, white space and forms of Unicode', () => {
    const opened = open(sealShowToken({ ...ANN, session: { sessionId: 'x' } }, SCOPE, KEY));
    const ids = ['session', 'Session', 'session ', 'é', 'e\u0301'];
    const hashes = ids.map((sessionId) => JSON.stringify(opened?.bind({ sessionId })));
    expect(new Set(hashes).size).toBe(ids.length);
  });
});

describe('the token of a link', () => {
  const linkGrant: fc.Arbitrary<Grant> = fc.record(
    {
      tokenId: hex(16),
      surveyId: textOf(32),
      respondentId: textOf(128),
      expiresAt: fc.nat({ max: 2 ** 48 - 1 }),
      taskType: textOf(64),
      session: fc.record(
        { sessionId: textOf(128), observationId: textOf(64), traceId: textOf(64) },
        { requiredKeys: [] },
      ),
      fold: fc.constant(true as const),
      verified: fc.constant(true as const),
    },
    { requiredKeys: ['tokenId', 'surveyId', 'respondentId', 'expiresAt'] },
  );
  const projectOf = (token: string) => parseShowToken(token)?.projectId;

  it('opens to the sealed claims with the session values, and contains its project', () => {
    fc.assert(
      fc.property(linkGrant, ({ session: ids, ...claims }) => {
        const token = sealLink({ ...claims, ...(ids && { session: ids }) }) ?? '';
        expect(token).toMatch(/^[\w-]{1,1024}$/);
        const opened = open(token);
        const { binding, session: carried, ...rest } = opened?.claims ?? {};
        expect([rest, carried]).toEqual([claims, ids]);
        expect(binding).toEqual(ids && opened?.bind(ids));
        expect(projectOf(token)).toBe(SCOPE.projectId);
      }),
    );
  });

  it('refuses any flipped bit in version, key, salt, id, project, sealed part or tag', () => {
    const token = sealLink({ ...ANN, session: { sessionId: 's-1', traceId: 't-1' } }) ?? '';
    for (const text of flipped(token)) {
      expect(open(text)).toBeUndefined();
      const projectId = projectOf(text);
      if (projectId !== undefined) expect(open(text, { ...SCOPE, projectId })).toBeUndefined();
    }
    expect(open(token)).toBeDefined();
  });

  it("refuses another project's prefix, its own prefix with another token, and a head", () => {
    fc.assert(
      fc.property(linkGrant, textOf(32), (sealedGrant, other) => {
        fc.pre(other !== SCOPE.projectId);
        const token = sealLink(sealedGrant) ?? '';
        const theirs = { ...SCOPE, projectId: other };
        const bytes = Buffer.from(token, 'base64url');
        const projectAt = HEADER_DIGITS / 2;
        const project = Buffer.from(other);
        const renamed = Buffer.concat([
          bytes.subarray(0, projectAt),
          Buffer.of(project.length),
          project,
          bytes.subarray(projectAt + 1 + SCOPE.projectId.length),
        ]).toString('base64url');
        expect(projectOf(renamed)).toBe(other);
        expect([open(renamed), open(renamed, theirs), open(token, theirs)]).toEqual(Array(3).fill(undefined));
        // Version 2 has no prefix.
        const bare = Buffer.concat([Buffer.of(2), bytes.subarray(1)]).toString('base64url');
        const plain = Buffer.from(sealShowToken(sealedGrant, SCOPE, KEY), 'base64url');
        const dressed = Buffer.concat([
          Buffer.of(3),
          plain.subarray(1, projectAt),
          bytes.subarray(projectAt, projectAt + 1 + SCOPE.projectId.length),
          plain.subarray(projectAt),
        ]).toString('base64url');
        for (const wrong of [bare, dressed, HEAD + token]) expect(open(wrong)).toBeUndefined();
      }),
    );
  });

  it('does not exist if the ids do not fit into 1,024 characters', () => {
    const long = 'x'.repeat(256);
    const claims = { ...ANN, surveyId: 'sv_5f2c9a7be01d4c63', respondentId: long };
    const scope = { ...SCOPE, projectId: '0123456789abcdef' };
    const link = (sizes: { sessionId: string; traceId?: string }) =>
      sealLink({ ...claims, session: sizes }, scope);
    expect(link({ sessionId: long })?.length).toBeLessThanOrEqual(1_024);
    expect(link({ sessionId: long, traceId: 'x'.repeat(64) })?.length).toBeLessThanOrEqual(1_024);
    expect(link({ sessionId: long, traceId: long })).toBeUndefined();
  });
});
