import { describe, expect, it } from 'vitest';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import {
  changedByOthers,
  firstChoices,
  merged,
  type Side,
} from '../../../../pages/console/rules/two-people.ts';
import { CHOICES } from '../../../support/fixtures/builders.ts';

const base = changed(newSurvey('nps', []), { locales: { de: { question: 'Alt?' } } });
const fieldsOf = (differences: ReturnType<typeof changedByOthers>) => differences.map(({ field }) => field);

describe('edits by two people', () => {
  it('need no choice if the other person changed nothing', () => {
    const mine = changed(base, { question: 'Mine?' });
    expect(changedByOthers({ base, theirs: base, mine })).toEqual([]);
    expect(merged({ base, theirs: base, mine }, new Map())).toEqual(mine);
  });

  it('need no choice if both made the same change', () => {
    const same = changed(base, { question: 'Same?' });
    expect(changedByOthers({ base, theirs: same, mine: same })).toEqual([]);
  });

  it('keep fields that only one person changed', () => {
    const theirs = changed(base, { samplePercent: 10, limits: { quietPeriod: '30d' } });
    const mine = changed(base, { question: 'Mine?', limits: { maxResponses: 5 } });
    const differences = changedByOthers({ base, theirs, mine });
    expect(fieldsOf(differences)).toEqual(['samplePercent', 'limits.quietPeriod']);
    expect(merged({ base, theirs, mine }, firstChoices(differences))).toEqual(
      changed(base, {
        question: 'Mine?',
        samplePercent: 10,
        limits: { maxResponses: 5, quietPeriod: '30d' },
      }),
    );
  });

  it('need a choice for a field that both changed', () => {
    const theirs = changed(base, { question: 'Theirs?' });
    const mine = changed(base, { question: 'Mine?' });
    const versions = { base, theirs, mine };
    const differences = changedByOthers(versions);
    expect(differences).toEqual([
      { field: 'question', base: base.question, theirs: 'Theirs?', mine: 'Mine?', isClash: true },
    ]);
    expect(merged(versions, firstChoices(differences))).toBeUndefined();
    const choose = (side: Side) => merged(versions, new Map([['question', side]]))?.question;
    expect(choose('theirs')).toBe('Theirs?');
    expect(choose('mine')).toBe('Mine?');
  });

  it('drop the translation of a choice that the other person removed', () => {
    const choice = changed(newSurvey('choice', []), {
      choices: CHOICES,
      locales: { de: { question: 'Wie?' } },
    });
    const theirs = changed(choice, { choices: CHOICES.slice(1) });
    const mine = changed(choice, { locales: { de: { choices: { price: 'Preis', other: 'Anderes' } } } });
    const choices = firstChoices(changedByOthers({ base: choice, theirs, mine }));
    expect(merged({ base: choice, theirs, mine }, choices)).toEqual(
      changed(theirs, { locales: { de: { choices: { other: 'Anderes' } } } }),
    );
  });

  it('can remove something that the other person changed, or the reverse', () => {
    const theirs = changed(base, { locales: undefined });
    const mine = changed(base, { locales: { de: { question: 'Neu?' } } });
    const versions = { base, theirs, mine };
    expect(fieldsOf(changedByOthers(versions))).toEqual(['locales.de']);
    expect(merged(versions, new Map([['locales.de', 'theirs' as const]]))?.locales).toBeUndefined();
    expect(merged(versions, new Map([['locales.de', 'mine' as const]]))?.locales).toEqual(mine.locales);
  });
});
