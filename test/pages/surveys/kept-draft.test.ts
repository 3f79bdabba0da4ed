import { describe, expect, it } from 'vitest';
import { changed, duplicateOf, newSurvey, retyped } from '../../../pages/surveys/edited-survey.ts';
import { hasChanges, isKeptDraft } from '../../../pages/surveys/kept-draft.ts';

const survey = newSurvey('nps', ['nps']);
const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a kept draft', () => {
  it('is read as it was kept, of a new survey and of one that was there', () => {
    expect(isKeptDraft(again({ mine: survey, revision: 3, at: 1 }))).toBe(true);
    expect(isKeptDraft(again({ mine: survey, base: survey, revision: 3, at: 1 }))).toBe(true);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { mine: {}, revision: 1, at: 1 },
    { mine: survey, at: 1 },
    { mine: survey, base: 1, revision: 1, at: 1 },
  ])('is not what another release or somebody else has put there: %j', (value) => {
    expect(isKeptDraft(value)).toBe(false);
  });

  it('is there once something differs, whatever the order of fields', () => {
    expect(hasChanges({ mine: survey })).toBe(true);
    const { slug, ...others } = survey;
    expect(hasChanges({ mine: { ...others, slug }, base: survey })).toBe(false);
    expect(hasChanges({ mine: changed(survey, { question: 'Other?' }), base: survey })).toBe(true);
  });
});

describe('a survey to begin with', () => {
  it('is a draft under a name that is free', () => {
    expect(survey).toMatchObject({ slug: 'nps-2', status: 'draft' });
    expect(duplicateOf(changed(survey, { status: 'active', endsAt: '2026-01-01' }), [])).toEqual(
      changed(survey, { slug: 'nps-2-copy' }),
    );
  });

  it('takes the words of another type along, unless they were written', () => {
    expect(retyped(survey, 'csat', ['nps'])).toMatchObject({
      slug: 'csat',
      type: 'csat',
      question: 'How satisfied are you with us?',
    });
    const written = changed(survey, {
      question: 'Mine?',
      slug: 'mine',
      words: { values: ['a', 'b'], send: 'Go' },
    });
    expect(retyped(written, 'csat', [])).toMatchObject({
      slug: 'mine',
      question: 'Mine?',
      words: { send: 'Go' },
    });
    expect(retyped(written, 'pmf', []).words?.values).toBeUndefined();
  });
});
