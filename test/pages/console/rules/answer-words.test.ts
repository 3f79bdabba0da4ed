import { expect, it } from 'vitest';
import { spreadWords, typedWords } from '../../../../pages/console/rules/answer-words.ts';
import { changed, newSurvey, retyped } from '../../../../pages/console/rules/edited-survey.ts';
import { problemsIn } from '../../../../pages/console/rules/problems.ts';

it('words of the two ends stay so until another answer has one', () => {
  expect(spreadWords('csat', ['Poor', 'Good'])).toEqual(['Poor', '', '', '', 'Good']);
  expect(typedWords('csat', ['Poor', 'Good'], 4, 'Great')).toEqual(['Poor', 'Great']);
  expect(typedWords('csat', ['Poor', 'Good'], 2, 'So')).toEqual(['Poor', '', 'So', '', 'Good']);
});

it('words of each answer are there while one of them is', () => {
  expect(typedWords('pmf', undefined, 1, 'Somewhat')).toEqual(['', 'Somewhat', '']);
  expect(typedWords('pmf', ['', 'Somewhat', ''], 1, '')).toBeUndefined();
});

it('a word that is missing is said at its place, in each language', () => {
  const values = ['Poor', '', 'So', '', 'Good'];
  const survey = changed(newSurvey('csat', []), {
    words: { values },
    locales: { de: { words: { values } } },
  });
  expect(problemsIn(survey, { taken: [] }).map(({ path }) => path)).toEqual([
    'words.values[1]',
    'words.values[3]',
    'locales.de.words.values[1]',
    'locales.de.words.values[3]',
  ]);
});

it('of another type nothing is left of them, in no language', () => {
  const values = ['Poor', 'Good'];
  const survey = changed(newSurvey('csat', []), {
    words: { values },
    locales: { de: { words: { values } } },
  });
  expect(retyped(survey, 'pmf', [])).toEqual(changed(newSurvey('pmf', []), { locales: { de: {} } }));
});
