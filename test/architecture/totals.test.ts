/**
 * Who may write a total or a result. Each such item is created, counted up, recounted or removed by one part of
 * shared/data, and read by others without its key: a line here is a decision (docs/data-model.md, "Consistency").
 */

import { describe, expect, it } from 'vitest';
import { readSource, readSources, type SourceFile } from './source-file.ts';

/** What names or writes such an item. */
const GUARDED = ['surveyTotalKey', 'projectTotalKey', 'resultsPartition', 'listWrites'];

const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  // Creates the totals of a project, and that of a survey, with the project and the survey.
  'shared/data/projects/project-store.ts': ['projectTotalKey'],
  // It reads the log of changes, too, which lies with the results.
  'shared/data/projects/survey-store.ts': ['surveyTotalKey', 'resultsPartition'],
  // Lists what counting adds to totals and results.
  'shared/data/results/additions.ts': ['surveyTotalKey', 'projectTotalKey', 'resultsPartition'],
  // Counts the records of the stream.
  'shared/data/results/count-store.ts': ['listWrites'],
  // Recount: begin and end a generation, copy its shows, copy days whose rows are gone, count its rows.
  'shared/data/results/recounts.ts': ['surveyTotalKey', 'resultsPartition'],
  'shared/data/results/copied-days.ts': ['surveyTotalKey', 'resultsPartition'],
  'shared/data/results/row-count.ts': ['surveyTotalKey', 'listWrites'],
  // Reads results; writes nothing.
  'shared/data/results/result-store.ts': ['resultsPartition'],
  // Removes what is purged.
  'shared/data/privacy/purged-definitions.ts': ['surveyTotalKey', 'resultsPartition'],
};

const used = ({ path, code }: SourceFile): string[] => {
  const isHome = (name: string) => new RegExp(`export (?:const|function|class) ${name}\\b`).test(code);
  return GUARDED.filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !isHome(name)).map(
    (name) => `${path}: ${name}`,
  );
};

describe('totals and results', () => {
  it('are written and looked up by those alone that are listed here', () => {
    const found = readSources(['shared', 'functions', 'bin', 'local', 'lib']).flatMap(used);
    const listed = Object.entries(MAY_USE).flatMap(([path, names]) =>
      names.map((name) => `${path}: ${name}`),
    );
    expect(found.sort()).toEqual(listed.sort());
  });

  it('by anything else are noticed, however it is imported', () => {
    const stray = [
      "import { surveyTotalKey } from '../shared/data/table/schema.ts';",
      "import * as schema from '../shared/data/table/schema.ts';\nschema.resultsPartition('p');",
    ];
    expect(stray.flatMap((text) => used(readSource('functions/a.ts', text)))).toEqual([
      'functions/a.ts: surveyTotalKey',
      'functions/a.ts: resultsPartition',
    ]);
  });
});
