import type { RecordingClient } from './recording-client.ts';
import { seedAnswers } from './seed-answers.ts';
import { START } from './test-clock.ts';
import type { Tenant } from './test-service.ts';
import type { TestTable } from './test-table.ts';

/** The most that reading a history may cost. */
export const HISTORY_UNITS = 48;

/** 20,000 bytes of text and 4 KB of traits: 24 KB. */
const LONG = { text: '😀'.repeat(5_000), traits: { padding: 'x'.repeat(4_000) } };

/** Stores so many answers of `ann` to the first survey, as long as they may be, of tokens issued in the last minutes. */
export async function hoard(table: TestTable, tenant: Tenant, count: number): Promise<void> {
  await seedAnswers(table, {
    projectId: tenant.project.id,
    surveyIds: tenant.surveys.slice(0, 1).map(({ id }) => id),
    count,
    respondentOf: () => 'ann',
    momentOf: (index) => START - count + index,
    responseOf: () => LONG,
  });
}

/** Queries since the last look, and the read units that they consumed. */
export function readsOf(recording: RecordingClient): { readonly queries: number; readonly units: number } {
  const calls = recording.take().filter(({ operation }) => operation === 'Query');
  return { queries: calls.length, units: calls.reduce((sum, { units }) => sum + (units.table ?? 0), 0) };
}
