import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAdmin } from '../../../bin/admin/program.ts';
import { captureStreams, failed, runInProcess } from '../../support/admin-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const dependsOn = (name: string) => JSON.stringify({ dependencies: { [name]: '1' } }, null, 2);

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function answering(folder: string, ...typed: readonly string[]) {
  const { streams, written } = captureStreams(typed.map((line) => `${line}\n`).join(''));
  return { status: await runAdmin(['init', folder], streams), ...written() };
}

it.each([
  [
    'react',
    { 'package.json': dependsOn('react') },
    'canvass-survey.tsx',
    '<InlineSurvey<Surveys> slug="nps"',
  ],
  [
    'next',
    { 'package.json': dependsOn('next').replace('{', '{"react": "1",') },
    'canvass-survey.tsx',
    "'use client'",
  ],
  ['page', {}, 'canvass-survey.html', '<div data-canvass="nps">'],
  ['page', { 'package.json': '{}', 'index.html': '' }, 'canvass-survey.html', 'data-key="svc_pk_…"'],
  ['server', { 'package.json': dependsOn('express') }, 'canvass-survey.ts', "surveySlug: 'thumbs'"],
  ['python', { 'requirements.txt': '' }, 'canvass_survey.py', 'survey_slug="thumbs"'],
])('finds %s in %j and writes a survey with its code', async (framework, files, code, line) => {
  const folder = folderWith(files);
  const { status, stdout } = await runInProcess(['init', folder, '--yes', '--json']);
  expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ framework, replaced: [] })]);
  expect(read(folder, code)).toContain(line);
  expect(existsSync(join(folder, 'surveys.d.ts'))).toBe(code.includes('.ts'));
  const isPage = code.startsWith('canvass-survey.') && !code.endsWith('.ts');
  expect(read(folder, 'surveys.yaml').includes('trigger: manual')).toBe(!isPage);
});

it('asks three questions, and repeats one whose answer it cannot use', async () => {
  const folder = folderWith({ 'package.json': dependsOn('react') });
  mkdirSync(join(folder, 'src'));
  const { status, stdout, stderr } = await answering(folder, '', 'smiles', 'csat', 'How was "it"?');
  expect([status, stdout]).toEqual([0, expect.stringContaining('npm install @canvass-surveys/react')]);
  expect(stderr.match(/\? [([]/g)).toHaveLength(4);
  expect(read(folder, 'surveys.yaml')).toContain('question: "How was \\"it\\"?"');
  expect(read(folder, 'src/surveys.d.ts')).toContain('"csat": { readonly type: "csat"');
  expect(read(folder, 'src/canvass-survey.tsx')).toContain('slug="csat"');
});

describe('a file that exists', () => {
  const existing = () => folderWith({ 'surveys.yaml': 'mine' });

  it.each(['', 'n', 'yess'])('is kept if the answer is %j, and nothing else is written', async (typed) => {
    const folder = existing();
    const { status, stderr } = await answering(folder, '', '', '', typed);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/surveys\.yaml\. Replace them\?[\s\S]*Nothing was written/),
    ]);
    expect([read(folder, 'surveys.yaml'), existsSync(join(folder, 'canvass-survey.html'))]).toEqual([
      'mine',
      false,
    ]);
  });

  it('is replaced after a yes, and with --overwrite', async () => {
    const folder = existing();
    expect((await answering(folder, '', '', '', 'y')).status).toBe(0);
    expect(read(folder, 'surveys.yaml')).toContain('slug: nps');
    const again = await runInProcess(['init', folder, '--yes', '--overwrite', '--type', 'open', '--json']);
    expect(JSON.parse(again.stdout).replaced).toHaveLength(2);
    expect(read(folder, 'surveys.yaml')).toContain('slug: open');
  });

  it('is kept with --yes alone', async () => {
    const folder = existing();
    expect(await runInProcess(['init', folder, '--yes'])).toEqual(
      failed(2, /surveys\.yaml\. Add --overwrite/),
    );
    expect(read(folder, 'surveys.yaml')).toBe('mine');
  });
});

it('writes nothing if nobody can answer, or the answers end', async () => {
  const folder = folderWith();
  expect(await runInProcess(['init', folder])).toEqual(failed(2, /Add --yes/));
  expect((await answering(folder, 'page')).status).toBe(1);
  expect(existsSync(join(folder, 'surveys.yaml'))).toBe(false);
});
