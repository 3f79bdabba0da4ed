/** The only files that may write a total or a result (docs/data-model.md, "Consistency"). */

import { describe, expect, it } from 'vitest';
import { readSource, readSources, type SourceFile } from './source-file.ts';

const GUARDED = ['surveyTotalKey', 'projectTotalKey', 'resultsPartition', 'listWrites'];

const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  'shared/data/projects/project-store.ts': ['projectTotalKey'],
  // The partition of results also holds the log of changes.
  'shared/data/projects/survey-store.ts': ['surveyTotalKey', 'resultsPartition'],
  'shared/data/results/count-store.ts': ['surveyTotalKey', 'projectTotalKey', 'resultsPartition'],
  'shared/data/results/recounts.ts': ['surveyTotalKey', 'resultsPartition'],
  'shared/data/results/recount-steps.ts': ['surveyTotalKey', 'resultsPartition', 'listWrites'],
  // Only reads.
  'shared/data/results/result-store.ts': ['resultsPartition'],
  'shared/data/privacy/purged-definitions.ts': ['surveyTotalKey', 'resultsPartition'],
};

const used = ({ path, code }: SourceFile): string[] => {
  const isHome = (name: string) => new RegExp(`export (?:const|function|class) ${name}\\b`).test(code);
  return GUARDED.filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !isHome(name)).map(
    (name) => `${path}: ${name}`,
  );
};

describe('totals and results', () => {
  it('are written and looked up only by the files listed here', () => {
    const found = readSources(['shared', 'functions', 'bin', 'local', 'lib']).flatMap(used);
    const listed = Object.entries(MAY_USE).flatMap(([path, names]) =>
      names.map((name) => `${path}: ${name}`),
    );
    expect(found.sort()).toEqual(listed.sort());
  });

  it('are detected in any other file, however they are imported', () => {
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
