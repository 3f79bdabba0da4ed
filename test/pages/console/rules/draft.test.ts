import { describe, expect, it } from 'vitest';
import {
  afterReading,
  afterStoring,
  draftText,
  hasChanges,
  isDraft,
  keptAs,
  rebase,
  sending,
} from '../../../../pages/console/rules/draft.ts';
import { changed, duplicateOf, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';

const survey = newSurvey('nps', ['nps']);
const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a kept draft', () => {
  it('is valid for a new and for a stored survey', () => {
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
  ])('is not valid as %j', (value) => {
    expect(isDraft(value)).toBe(false);
  });

  it('has changes if a field differs, whatever the order of fields', () => {
    expect(hasChanges({ mine: survey })).toBe(true);
    const { slug, ...others } = survey;
    expect(hasChanges({ mine: { ...others, slug }, base: survey })).toBe(false);
    expect(hasChanges({ mine: changed(survey, { question: 'Other?' }), base: survey })).toBe(true);
  });
});

describe('a draft after storing', () => {
  const draft = { mine: survey, base: survey, revision: 3, at: 1 };
  const target = changed(survey, { status: 'active' });

  it('is the stored survey if nothing was typed since', () => {
    const stored = { draft, target, isOfStatus: false, revision: 4 };
    expect(afterStoring(draft, stored, 2)).toEqual({ mine: target, base: target, revision: 4, at: 2 });
  });

  it.each([
    ['since the person confirmed', false, draft],
    ['when only the status is stored', true, { ...draft, mine: changed(survey, { question: 'Typed?' }) }],
  ] as const)('keeps edits made %s', (_, isOfStatus, confirmed) => {
    const latest = { ...draft, mine: changed(survey, { question: 'Typed?' }) };
    const next = afterStoring(latest, { draft: confirmed, target, isOfStatus, revision: 4 }, 2);
    expect(next).toEqual({ ...next, mine: changed(target, { question: 'Typed?' }), base: target });
    expect(hasChanges(next)).toBe(true);
  });
});

describe('a draft whose reply was lost', () => {
  const draft = { mine: survey, base: survey, revision: 3, at: 1 };
  const target = changed(survey, { status: 'active' });

  it('has the reviewed survey as its base', () => {
    const theirs = changed(survey, { followUpQuestion: 'Why?' });
    const shown = { mine: survey, base: theirs, revision: 4, at: 1 };
    expect(sending(draft, shown, target)).toEqual({ ...shown, sent: target });
  });

  it('keeps only later edits once the sent survey is found stored', () => {
    const kept = { ...draft, sent: target };
    const spaced = { ...draft, sent: changed(target, { question: ` ${target.question} ` }) };
    expect(hasChanges(afterReading(spaced, target, 4))).toBe(false);
    expect(hasChanges(afterReading(kept, target, 4))).toBe(false);
    const typed = { ...kept, mine: changed(survey, { question: 'Typed?' }) };
    const next = { mine: changed(target, { question: 'Typed?' }), base: target, revision: 4, at: 1 };
    expect(afterReading(typed, target, 4)).toEqual(next);
  });

  it.each([
    ['is not stored', survey],
    ['was removed', undefined],
  ])('stays the same if the sent survey %s', (_, stored) => {
    const kept = { ...draft, sent: target };
    expect(afterReading(kept, stored, 4)).toEqual(kept);
  });
});

describe('a draft on top of surveys at another revision', () => {
  const fresh = newSurvey('nps', []);
  const sent = changed(fresh, { status: 'active' });
  const typed = changed(fresh, { question: 'Typed since?' });
  const theirs = changed(sent, { question: 'Theirs?' });
  const kept = { mine: typed, revision: 1, at: 1 };
  const edited = {
    ...{ mine: changed(typed, { status: 'active' }), sent, revision: 1, at: 1 },
    base: changed(sent, { question: 'As it was?' }),
  };

  it.each([
    [
      'continues as a change of the new survey whose reply was lost',
      { ...kept, sent },
      sent,
      { mine: typed, base: sent, revision: 2 },
    ],
    [
      'continues as a change of the stored survey whose reply was lost',
      edited,
      sent,
      { mine: edited.mine, base: sent, revision: 2 },
    ],
    [
      'conflicts if someone has since changed the new survey',
      { ...kept, sent },
      theirs,
      {
        is: 'conflict',
        conflict: { theirs, draft: { base: sent }, differences: [{ field: 'question', isClash: true }] },
      },
    ],
    ['conflicts if someone has since changed the stored survey', edited, theirs, { is: 'conflict' }],
    [
      'is refused if a new survey that was never sent has a taken name',
      kept,
      sent,
      { is: 'taken', slugs: ['nps'] },
    ],
    [
      'needs consent to create a removed survey again',
      { ...kept, base: sent },
      undefined,
      { is: 'gone', slugs: [], draft: { mine: typed, revision: 2, at: 1 } },
    ],
  ])('%s', (_, draft, stored, expected) => {
    const surveys = stored === undefined ? [] : [stored];
    const found = { revision: 2, order: surveys.map(({ slug }) => slug), surveys, lastChanges: {} };
    expect(rebase(draft, found)).toMatchObject(expected);
  });
});

it('does not keep numbers that are not finite', () => {
  for (const samplePercent of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const typed = { mine: { ...survey, samplePercent }, base: survey, revision: 3, at: 1 };
    expect(keptAs(typed)).toEqual({ mine: survey, base: survey, revision: 3, at: 1 });
    expect(JSON.parse(draftText(typed))).toEqual(keptAs(typed));
  }
});

describe('a new survey', () => {
  it('is a draft with a free name', () => {
    expect(survey).toMatchObject({ slug: 'nps-2', status: 'draft' });
    expect(duplicateOf(changed(survey, { status: 'active', endsAt: '2026-01-01' }), [])).toEqual(
      changed(survey, { slug: 'nps-2-copy' }),
    );
  });

  it('loses what does not apply when the person opens it', () => {
    const limits = { quietPeriod: '1d', ignoreQuietPeriod: true, maxResponses: 9 };
    const shown = { delayMs: 1, on: { event: 'paid' }, samplePercent: 10, repeat: '90d', limits };
    const opened = changed(changed(survey, shown), { trigger: 'person' });
    expect(opened).toEqual({ ...survey, trigger: 'person', limits: { maxResponses: 9 } });
    expect(changed(opened, { ...shown, question: 'New?' })).toEqual({ ...opened, question: 'New?' });
    expect(changed(opened, { limits: {} })).toEqual({ ...survey, trigger: 'person' });
  });

  it('gets the default texts of another type unless they were edited', () => {
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
