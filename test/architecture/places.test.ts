/** In how many files one thing stands. A higher count means that adding the next one became harder. */

import { describe, expect, it } from 'vitest';
import { readSources } from './source-file.ts';

interface Thing {
  readonly what: string;
  /** How code spells it. */
  readonly spelled: RegExp;
  /** Prefixes of the files that store, change or show it. Files that only use it are left out. */
  readonly in: readonly string[];
  /** Prefixes that do not count. */
  readonly except?: readonly string[];
  readonly most: number;
}

const settings = { in: ['bin/', 'shared/data/', 'shared/domain/project.ts'], most: 2 } as const;

const PMF = /'pmf'|\bpmf:/;

/** Its table and schemas, the generated client, and what a page sends; and where each of its uses is made. */
const answerField = {
  in: [
    ...['functions/events/', 'functions/privacy/', 'functions/results/'],
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
    except: ['shared/contract/clients/', 'shared/words/languages/'],
    most: 6,
  },
  { what: 'a survey type in the browser SDK', spelled: PMF, in: ['sdk/browser/'], most: 3 },
  { what: 'a field of an answer', spelled: /\bfollowUpRequested\b/, ...answerField },
];

const startsWithAny = (path: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => path.startsWith(prefix));

describe('places', () => {
  const sources = readSources(['bin', 'functions', 'lib', 'local', 'pages', 'sdk', 'shared']);

  it.each(THINGS)('$what stands in at most $most files', (thing) => {
    const { spelled, in: prefixes, except = [], most } = thing;
    const found = sources
      .filter(({ path }) => startsWithAny(path, prefixes) && !startsWithAny(path, except))
      .filter(({ code }) => spelled.test(code))
      .map(({ path }) => path);
    expect(found).not.toEqual([]);
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
  });
});
