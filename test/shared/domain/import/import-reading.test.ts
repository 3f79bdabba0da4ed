import { describe, expect, it } from 'vitest';
import { importColumns } from '../../../../shared/domain/import/import-columns.ts';
import { createReading } from '../../../../shared/domain/import/import-reading.ts';
import { earlierForms } from '../../../../shared/domain/import/import-row.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const ROW = { email: 'ann@example.org', rating: 9 };

function missedIn(heading: string, cells: readonly string[], chosen = {}): string | undefined {
  const header = ['Email', 'Score', heading];
  const columns = importColumns(header, chosen, aSurvey());
  if ('problem' in columns) throw new Error(columns.problem);
  const reading = createReading(header, columns);
  for (const cell of cells) reading.add(['ann@example.org', '9', cell], ROW);
  const [, field] = /--column (\w+)=/.exec(reading.findMissed(chosen) ?? '') ?? [];
  return field;
}

describe('an unused column', () => {
  it.each([
    ['Moment', ['2026-02-01 10:00:00'], 'at'],
    ['Moment', ['2026-02-01T10:00:00Z', '', 'unknown', '2026-02-02'], 'at'],
    ['Moment', ['02/01/26', '02/13/2026 4:05 PM'], 'at'],
    ['Moment', ['Sat Jun 15 2024', 'February 2, 2026'], 'at'],
    ['Created (Unix)', ['1713418460', ''], 'at'],
    ['time_of_answer', ['2026-02-01', 'x', 'x', 'x'], 'at'],
    ['Words', ['I like that it is so fast'], 'text'],
    ['Words', ['good', 'I like that it is so fast', 'bad', 'none'], 'text'],
    ['Customer feedback', ['lovely'], 'text'],
  ])('%s with the cells %j is a missed column for %s', (heading, cells, field) => {
    expect(missedIn(heading, cells)).toBe(field);
    expect(missedIn(heading, cells, { [field]: 'none' })).toBeUndefined();
  });

  it.each([
    ['Order', ['1713418460', '1713418461']],
    ['IP Address', ['10.1.22.3', '192.168.1.1']],
    ['Time zone', ['CET', 'UTC']],
    ['Created', ['']],
    ['Plan', ['free', 'pro', 'a plan for five people only', 'free', 'pro', 'free', 'pro', 'free']],
    ['Feedback type', ['bug', 'bug', 'idea', 'bug']],
    [
      'Answer label',
      ['Neither satisfied nor dissatisfied with it', 'Neither satisfied nor dissatisfied with it'],
    ],
    ['Browser', ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605']],
    ['Page', ['https://example.com/a b c d e f g']],
    ['Feedback', ['9', '8']],
  ])('%s with the cells %j is neither the time nor the comment', (heading, cells) => {
    expect(missedIn(heading, cells)).toBeUndefined();
  });
});

it('knows the forms that an earlier version of a line had, unless the file has them as lines', () => {
  const [at, text, id] = [Date.parse('2026-02-01'), 'lovely', 'r1'];
  const row = { ...ROW, at, text, id };
  const forms = [{ at, text }, { at }, { text }, {}].map((more) => ({ ...ROW, ...more }));
  expect(earlierForms(row)).toEqual(forms);
  expect(earlierForms({ ...ROW, text })).toEqual([ROW]);
  expect(earlierForms(ROW)).toEqual([]);
  const reading = createReading([], {});
  for (const line of [{ ...ROW, email: 'Ann@Example.org' }, { ...ROW, at }, row]) reading.add([], line);
  expect(forms.map(reading.hasForm)).toEqual([false, true, false, true]);
});
