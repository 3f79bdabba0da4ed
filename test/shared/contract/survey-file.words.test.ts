import { describe, expect, it } from 'vitest';
import { surveyFile, toDraft } from '../../../shared/contract/survey-file.ts';

const read = (fields: object) =>
  surveyFile.safeParse({ surveys: [{ slug: 'a', type: 'csat', question: 'Q?', ...fields }] });

/** Where a survey is wrong, and how. */
const problems = (fields: object) =>
  (read(fields).error?.issues ?? []).map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`);

describe('a survey file', () => {
  it('may bring the words, thanks and priority of a survey, the words and thanks in each language', () => {
    const fields = {
      priority: 2,
      thanks: { text: 'Thanks', link: { label: 'More', url: 'https://example.com' } },
      words: { send: 'Go', close: 'No', contact: 'Call', contactAddress: 'Number', values: ['Low', 'High'] },
      locales: { de: { thanks: { text: 'Danke' }, words: { values: ['1', '2', '3', '4', '5'] } } },
    };
    const { data } = read(fields);
    expect(data?.surveys.map((survey) => toDraft(survey).content)).toMatchObject([fields]);
  });

  it.each([
    [
      { words: { values: ['1', '2', '3'] } },
      'words.values: must be 2 words, for the ends, or 5, lowest first',
    ],
    [
      { locales: { de: { words: { values: ['1'] } } } },
      'locales.de.words.values: must be 2 words, for the ends, or 5, lowest first',
    ],
    [{ type: 'pmf', words: { values: ['1', '2'] } }, 'words.values: must be 3 words, lowest first'],
    [{ type: 'thumbs', words: { values: ['1'] } }, 'words.values: must be 2 words, lowest first'],
    [
      { thanks: { text: 'T', link: { label: 'L', url: 'javascript:alert(1)' } } },
      'thanks.link.url: must begin with https:// or http://',
    ],
  ])('is refused where they do not fit: %o', (fields, problem) => {
    expect(problems(fields)).toEqual([problem]);
  });

  it.each([
    { words: { sned: 'Go' } },
    { thanks: { text: 'T', url: 'x' } },
    { priority: 1.5 },
    { thanks: {} },
  ])('is refused with what is no field, or no such value: %o', (fields) => {
    expect(read(fields).success).toBe(false);
  });
});
