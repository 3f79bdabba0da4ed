import { describe, expect, it } from 'vitest';
import { changed, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';
import {
  changedByOthers,
  firstChoices,
  merged,
  type Side,
} from '../../../../pages/console/rules/two-people.ts';

const base = changed(newSurvey('nps', []), { locales: { de: { question: 'Alt?' } } });
const fieldsOf = (differences: ReturnType<typeof changedByOthers>) => differences.map(({ field }) => field);

describe('two people at once', () => {
  it('have nothing to decide where the first changed nothing', () => {
    const mine = changed(base, { question: 'Mine?' });
    expect(changedByOthers({ base, theirs: base, mine })).toEqual([]);
    expect(merged({ base, theirs: base, mine }, new Map())).toEqual(mine);
  });

  it('have nothing to decide where both did the same', () => {
    const same = changed(base, { question: 'Same?' });
    expect(changedByOthers({ base, theirs: same, mine: same })).toEqual([]);
  });

  it('keep what each of them changed alone', () => {
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

  it('are asked to decide where both changed the same field, and nothing is taken before', () => {
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

  it('may take away what the other has changed, and the other way round', () => {
    const theirs = changed(base, { locales: undefined });
    const mine = changed(base, { locales: { de: { question: 'Neu?' } } });
    const versions = { base, theirs, mine };
    expect(fieldsOf(changedByOthers(versions))).toEqual(['locales.de']);
    expect(merged(versions, new Map([['locales.de', 'theirs' as const]]))?.locales).toBeUndefined();
    expect(merged(versions, new Map([['locales.de', 'mine' as const]]))?.locales).toEqual(mine.locales);
  });
});
