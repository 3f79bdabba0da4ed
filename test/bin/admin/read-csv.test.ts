import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, readCsv } from '../../../bin/admin/import/read-csv.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEXT = 'email;text\r\njörg@example.com;"Grüße, 🎉\nzwei"\r\n\r\nann@example.com;x\r\n';
const RECORDS = [
  { line: 1, cells: ['email', 'text'] },
  { line: 2, cells: ['jörg@example.com', 'Grüße, 🎉\nzwei'] },
  { line: 5, cells: ['ann@example.com', 'x'] },
];

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

function fileOf(...parts: (string | Uint8Array)[]): string {
  const file = join(temporaryFolder(), 'answers.csv');
  writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))));
  return file;
}

async function read(file: string) {
  const records: Pick<CsvRecord, 'line' | 'cells'>[] = [];
  for await (const { line, cells } of readCsv(file)) records.push({ line, cells });
  return records;
}

describe('a file of answers', () => {
  it.each([
    ['UTF-8', [TEXT]],
    ['UTF-8 with a byte order mark', ['\uFEFF', TEXT]],
    ['UTF-16, little endian', [Buffer.from(`\uFEFF${TEXT}`, 'utf16le')]],
    ['UTF-16, big endian', [bigEndian(`\uFEFF${TEXT}`)]],
  ])('is read in %s', async (_, parts) => {
    expect(await read(fileOf(...parts))).toEqual(RECORDS);
  });

  it('is read correctly when a character spans two chunks', async () => {
    const long = ['text', ...Array.from({ length: 50_000 }, () => 'ö€🎉')];
    const records = await read(fileOf(long.join('\n')));
    expect(records.map(({ cells }) => cells[0])).toEqual(long);
  });

  it.each([
    ['in Windows-1252', [Buffer.from('email,rating\nj\xf6rg@example.com,5\n', 'latin1')]],
    ['that ends within a character', ['email,rating\nann@example.com,5,', Buffer.of(0xc3)]],
    ['whose header alone is UTF-8', ['a,b\n'.repeat(50_000), Buffer.of(0xe4, 0x0a)]],
  ])('is refused: %s', async (_, parts) => {
    const file = fileOf(...parts);
    await expect(read(file)).rejects.toMatchObject({
      exitStatus: 2,
      problems: [`${file} cannot be read: it is not UTF-8 text.`],
    });
  });

  it('is refused in one line when it cannot be opened', async () => {
    const file = join(temporaryFolder(), 'none.csv');
    await expect(read(file)).rejects.toMatchObject({
      exitStatus: 2,
      problems: [expect.stringContaining(`${file} cannot be read: ENOENT`)],
    });
  });
});
