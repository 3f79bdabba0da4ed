/** In how many files one thing stands. A higher count means that adding the next one became harder. */

import { describe, expect, it } from 'vitest';
import { readSources } from './source-file.ts';

interface Thing {
  readonly what: string;
  /** How code spells it. */
  readonly spelled: RegExp;
  /** Prefixes of the files that store, change or show it. Files that only use it are left out. */
  readonly in: readonly string[];
  readonly most: number;
}

const settings = { in: ['bin/', 'shared/data/', 'shared/domain/project.ts'], most: 2 } as const;

const THINGS: readonly Thing[] = [
  { what: 'a project setting', spelled: /\bsmallestCell\b/, ...settings },
  { what: 'a limit of a project', spelled: /\bquietAfterDismissalMs\b/, ...settings },
  { what: 'a choice of a project', spelled: /\btypesUnlessSaid\b/, ...settings },
];

describe('places', () => {
  const sources = readSources(['bin', 'functions', 'lib', 'local', 'pages', 'sdk', 'shared']);

  it.each(THINGS)('$what stands in at most $most files', ({ spelled, in: prefixes, most }) => {
    const found = sources
      .filter(({ path, code }) => prefixes.some((prefix) => path.startsWith(prefix)) && spelled.test(code))
      .map(({ path }) => path);
    expect(found).not.toEqual([]);
    expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
  });
});
