import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createSecretCache, type SecretSource } from '../../shared/crypto/secret-cache.ts';
import { rotateTokenRing, type TokenKey } from '../../shared/crypto/token-ring.ts';
import { DAY, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createTestClock, type TestClock } from '../support/service/test-clock.ts';
import { createTestSecrets, TEST_TOKEN_KEY } from '../support/service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';

const aTokenKey = () => ({ id: randomBytes(4).toString('hex'), secret: randomBytes(32) });

function createChangingSecrets() {
  let ring: readonly TokenKey[] = [TEST_TOKEN_KEY];
  let isDown = false;
  let reads = 0;
  const source: SecretSource = {
    readHashSecret: createTestSecrets().readHashSecret,
    async readTokenRing() {
      reads++;
      if (isDown) throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      return ring;
    },
  };
  return {
    source,
    reads: () => reads,
    rotate(now: number) {
      ring = rotateTokenRing(ring, aTokenKey(), now);
      return ring.at(-1)?.id ?? '';
    },
    goDown(down: boolean) {
      isDown = down;
    },
  };
}

const deriveKeyId = (token: string) => Buffer.from(token, 'base64url').subarray(1, 5).toString('hex');

describe('rotating the ring under running functions', () => {
  let clock: TestClock;
  let secrets: ReturnType<typeof createChangingSecrets>;
  let early: TestService;
  let late: TestService;
  let tenant: Tenant;
  let surveyId: string;

  beforeEach(async () => {
    clock = createTestClock();
    secrets = createChangingSecrets();
    early = await createTestService({ clock, secrets: secrets.source });
    late = await createTestService({ clock, secrets: secrets.source, table: early.table });
    tenant = await early.tenant({ limits: NO_LIMITS, tokenLifetimeMs: 30 * DAY }, [aSurvey()]);
    surveyId = tenant.surveys[0]?.id ?? '';
  });

  const issue = async (service: TestService, userId: string): Promise<string> => {
    const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
    return body.showTokens[surveyId];
  };
  const submit = (service: TestService, showToken: string) =>
    service.call(submitResponse, { body: { key: tenant.publishableKey, surveyId, showToken, rating: 9 } });

  it('takes effect in every instance without a deployment, and tokens of both keys are accepted throughout', async () => {
    const before = await issue(early, 'ann');
    await issue(late, 'nobody');
    const next = secrets.rotate(clock.now());
    clock.advance(5 * MINUTE);
    expect(deriveKeyId(await issue(early, 'ben'))).toBe(TEST_TOKEN_KEY.id);
    clock.advance(5 * MINUTE);
    const after = await issue(early, 'cleo');
    expect(deriveKeyId(after)).toBe(next);
    expect((await submit(late, after)).status).toBe(201);
    expect((await submit(late, before)).status).toBe(201);
  });

  it('keeps every token for its lifetime, however often the ring is rotated', async () => {
    const token = await issue(early, 'ann');
    for (let day = 0; day < 29; day++) {
      clock.advance(DAY);
      secrets.rotate(clock.now());
    }
    expect((await submit(early, token)).status).toBe(201);
    for (let day = 0; day < 10; day++) {
      clock.advance(DAY);
      secrets.rotate(clock.now());
    }
    expect((await submit(early, token)).body.error.code).toBe('invalid_token');
  });

  it('reads the ring once in ten seconds when an instance meets unknown keys, however many tokens are forged', async () => {
    await issue(early, 'ann');
    const reads = secrets.reads();
    clock.advance(11 * SECOND);
    const forged = (id: string) => Buffer.from(`01${id}${'00'.repeat(60)}`, 'hex').toString('base64url');
    for (let index = 0; index < 50; index++) {
      const id = index.toString(16).padStart(8, 'f');
      expect((await submit(early, forged(id))).status).toBe(401);
    }
    expect(secrets.reads() - reads).toBe(1);
  });

  it('makes concurrent requests with an unknown key wait for the ring once ten seconds have passed', async () => {
    await issue(early, 'ann');
    secrets.rotate(clock.now() - 10 * MINUTE);
    const foreign = await issue(late, 'ben');
    for (const wait of [0, 10 * SECOND - 1]) {
      clock.advance(wait);
      expect((await submit(early, foreign)).body.error.code).toBe('invalid_token');
    }
    clock.advance(1);
    const replies = await Promise.all([1, 2, 3, 4].map(() => submit(early, foreign)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('keeps the known keys while the ring cannot be read, and returns 503 instead of 401 for an unknown key', async () => {
    const own = await issue(early, 'ann');
    secrets.rotate(clock.now() - 10 * MINUTE);
    const foreign = await issue(late, 'ben');
    secrets.goDown(true);
    clock.advance(6 * MINUTE);
    const refused = await submit(early, foreign);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await submit(early, own)).status).toBe(201);
    expect((await submit(early, foreign)).status).toBe(503);
    secrets.goDown(false);
    clock.advance(11 * SECOND);
    expect((await submit(early, foreign)).status).toBe(201);
  });

  it('returns 503 from an instance that has never read a ring', async () => {
    secrets.goDown(true);
    const { body } = await early.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    expect(body.error.code).toBe('temporarily_unavailable');
  });

  it('reads the ring once in five minutes while no unknown key appears', async () => {
    const cache = createSecretCache(secrets.source, clock.now);
    for (let minute = 0; minute < 60; minute++) {
      await cache.sealingKey();
      clock.advance(MINUTE);
    }
    expect(secrets.reads()).toBe(12);
  });
});
