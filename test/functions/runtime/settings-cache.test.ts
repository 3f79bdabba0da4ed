import { describe, expect, it } from 'vitest';
import { createSettingsCache, surveyForAnswer } from '../../../functions/runtime/settings-cache.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import type { ProjectSettings } from '../../../shared/domain/project.ts';
import { aLink, post } from '../../support/fixtures/a-link.ts';
import { aProject, aSurvey } from '../../support/fixtures/builders.ts';
import { anAnswer, exportedOf, revise } from '../../support/fixtures/revising.ts';
import { addChoice, type Caller, submit } from '../../support/fixtures/submission.ts';
import { showTokenOf } from '../../support/fixtures/tokens.ts';
import { createTestService } from '../../support/service/test-service.ts';

const settingsOf = (id: string): ProjectSettings => ({
  project: aProject({ id }),
  keys: new Map(),
  surveys: new Map(),
  totals: { bySurvey: new Map(), byMonth: new Map() },
  identitySecrets: [],
});

function cacheOver(known: Set<string>) {
  const reads: string[] = [];
  const load = async (id: string) => {
    reads.push(id);
    return known.has(id) ? settingsOf(id) : undefined;
  };
  const cache = createSettingsCache({ load, clock: () => 0, jitter: () => 0, lifetimeMs: 30_000 });
  return { cache, reads };
}

describe('cached settings', () => {
  it('of existing projects stay, however many unknown projects are requested', async () => {
    const { cache, reads } = cacheOver(new Set(['live']));
    await cache.load('live');
    for (let n = 0; n < 2_000; n++) await cache.load(`unknown-${n}`);
    expect((await cache.load('live'))?.project.id).toBe('live');
    expect(reads.filter((id) => id === 'live')).toHaveLength(1);
  });

  it('remember the latest unknown projects', async () => {
    const { cache, reads } = cacheOver(new Set());
    for (let n = 0; n < 150; n++) await cache.load(`unknown-${n}`);
    expect(cache.has('unknown-0')).toBe(false);
    expect(cache.has('unknown-149')).toBe(true);
    await cache.load('unknown-149');
    expect(reads).toHaveLength(150);
  });

  it('are replaced by the latest result, whether the project was created or deleted', async () => {
    const known = new Set<string>();
    const { cache } = cacheOver(known);
    expect(await cache.load('p')).toBeUndefined();
    known.add('p');
    cache.forget('p');
    expect((await cache.load('p'))?.project.id).toBe('p');
    known.delete('p');
    cache.forget('p');
    expect(await cache.load('p')).toBeUndefined();
    expect(await cache.load('p')).toBeUndefined();
  });
});

const SAID = { rating: 3, reasons: ['slow'] };

/** Each prepares an answer before the choice exists. */
const ANSWERING: Readonly<
  Record<string, (caller: Caller, userId: string) => Promise<() => Promise<object>>>
> = {
  async 'a submission'(caller, userId) {
    const token = await showTokenOf(caller.service, caller.tenant, { userId, types: 'choice' });
    return () => submit(caller, token, SAID);
  },
  async 'a revision'(caller, userId) {
    const { showToken } = await anAnswer(caller, { rating: 1 }, userId);
    return () => revise(caller, showToken, { revision: 1, ...SAID });
  },
  async 'a link'({ service, tenant }, respondentId) {
    const path = await aLink(service, tenant, { respondentId });
    return () => post(service, path, { rating: '3', reasons: 'slow' });
  },
};

it.each(Object.entries(ANSWERING))('are read again for %s with a choice that is new', async (_, prepare) => {
  const service = await createTestService();
  const reasons = [{ code: 'slow', label: 'Too slow' }];
  const survey = aSurvey({ reasonCodes: ['slow'] }, { type: 'choice', reasons });
  const tenant = await service.tenant({}, [survey]);
  const caller = { service, tenant };
  const answer = await prepare(caller, 'ann');
  const early = await prepare(caller, 'bob');
  service.clock.advance(3 * SECOND);
  expect(await early()).toMatchObject({ status: 400 });
  await addChoice(caller, { code: 'new', label: 'New', low: true });
  expect((await answer()) as { status: number }).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
  expect(await exportedOf(caller, 'ann')).toMatchObject({ choice: 'new', rating: 3, reasons: ['slow'] });
});

describe('the survey of an answer whose further answers are unknown', () => {
  const answers = { nope: 'x' };

  it.each([
    ['if the settings cannot be read again', () => Promise.reject(new Error('no reply'))],
    ['if the survey is gone', () => Promise.resolve(undefined)],
  ])('is the known one %s, because its rating fits', async (_, reload) => {
    const survey = aSurvey();
    const found = surveyForAnswer(survey, { rating: 8, answers }, { id: 'p' }, { reload });
    expect(await found).toBe(survey);
  });
});
