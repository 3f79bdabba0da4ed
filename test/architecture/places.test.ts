/** Limits how many files a new setting, survey type or answer field touches. */

import { describe, expect, it } from 'vitest';
import { readSources } from './source-file.ts';

interface Thing {
  readonly what: string;
  readonly spelled: RegExp;
  /** Path prefixes of the files that store, change or show the value. */
  readonly in: readonly string[];
  readonly except?: readonly string[];
  readonly most: number;
}

const settings = { in: ['bin/', 'shared/data/', 'shared/domain/project.ts'], most: 2 } as const;

const PMF = /'pmf'|\bpmf:/;

const answerField = {
  in: [
    ...['functions/stream/', 'functions/privacy/', 'functions/results/'],
    ...['functions/revise-response.ts', 'functions/submit-response.ts'],
    ...['answer', 'clients/', 'event', 'fields', 'privacy', 'results', 'score', 'sdk'].map(
      (name) => `shared/contract/${name}`,
    ),
    ...['shared/domain/answers/answer', 'shared/domain/answers/revision', 'shared/domain/scoring'],
    ...['shared/data/answers/import', 'sdk/browser/'],
  ],
  most: 6,
} as const;

const THINGS: readonly Thing[] = [
  { what: 'a project setting', spelled: /\bsmallestCell\b/, ...settings },
  { what: 'a limit of a project', spelled: /\bquietAfterDismissalMs\b/, ...settings },
  { what: 'a choice of a project', spelled: /\btypesUnlessSaid\b/, ...settings },
  {
    what: 'a survey type in the service and its pages',
    spelled: PMF,
    in: ['bin/', 'functions/', 'lib/', 'pages/', 'shared/'],
    except: ['shared/contract/clients/', 'shared/words/languages/', 'shared/domain/surveys/templates/'],
    most: 7,
  },
  { what: 'a survey type in the browser SDK', spelled: PMF, in: ['sdk/browser/'], most: 3 },
  { what: 'a field of an answer', spelled: /\bfollowUpRequested\b/, ...answerField },
];

const startsWithAny = (path: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => path.startsWith(prefix));

describe('places', () => {
  const sources = readSources(['bin', 'functions', 'lib', 'local', 'pages', 'sdk', 'shared']);

  it.each(THINGS)('$what appears in at most $most files', (thing) => {
    const { spelled, in: prefixes, except = [], most } = thing;
    const found = sources
      .filter(({ path }) => startsWithAny(path, prefixes) && !startsWithAny(path, except))
      .filter(({ code }) => spelled.test(code))
      .map(({ path }) => path);
    expect(found).not.toEqual([]);
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
  });
});
