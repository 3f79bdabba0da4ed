import { describe, expect, it } from 'vitest';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';

const NPS = newSurvey('nps', []);
const pathsOf = (patch: Parameters<typeof changed>[1], taken: readonly string[] = []) =>
  problemsIn(changed(NPS, patch), { taken }).map(({ path }) => path);

describe('what is wrong with an edited survey', () => {
  it.each(['nps', 'csat', 'ces', 'pmf', 'thumbs'] as const)('is nothing in a new one of type %s', (type) => {
    expect(problemsIn(newSurvey(type, []), { taken: [] })).toEqual([]);
  });

  it('is what `survey apply` would refuse, at the place where it lies', () => {
    expect(pathsOf({ question: '' })).toEqual(['question']);
    expect(pathsOf({ slug: 'After Checkout' })).toEqual(['slug']);
    expect(pathsOf({ samplePercent: 101 })).toEqual(['samplePercent']);
    expect(pathsOf({ limits: { quietPeriod: 'soon' } })).toEqual(['limits.quietPeriod']);
    expect(pathsOf({ reasons: [{ code: 'price', label: '' }] })).toEqual(['reasons[0].label']);
    expect(pathsOf({ startsAt: '2026-12-01', endsAt: '2026-11-01' })).toEqual(['endsAt']);
    expect(pathsOf({ locales: { 'not a language': {} } })).toEqual(['locales.not a language']);
    expect(pathsOf({ targeting: [{ trait: 'plan', op: 'eq' }] })).toEqual(['targeting[0].value']);
    expect(pathsOf({ question: 'x'.repeat(9_000) })).toEqual(['']);
  });

  it('is a name that another survey has, of a new one alone', () => {
    expect(pathsOf({}, ['nps'])).toEqual(['slug']);
    expect(problemsIn(NPS, { base: NPS, taken: ['nps'] })).toEqual([]);
  });

  it('is a link that others can listen to, unless the file has set it there', () => {
    const linked = changed(NPS, {
      thanks: { text: 'Thanks', link: { label: 'More', url: 'http://example.com' } },
    });
    expect(problemsIn(linked, { taken: [] })).toEqual([
      { path: 'thanks.link.url', words: 'A link must start with https://' },
    ]);
    expect(problemsIn(linked, { base: linked, taken: [] })).toEqual([]);
  });

  it('is an event that is counted more often than a survey can wait for, with the most that it can', () => {
    const often = (times: number) => changed(NPS, { on: { event: 'paid', times } });
    expect(problemsIn(often(100), { taken: [] })).toEqual([]);
    expect(problemsIn(often(101), { taken: [] })).toEqual([
      { path: 'on.times', words: 'Enter a whole number from 1 to 100.' },
    ]);
  });

  it('is said without patterns, JSON or names of the file', () => {
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
