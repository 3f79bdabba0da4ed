import { describe, expect, it } from 'vitest';
import type { AnswerValue, QuestionKind } from '../../../../shared/domain/answers/answer.ts';
import {
  answerCell,
  answerInCell,
  exportedQuestions,
} from '../../../../shared/domain/import/answer-cells.ts';
import { type ImportColumns, importColumns } from '../../../../shared/domain/import/import-columns.ts';
import { clockOf, importedRow, parseTime } from '../../../../shared/domain/import/import-row.ts';
import type { SurveyContent, SurveyQuestion } from '../../../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');

const named = (header: string, chosen = {}, content: Partial<SurveyContent> = {}) => {
  const headings = header.split('|');
  const columns = importColumns(headings, chosen, aSurvey({}, content));
  if ('problem' in columns) return columns.problem;
  return Object.fromEntries(Object.entries(columns).map(([field, index]) => [field, headings[index]]));
};

describe('columns', () => {
  it('match our names in any case and order', () => {
    expect(named('Rating|EMAIL| at |text|id')).toEqual({
      rating: 'Rating',
      email: 'EMAIL',
      at: ' at ',
      text: 'text',
      id: 'id',
    });
    expect(named('respondent_id|rating')).toEqual({ respondent_id: 'respondent_id', rating: 'rating' });
  });

  it.each([
    ['kind|id|respondentId|rating', {}, { id: 'id', respondent_id: 'respondentId', rating: 'rating' }],
    ['Respondent ID|Score', {}, { respondent_id: 'Respondent ID', rating: 'Score' }],
    ['respondentId|Email|Score', {}, { email: 'Email', rating: 'Score' }],
    ['Email|Score|Date|id', { at: 'none', id: 'None' }, { email: 'Email', rating: 'Score' }],
    ['Email|Score|None', { at: 'none' }, { email: 'Email', rating: 'Score', at: 'None' }],
    ['Respondent ID|Collector ID|Score', {}, expect.stringContaining('email or respondent_id')],
  ])('%s with %j are %j', (header, chosen, columns) => {
    expect(named(header, chosen)).toEqual(columns);
  });

  it('are those that the operator chooses', () => {
    expect(named('email|score|my score', { rating: 'My Score' })).toEqual({
      email: 'email',
      rating: 'my score',
    });
    expect(named('email|score', { text: 'words' })).toContain('no column "words"');
  });

  it('without a rating or a person produce an error that lists the headings', () => {
    expect(named('email|colour')).toContain('"colour"');
    expect(named('score|colour')).toContain('email or respondent_id');
  });
});

it.each([
  ['choice', 'email|rating|choice', { email: 'email', rating: 'choice' }],
  ['choice', 'email|Why did you leave?', { email: 'email', rating: 'Why did you leave?' }],
  ['choice', 'email|$survey_response', { email: 'email', rating: '$survey_response' }],
  ['choice', 'email|How likely are you to stay?', expect.stringContaining('--column rating=HEADING')],
  ['open', 'email|rating|text', { email: 'email', text: 'text' }],
  ['open', 'email|Comments|Why did you leave?', { email: 'email', text: 'Why did you leave?' }],
  ['open', 'email|rating', expect.stringContaining('--column text=HEADING')],
] as const)('columns of a survey of type %s in %s', (type, header, columns) => {
  expect(named(header, {}, { type, question: 'Why did you leave?' })).toEqual(columns);
});

