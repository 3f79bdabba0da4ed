/** Runs the commands of docs/migrating.md unchanged, on files in the formats of the other tools. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { createTestService } from '../support/service/test-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/migrating.md'), 'utf8');

function textOf(section: string): string {
  const [, text = ''] = guide.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return own;
}

function blocksOf(section: string): ReadonlyMap<string, string> {
  return new Map(
    [...textOf(section).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', code = '']) => [
      kind,
      code,
    ]),
  );
}

function importOf(section: string): string[] {
  const text = textOf(section).replaceAll('\\\n', ' ');
  const commands = new Set(
    [...text.matchAll(/npm run admin -- (import .*)/g)].map(([, flags = '']) => flags),
  );
  expect(commands.size).toBe(1);
  const [flags = ''] = commands;
  return [...flags.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
}

const service = await createTestService();
const admin = createAdminCli(service);

describe('answers exported from', () => {
  /** Imports a file with the section's command, and returns the stored answers. */
  async function imported(section: string, type: 'nps' | 'thumbs', csv: string) {
    const tenant = await service.tenant({}, [aSurvey({}, { slug: 'recommend', type })]);
    const file = join(temporaryFolder(), 'answers.csv');
    writeFileSync(file, csv);
    const words = importOf(section).flatMap((word) => {
      if (word === '--local') return [];
      if (word === 'ID') return [tenant.project.id];
      return word.endsWith('.csv') ? [file] : [word];
    });
    const outcome = await admin.json(...words);
    expect(await admin.json(...words)).toMatchObject({ imported: 0, skipped: outcome.imported });
    const { body } = await service.call(exportResponses, { secretKey: tenant.secretKey });
    const rows: { rating: number; text: string | null; at: string }[] = body.responses;
    const stored = rows.map(({ rating, text, at }) => [at, rating, text]);
    return { rejected: outcome.rejected, stored: stored.sort() };
  }

  it('Delighted', async () => {
    const csv = [
      'Response ID,Email,Score,Comment,Created at',
      '1,person-1@example.org,9,,2024-04-18 05:34:20 UTC',
      '2,person-2@example.org,0,"Slow,\n""really""",2024-04-18 05:34:21 UTC',
    ].join('\n');
    expect(await imported('Delighted', 'nps', csv)).toEqual({
      rejected: [],
      stored: [
        ['2024-04-18T05:34:20.000Z', 9, null],
        ['2024-04-18T05:34:21.000Z', 0, 'Slow,\n"really"'],
      ],
    });
  });

  it('Formbricks', async () => {
    // https://github.com/formbricks/formbricks/blob/main/apps/web/lib/response/utils.ts
    const header = [
      ...['No.', 'Response ID', 'Timestamp', 'Finished', 'Survey ID', 'Formbricks ID (internal)', 'User ID'],
      ...['Tags', 'url', 'userAgent - os', '1. How likely are you to recommend Acme?'],
      ...['2. What could we do better?', 'plan'],
    ];
    const line = (id: string, time: string, user: string, rating: string, text: string) => [
      ...['1', id, time, rating ? 'Yes' : 'No', 'clx1', 'cly1', user, '', 'https://acme.example', 'macOS'],
      ...[rating, text, 'team'],
    ];
    const lines = [
      header,
      line('r1', '2026-06-15 00:30:12 UTC', 'ann', '9', 'Calm, fast'),
      line('r2', '2026-06-15 08:30:13 GMT+8', 'bob', '3', ''),
      line('r3', '2024-06-15 24:30:12', 'cleo', '10', ''),
      line('r4', '2026-06-15 10:00:00 UTC', 'dan', '', ''),
      line('r5', '2026-06-15 10:00:00 UTC', '', '5', ''),
      line('r6', '2026-06-15 10:00:00 EDT', 'eve', '5', ''),
    ];
    const csv = lines.map((cells) => cells.map((cell) => `"${cell}"`).join()).join('\n');
    expect(await imported('Formbricks', 'nps', csv)).toEqual({
      rejected: [
        { line: 5, message: 'has no rating' },
        { line: 6, message: 'has neither email nor respondent_id' },
        { line: 7, message: 'has a time that is not ISO 8601' },
      ],
      stored: [
        ['2024-06-15T00:30:12.000Z', 10, null],
        ['2026-06-15T00:30:12.000Z', 9, 'Calm, fast'],
        ['2026-06-15T00:30:13.000Z', 3, null],
      ],
    });
  });

  it('PostHog', async () => {
    const sql = blocksOf('PostHog').get('sql') ?? '';
    const header = [...sql.matchAll(/ as (\w+)/g)].map(([, name]) => name);
    expect(header).toEqual(['id', 'respondent_id', 'email', 'at', 'rating', 'text']);
    const csv = [
      header.join(),
      '0190c7a4-0000-7000-8000-000000000001,ann,ann@example.org,2026-06-15T09:30:00.123000Z,1,Helpful',
      '0190c7a4-0000-7000-8000-000000000002,bob,,2026-06-15 09:31:00.000000,0,',
      '0190c7a4-0000-7000-8000-000000000003,cleo,,2026-06-15 09:31:00.000000,2,',
    ].join('\n');
    expect(await imported('PostHog', 'thumbs', csv)).toEqual({
      rejected: [{ line: 4, message: 'has a rating that is no whole number from 0 to 1' }],
      stored: [
        ['2026-06-15T09:30:00.123Z', 1, 'Helpful'],
        ['2026-06-15T09:31:00.000Z', 0, null],
      ],
    });
  });
});
