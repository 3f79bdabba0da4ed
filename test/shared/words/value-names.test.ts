import { describe, expect, it } from 'vitest';
import { STRINGS } from '../../../shared/words/strings.ts';
import { valueNames } from '../../../shared/words/value-names.ts';
import { aSurvey } from '../../sdk/browser/support/a-survey.ts';

const namesOf = (survey: Parameters<typeof aSurvey>[0], strings = STRINGS) =>
  valueNames(aSurvey(survey), strings).map(({ name }) => name);
const csat = { type: 'csat', scale: { min: 1, max: 5 } } as const;

describe('names of values', () => {
  it('use words for the ends of NPS and numbers between', () => {
    const names = namesOf({});
    expect(names).toHaveLength(11);
    expect(names[0]).toBe('0, Not at all likely');
    expect(names[7]).toBe('7');
    expect(names[10]).toBe('10, Extremely likely');
  });

  it('use a word for each CSAT value', () => {
    expect(namesOf(csat)).toEqual([
      '1, Very dissatisfied',
      '2, Dissatisfied',
      '3, Neutral',
      '4, Satisfied',
      '5, Very satisfied',
    ]);
  });

  it('use a word for each CES value', () => {
    expect(namesOf({ type: 'ces', scale: { min: 1, max: 7 } })[4]).toBe('5, Somewhat agree');
  });

  it('use a word for each PMF value, with the most disappointed highest', () => {
    const meanings = valueNames(aSurvey({ type: 'pmf', scale: { min: 0, max: 2 } }), STRINGS);
    expect(meanings.map(({ meaning }) => meaning)).toEqual([
      'Not disappointed',
      'Somewhat disappointed',
      'Very disappointed',
    ]);
  });

  it("use the survey's end labels and omit our words between them", () => {
    const names = namesOf({ ...csat, endLabels: { low: 'Poor', high: 'Great' } });
    expect(names[0]).toBe('1, Poor');
    expect(names[1]).toBe('2');
    expect(names[4]).toBe('5, Great');
  });

  it("prefer the page's words to ours", () => {
    const names = namesOf(csat, { ...STRINGS, csat: ['Schlecht', 'Gut'] });
    expect(names[0]).toBe('1, Schlecht');
    expect(names[2]).toBe('3');
  });

  it("prefer the survey's words to the page's, at the ends and between", () => {
    const values = ['Awful', 'Poor', 'Fair', 'Good', 'Great'];
    const names = namesOf({ ...csat, words: { values } }, { ...STRINGS, csat: ['Schlecht', 'Gut'] });
    expect(names).toEqual(['1, Awful', '2, Poor', '3, Fair', '4, Good', '5, Great']);
    const labelled = namesOf({ ...csat, words: { values }, endLabels: { low: 'Low', high: 'High' } });
    expect(labelled).toEqual(['1, Low', '2, Poor', '3, Fair', '4, Good', '5, High']);
    expect(namesOf({ words: { values: ['No', 'Yes'] } })[10]).toBe('10, Yes');
  });
});
