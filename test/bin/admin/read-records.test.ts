import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileRecord, readRecords } from '../../../bin/admin/import/read-records.ts';
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
  const records: Pick<FileRecord, 'line' | 'cells'>[] = [];
  for await (const { line, cells } of readRecords(file)) records.push({ line, cells });
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

  it.each([
    ['sep=;', [`sep=;\r\n${TEXT}`]],
    ['sep=; in quotes, after a byte order mark', [`\uFEFF"sep=;"\n${TEXT}`]],
    ['SEP=; in UTF-16', [Buffer.from(`\uFEFFSEP=;\r\n${TEXT}`, 'utf16le')]],
    ['sep=, although other characters are more frequent', ['sep=,\r\n', TEXT.replaceAll(';', ',')]],
    ['sep= and a tab', ['sep=\t\n', TEXT.replaceAll(';', '\t')]],
    ['sep=\\t', ['sep=\\t\n', TEXT.replaceAll(';', '\t')]],
    ['sep=|', ['sep=|\n', TEXT.replaceAll(';', '|')]],
  ])('uses the separator of the first line %s', async (_, parts) => {
    const moved = RECORDS.map(({ line, cells }) => ({ line: line + 1, cells }));
    expect(await read(fileOf(...parts))).toEqual(moved);
  });

  it('is read as JSON lines, with the keys of all lines as header', async () => {
    const lines = [
      '{"id":"a","text":"x\\ny, \u2028\\""}',
      '',
      '{"id":null,"rating":9,"traits":{"a":1},"is":false}',
    ];
    expect(await read(fileOf('\uFEFF', lines.join('\r\n')))).toEqual([
      { line: 1, cells: ['id', 'text', 'rating', 'traits', 'is'] },
      // Missing keys at the end have no cells.
      { line: 1, cells: ['a', 'x\ny, \u2028"'] },
      { line: 3, cells: ['', '', '9', '{"a":1}', 'false'] },
    ]);
  });

  it.each(['{"a":1}\n[1]', '{"a":1}\n{"a":'])(
    'is refused with the line that is no JSON object: %j',
    async (text) => {
      await expect(read(fileOf(text))).rejects.toMatchObject({
        exitStatus: 2,
        problems: [expect.stringContaining('line 2 is not a JSON object')],
      });
    },
  );

  it('loses the guarding apostrophe only in our own export', async () => {
    const cells = ["'=1", "''=1", "'tis", "' +49", "'"];
    const own = `kind,surveyId,respondentId,rating,text\n${cells.join(',')}`;
    expect((await read(fileOf(own)))[1]?.cells).toEqual(['=1', "'=1", "'tis", ' +49', "'"]);
    expect((await read(fileOf(`a,b,c,d,e\n${cells.join(',')}`)))[1]?.cells).toEqual(cells);
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
