import { describe, expect, it } from 'vitest';
import {
  afterReading,
  afterStoring,
  draftText,
  hasChanges,
  isDraft,
  keptAs,
  sending,
} from '../../../../pages/console/rules/draft.ts';
import { changed, duplicateOf, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';

const survey = newSurvey('nps', ['nps']);
const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a kept draft', () => {
  it('is read as it was kept, of a new survey and of one that was there', () => {
    expect(isDraft(again({ mine: survey, revision: 3, at: 1 }))).toBe(true);
    expect(isDraft(again({ mine: survey, base: survey, revision: 3, at: 1 }))).toBe(true);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { mine: {}, revision: 1, at: 1 },
    { mine: survey, at: 1 },
    { mine: survey, base: 1, revision: 1, at: 1 },
    { mine: survey, sent: 1, revision: 1, at: 1 },
  ])('is not what another release or somebody else has put there: %j', (value) => {
    expect(isDraft(value)).toBe(false);
  });

  it('is there once something differs, whatever the order of fields', () => {
    expect(hasChanges({ mine: survey })).toBe(true);
    const { slug, ...others } = survey;
    expect(hasChanges({ mine: { ...others, slug }, base: survey })).toBe(false);
    expect(hasChanges({ mine: changed(survey, { question: 'Other?' }), base: survey })).toBe(true);
  });
});

describe('a draft once something is stored', () => {
  const draft = { mine: survey, base: survey, revision: 3, at: 1 };
  const target = changed(survey, { status: 'active' });

  it('is what was stored, where nobody has typed since', () => {
    const stored = { draft, target, isOfStatus: false, revision: 4 };
    expect(afterStoring(draft, stored, 2)).toEqual({ mine: target, base: target, revision: 4, at: 2 });
  });

  it.each([
    ['since', false, draft],
    ['beside the status that was stored', true, { ...draft, mine: changed(survey, { question: 'Typed?' }) }],
  ] as const)('keeps what was typed %s', (_, isOfStatus, confirmed) => {
    const latest = { ...draft, mine: changed(survey, { question: 'Typed?' }) };
    const next = afterStoring(latest, { draft: confirmed, target, isOfStatus, revision: 4 }, 2);
    expect(next).toEqual({ ...next, mine: changed(target, { question: 'Typed?' }), base: target });
    expect(hasChanges(next)).toBe(true);
  });
});

describe('a draft that was sent and not answered', () => {
  const draft = { mine: survey, base: survey, revision: 3, at: 1 };
  const target = changed(survey, { status: 'active' });

  it('is upon what was shown when it was sent', () => {
    const theirs = changed(survey, { followUpQuestion: 'Why?' });
    const shown = { mine: survey, base: theirs, revision: 4, at: 1 };
    expect(sending(draft, shown, target)).toEqual({ ...shown, sent: target });
  });

  it('is nothing unsaved once that is stored, but for what was typed since', () => {
    const kept = { ...draft, sent: target };
    expect(hasChanges(afterReading(kept, target, 4))).toBe(false);
    const typed = { ...kept, mine: changed(survey, { question: 'Typed?' }) };
    const next = { mine: changed(target, { question: 'Typed?' }), base: target, revision: 4, at: 1 };
    expect(afterReading(typed, target, 4)).toEqual(next);
  });

  it.each([
    ['is not stored', survey],
    ['is not there', undefined],
  ])('stays as it is where that %s', (_, stored) => {
    const kept = { ...draft, sent: target };
    expect(afterReading(kept, stored, 4)).toEqual(kept);
  });
});

it('what was typed for a number and is none is not kept', () => {
  for (const samplePercent of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const typed = { mine: { ...survey, samplePercent }, base: survey, revision: 3, at: 1 };
    expect(keptAs(typed)).toEqual({ mine: survey, base: survey, revision: 3, at: 1 });
    expect(JSON.parse(draftText(typed))).toEqual(keptAs(typed));
  }
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
