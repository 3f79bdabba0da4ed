import { describe, expect, it } from 'vitest';
import { createSettingsCache } from '../../../functions/runtime/settings-cache.ts';
import type { ProjectSettings } from '../../../shared/domain/project.ts';
import { aProject } from '../../support/fixtures/builders.ts';

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
