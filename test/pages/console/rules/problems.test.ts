import { describe, expect, it } from 'vitest';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';

const NPS = newSurvey('nps', []);
const pathsOf = (patch: Parameters<typeof changed>[1], taken: readonly string[] = []) =>
  problemsIn(changed(NPS, patch), { taken }).map(({ path }) => path);

describe('problemsIn', () => {
  it.each(['nps', 'csat', 'ces', 'pmf', 'thumbs'] as const)(
    'finds nothing in a new survey of type %s',
    (type) => {
      expect(problemsIn(newSurvey(type, []), { taken: [] })).toEqual([]);
    },
  );

  it.each<[Parameters<typeof changed>[1], string]>([
    [{ question: '' }, 'question'],
    [{ slug: 'After Checkout' }, 'slug'],
    [{ samplePercent: 101 }, 'samplePercent'],
    [{ limits: { quietPeriod: 'soon' } }, 'limits.quietPeriod'],
    [{ reasons: [{ code: 'price', label: '' }] }, 'reasons[0].label'],
    [{ startsAt: '2026-12-01', endsAt: '2026-11-01' }, 'endsAt'],
    [{ locales: { 'not a language': {} } }, 'locales.not a language'],
    [{ targeting: [{ trait: 'plan', op: 'eq' }] }, 'targeting[0].value'],
    [{ question: 'x'.repeat(9_000) }, ''],
  ])('finds the problem of %j at %j', (patch, path) => {
    expect(pathsOf(patch)).toEqual([path]);
  });

  it('refuses a taken name for a new survey', () => {
    expect(pathsOf({}, ['nps'])).toEqual(['slug']);
    expect(problemsIn(NPS, { base: NPS, taken: ['nps'] })).toEqual([]);
  });

  it('refuses an unencrypted link unless the stored survey has it', () => {
    const linked = changed(NPS, {
      thanks: { text: 'Thanks', link: { label: 'More', url: 'http://example.com' } },
    });
    expect(problemsIn(linked, { taken: [] })).toEqual([
      { path: 'thanks.link.url', words: 'A link must start with https://' },
    ]);
    expect(problemsIn(linked, { base: linked, taken: [] })).toEqual([]);
  });

  it('refuses more events than a survey can wait for', () => {
    const often = (times: number) => changed(NPS, { on: { event: 'paid', times } });
    expect(problemsIn(often(100), { taken: [] })).toEqual([]);
    expect(problemsIn(often(101), { taken: [] })).toEqual([
      { path: 'on.times', words: 'Enter a whole number from 1 to 100.' },
    ]);
  });

  it('writes sentences without patterns, JSON or names of the file', () => {
    const broken = changed(NPS, {
      slug: 'A b',
      question: '',
      samplePercent: -1,
      repeat: 'sometimes',
      reasons: [{ code: 'A', label: '' }],
      limits: { quietPeriod: 'soon', maxResponses: -1 },
      targeting: [{ trait: 'seats', op: 'gt', value: true }],
    });
    for (const { words } of problemsIn(broken, { taken: [] })) {
      expect(words).not.toMatch(/[[\]{}^$]|surveys\b|must match/);
      expect(words).toMatch(/^[A-Z].*[.!/]$/);
    }
  });
});
