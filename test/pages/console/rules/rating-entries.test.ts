import { describe, expect, it } from 'vitest';
import { changed, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';
import {
  FOLLOW_UPS,
  plainPath,
  putEntry,
  ratingNames,
  THANKS,
  translationsIn,
} from '../../../../pages/console/rules/rating-entries.ts';
import { merged } from '../../../../pages/console/rules/two-people.ts';
import type { SurveyTexts, SurveyType } from '../../../../shared/domain/surveys/survey.ts';

const [LOW, HIGH] = [
  [0, 1, 2],
  [9, 10],
] as const;
const asked = (question: string, ratings: readonly number[]) => ({ ratings: [...ratings], question });
const said = (text: string, ratings: readonly number[] = HIGH) => ({ ratings: [...ratings], text });
const survey = changed(newSurvey('nps', []), {
  followUps: [asked('What went wrong?', LOW), asked('What do you like?', HIGH)],
  thanks: [said('Tell others'), { text: 'Thanks' }],
  locales: {
    de: { followUps: [asked('Was gefällt?', HIGH)], thanks: [said('Sag es weiter'), { text: 'Danke' }] },
    fr: { question: 'Quoi ?' },
  },
});
const { de = {} } = survey.locales ?? {};

describe('an entry', () => {
  it('takes its translations along when its ratings change, also while it has none', () => {
    const none = changed(survey, putEntry(FOLLOW_UPS, survey, 1, asked('What do you like?', [])));
    expect(none.locales?.de?.followUps).toEqual([asked('Was gefällt?', [])]);
    const moved = changed(none, putEntry(FOLLOW_UPS, none, 1, asked('What do you love?', [10])));
    expect(moved).toEqual({
      ...survey,
      followUps: [asked('What went wrong?', LOW), asked('What do you love?', [10])],
      locales: { ...survey.locales, de: { ...de, followUps: [asked('Was gefällt?', [10])] } },
    });
    expect(problemsIn(moved, { taken: [] })).toEqual([]);
  });

  it('takes its translations away when it is removed, and no others', () => {
    const removed = changed(survey, putEntry(THANKS, survey, 0));
    expect(removed).toEqual({
      ...survey,
      thanks: { text: 'Thanks' },
      locales: { ...survey.locales, de: { ...de, thanks: { text: 'Danke' } } },
    });
    expect(changed(survey, putEntry(FOLLOW_UPS, survey, 0)).locales).toEqual(survey.locales);
  });

  it('is added before the message for all other ratings', () => {
    const added = changed(survey, putEntry(THANKS, survey, 1, said('Sorry', LOW)));
    expect(added.thanks).toEqual([said('Tell others'), said('Sorry', LOW), { text: 'Thanks' }]);
    expect(plainPath(added.thanks)).toBe('thanks[2]');
    expect(plainPath({ text: 'Thanks' })).toBe('thanks');
  });
});

describe('a translation', () => {
  const inList = (texts: SurveyTexts) => translationsIn(FOLLOW_UPS, survey, texts);

  it('has the path of its place in the language, and one of its own while it is missing', () => {
    expect(inList(de).map(({ at, entry }) => [at, entry?.question])).toEqual([
      [2, undefined],
      [0, 'Was gefällt?'],
    ]);
  });

  it('is added, replaced and removed', () => {
    const [low, high] = inList(de);
    const before = asked('Was gefällt?', HIGH);
    expect(low?.put(asked('Was ging schief?', LOW))).toEqual({
      followUps: [before, asked('Was ging schief?', LOW)],
    });
    expect(high?.put(asked('Und?', HIGH))).toEqual({ followUps: [asked('Und?', HIGH)] });
    expect(high?.put(undefined)).toEqual({ followUps: undefined });
  });

  it('is not offered for an entry without ratings, or with those of an earlier entry', () => {
    const twice = [asked('A', LOW), asked('B', LOW), asked('C', [])];
    expect(translationsIn(FOLLOW_UPS, { followUps: twice }, {}).map(({ own }) => own.question)).toEqual([
      'A',
    ]);
  });
});

type Lists = readonly (readonly number[])[];

it.each<[type: SurveyType, given: Lists, followUps: Lists, thanks: Lists]>([
  ['ces', [LOW, [1, 2]], [[1, 2]], [[1, 2]]],
  ['pmf', [LOW, HIGH], [LOW], [LOW]],
  ['thumbs', [[0], [1]], [[0]], [[0], [1]]],
  ['csat', [LOW, HIGH], [], []],
])('keeps only entries whose ratings exist when the type becomes %s', (type, given, followUps, thanks) => {
  const listed = (asks: Lists, thanked: Lists) => ({
    followUps: asks.length === 0 ? undefined : asks.map((ratings) => asked('Why?', ratings)),
    thanks: thanked.length === 0 ? undefined : thanked.map((ratings) => said('Thanks', ratings)),
  });
  const before = changed(survey, { ...listed(given, given), locales: { de: listed(given, given) } });
  const kept = { ...listed(followUps, thanks), locales: { de: listed(followUps, thanks) } };
  expect(retyped(before, type, [])).toEqual(changed(newSurvey(type, []), kept));
});

it('drops a translation whose entry another person removed', () => {
  const mine = changed(survey, { locales: { de: { ...de, question: 'Wie?' } } });
  const theirs = changed(survey, { followUps: undefined, locales: { fr: { question: 'Quoi ?' } } });
  const both = merged(
    { base: survey, theirs, mine },
    new Map([
      ['followUps', 'theirs'],
      ['locales.de', 'mine'],
    ]),
  );
  expect(both?.locales?.de).toEqual({ question: 'Wie?', thanks: de.thanks });
  expect(both && problemsIn(both, { taken: [] })).toEqual([]);
});

it.each<[SurveyType, string[] | undefined, string[]]>([
  ['csat', ['Bad', 'Good'], ['1', '2', '3', '4', '5']],
  ['pmf', undefined, ['Not disappointed', 'Somewhat disappointed', 'Very disappointed']],
  ['pmf', ['Fine', '', 'Sad'], ['Fine', 'Somewhat disappointed', 'Sad']],
  ['thumbs', undefined, ['Thumbs down', 'Thumbs up']],
])('names the ratings of type %s with labels %j as %j', (type, values, names) => {
  expect(ratingNames({ type, words: values && { values } }).map(([, name]) => name)).toEqual(names);
});