describe('a line', () => {
  const columns: ImportColumns = { email: 0, respondent_id: 1, rating: 2, text: 3, at: 4, id: 5 };
  const row = (...cells: string[]) =>
    importedRow(cells, columns, { survey: { content: { type: 'csat' } as SurveyContent }, now: NOW });
  const problem = (...cells: string[]) => {
    const read = row(...cells);
    return 'problem' in read ? read.problem : read;
  };

  it('is trimmed, omits empty cells, and keeps a valid email beside an id', () => {
    expect(row(' a@x.org ', '', ' 5 ', '', '', '')).toEqual({ email: 'a@x.org', rating: 5 });
    expect(row('a@x.org', 'ann', '5.0', 'fine', '2026-11-01', 'r1')).toEqual({
      respondentId: 'ann',
      email: 'a@x.org',
      rating: 5,
      text: 'fine',
      at: Date.parse('2026-11-01'),
      id: 'r1',
    });
    expect(row('n/a', 'ann', '5')).toEqual({ respondentId: 'ann', rating: 5 });
  });

  const answered = (type: 'choice' | 'open', [answer, text = '']: readonly string[], own?: string[]) => {
    const choices = [
      { code: 'price', label: 'Too expensive' },
      { code: '0', label: 'None' },
    ];
    const content = { type, locales: { de: { choices: { price: 'Zu teuer' } } } };
    const choicesEver = [{ code: 'gone', label: 'A fault' }, ...choices];
    const survey = aSurvey({ choicesEver }, { ...content, ...(type === 'choice' && { choices }) });
    const cells = own ?? ['', 'ann', answer ?? '', text];
    const header = ['kind', 'respondentId', 'surveyId', 'rating', 'text', 'choice'];
    const ownColumns = importColumns(header, {}, survey);
    if ('problem' in ownColumns) throw new Error(ownColumns.problem);
    const read = importedRow(cells, own === undefined ? columns : ownColumns, { survey, now: NOW });
    return 'rating' in read ? read.rating : read;
  };

  it.each(['price', 'PRICE', ' too Expensive ', 'zu teuer'])('reads the choice %j', (answer) => {
    expect(answered('choice', [answer])).toBe(1);
  });

  it('reads the codes of digits before ratings, and labels of earlier choices', () => {
    expect(answered('choice', ['0'])).toBe(2);
    expect(answered('choice', ['a fault'])).toBe(0);
    // Other tools number options in their own way.
    expect(answered('choice', ['1'])).toEqual({ problem: 'has a choice that is not one of gone, price, 0' });
    expect(answered('choice', ['too'])).toEqual({
      problem: 'has a choice that is not one of gone, price, 0',
    });
    expect(answered('choice', ['3'])).toMatchObject({ problem: expect.stringContaining('not one of') });
    expect(answered('choice', [''])).toEqual({ problem: 'has no rating' });
  });

  it('reads the code of our own export, and the rating if an earlier release exported it', () => {
    expect(answered('choice', [], ['response', 'ann', 'sv_1', '7', '', 'price'])).toBe(1);
    expect(answered('choice', [], ['response', 'ann', 'sv_1', '0', '', ''])).toBe(0);
  });

  it('needs a text in a survey of type open, except in our own export', () => {
    expect(answered('open', ['7', 'Hello'])).toBe(0);
    expect(answered('open', ['7', ' '])).toEqual({ problem: 'has no text' });
    expect(answered('open', [], ['response', 'ann', 'sv_1', '0', '', ''])).toBe(0);
    expect(answered('open', [], ['response', 'ann', 'sv_1', '7', 'Hello', ''])).toMatchObject({
      problem: expect.stringContaining('whole number'),
    });
  });

  it('accepts the words of exports for up and down in a thumbs survey', () => {
    const rules = { survey: { content: { type: 'thumbs' } as SurveyContent }, now: NOW };
    const ratingOf = (answer: string) => importedRow(['', 'ann', answer], columns, rules);
    for (const up of ['1', '1.0', 'UP', 'Thumbs up', 'true', 'yes', '👍'])
      expect(ratingOf(up)).toEqual({ respondentId: 'ann', rating: 1 });
    for (const down of ['0', 'down', 'Thumbs_Down', 'FALSE', 'No', '👎'])
      expect(ratingOf(down)).toEqual({ respondentId: 'ann', rating: 0 });
    for (const none of ['2', '-1', 'sideways', 'constructor'])
      expect(ratingOf(none)).toEqual({ problem: 'has a rating that is no whole number from 0 to 1' });
    expect(problem('', 'ann', 'yes')).toContain('from 1 to 5');
  });

  it.each([
    [['', '', '5'], 'neither'],
    [['no mail', '', '5'], 'an invalid email address'],
    [['a@x.org', '', ''], 'no rating'],
    [['a@x.org', '', '6'], 'from 1 to 5'],
    [['a@x.org', '', '0'], 'from 1 to 5'],
    [['a@x.org', '', '4.5'], 'from 1 to 5'],
    [['a@x.org', '', '5', 'x'.repeat(5_001)], '5000 characters'],
    [['a@x.org', '', '5', '', 'yesterday'], 'not ISO 8601'],
    [['a@x.org', '', '5', '', '03/04/2026'], '--dates'],
    [['a@x.org', '', '5', '', '2027-01-01'], 'future'],
    [['', 'x'.repeat(257), '5'], '256 bytes'],
  ])('%j is rejected', (cells, reason) => {
    expect(problem(...cells)).toContain(reason);
  });

  it.each([
    ['2026-11-20T09:30:00.123Z', '2026-11-20T09:30:00.123Z'],
    ['2026-11-20T09:30:00+02:00', '2026-11-20T07:30:00.000Z'],
    ['2026-11-20 09:30:00', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20 09:30:00 UTC', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20 09:30:00 +0200', '2026-11-20T07:30:00.000Z'],
    ['2026-11-20 09:30:00 +02', '2026-11-20T07:30:00.000Z'],
    ['2026-11-20 09:30:00 GMT', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20 09:30:00 GMT+8', '2026-11-20T01:30:00.000Z'],
    ['2026-11-20 09:30:00 GMT-3:30', '2026-11-20T13:00:00.000Z'],
    ['2026-11-20 24:30:00', '2026-11-20T00:30:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1713418460', '2024-04-18T05:34:20.000Z'],
    ['1713418460123', '2024-04-18T05:34:20.123Z'],
  ])('accepts the time %s', (text, iso) => {
    expect(new Date(parseTime(text)).toISOString()).toBe(iso);
  });

  it.each([
    ['2026-01-31 23:30:00', 'America/Denver', '2026-02-01T06:30:00.000Z'],
    ['2026-07-01', 'America/Denver', '2026-07-01T06:00:00.000Z'],
    ['03/29/2026 1:30 AM', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 01:59:59', 'Europe/Berlin', '2026-10-24T23:59:59.000Z'],
    ['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-01-01 05:30:00', 'Asia/Kolkata', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 00:00:00', 'Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 00:00:00Z', 'Asia/Kolkata', '2026-01-01T00:00:00.000Z'],
    ['1713418460', 'Asia/Kolkata', '2024-04-18T05:34:20.000Z'],
  ])('%s by the clocks of %s is %s', (text, zone, iso) => {
    expect(new Date(parseTime(text, 'mdy', clockOf(zone))).toISOString()).toBe(iso);
  });

  it.each(['2026-02-30', '2026-02-29T10:00:00Z', '2026-13-01'])('rejects the nonexistent day %s', (text) => {
    expect(parseTime(text)).toBeNaN();
  });

  it('reads dates in the given order of day and month', () => {
    const iso = (text: string, order: 'mdy' | 'dmy') => new Date(parseTime(text, order)).toISOString();
    expect(iso('03/04/2026 02:05:09 PM', 'mdy')).toBe('2026-03-04T14:05:09.000Z');
    expect(iso('03.04.2026, 14:05', 'dmy')).toBe('2026-04-03T14:05:00.000Z');
    expect(iso('12/31/2025 12:00:00 AM', 'mdy')).toBe('2025-12-31T00:00:00.000Z');
    for (const text of ['31/12/2025', '02/30/2026', '1/1/2026 25:00'])
      expect(parseTime(text, 'mdy')).toBeNaN();
  });
});

describe('answers to questions', () => {
  const question = (id: string): SurveyQuestion => ({ id, kind: 'text', text: id });

  it('have a column for every question ever, in the order of the file', () => {
    const survey = aSurvey(
      { questionsEver: ['old', 'first', 'older', 'second'].map(question) },
      { questions: ['second', 'first', 'new'].map(question) },
    );
    const ids = exportedQuestions(survey).map(({ id }) => id);
    expect(ids).toEqual(['second', 'first', 'new', 'old', 'older']);
  });

  it.each<[QuestionKind, AnswerValue | undefined, string | number | null]>([
    ['many', ['a', 'b-2'], 'a b-2'],
    ['one', 'a', 'a'],
    ['scale', 0, 0],
    ['text', '-', '\\-'],
    ['text', '\\-', '\\\\-'],
    ['text', '\\- x', '\\- x'],
    ['one', null, '-'],
    ['text', undefined, null],
  ])('of the kind %s read %j from the cell %j that the export writes', (kind, value, cell) => {
    expect(answerCell(value)).toBe(cell);
    expect(answerInCell(String(cell ?? ''), { kind })).toEqual(value);
  });
});
