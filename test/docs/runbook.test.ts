/** The runbook's log queries and the alarm filters use fields that are logged. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LogLine, type Written, writtenLines } from '../support/service/written-lines.ts';
import { matchesFilter } from '../support/stack/filter-pattern.ts';
import { ALL } from '../support/stack/stages.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const CRASHES = [
  'a timeout',
  'too little memory',
  'an error that the handler throws',
  'a bundle that does not load',
] as const;

/** Log lines that the queries of each section must find. */
const SECTIONS: Readonly<Record<string, readonly Written[]>> = {
  'Gateway failures': ['a defect', 'a table that does not answer'],
  'Internal errors': ['a defect'],
  Unavailable: ['a table that does not answer'],
  'Function failures': CRASHES,
  'Background failures': CRASHES,
  'Slow requests': ['a bootstrap'],
  'Rate limiter open': ['a limiter that does not answer'],
  'Counting behind': [...CRASHES, 'a batch that fails'],
  'Results uncounted': ['a record that is not read', 'a survey that is not read'],
  'Table throttles': ['a table that does not answer'],
  'Scores stuck': ['a poll of scores'],
  'Scores late': ['a destination that halts', 'a run of the adapter that fails'],
  'Scores halted': ['a destination that halts'],
  'Scores not withdrawn': ['withdrawals that wait'],
  'Scores failing': ['a run of the adapter that fails'],
  'Events late': ['events that wait'],
  'Events lost': ['events that are lost'],
  'Digest missed': ['a digest that is sent'],
};

/** Log lines that the filter of an alarm's first command must find. */
const FIRST: Readonly<Record<string, readonly Written[]>> = {
  'rate-limiter-open': ['a limiter that does not answer'],
  'slow-bootstrap': ['a bootstrap'],
  'bootstrap-too-large': ['a reply that is too large'],
  'background-failures': [...CRASHES, 'a batch that fails'],
  'counting-behind': [...CRASHES, 'a batch that fails'],
  'results-uncounted': ['a record that is not read', 'a survey that is not read'],
  'scores-stuck': ['a poll of scores'],
  'scores-late': ['a destination that halts', 'a run of the adapter that fails'],
  'scores-halted': ['a destination that halts'],
  'scores-not-withdrawn': ['withdrawals that wait'],
  'scores-failing': ['a run of the adapter that fails'],
  'events-late': ['events that wait'],
  'events-lost': ['events that are lost'],
  'purge-failed': ['a purge that failed'],
  'probe-failing': ['a probe that cannot ask'],
  'slack-failed': ['a message that Slack does not take'],
  'digest-missed': ['a digest that failed'],
};

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');
const [, RUNBOOK = ''] = OPERATIONS.split(/^## Runbook$/m);
const QUERIES = (RUNBOOK.split(/^## /m)[0] ?? '').split(/^### /m).flatMap((section) => {
  const heading = section.split('\n')[0] ?? '';
  return [...section.matchAll(/`((?:filter|stats) [^`]+)`/g)].map(([, query = '']) => ({
    heading,
    query: query.replaceAll(/\s+/g, ' '),
  }));
});

const FIRST_FILTERS = Object.values(aTemplate(ALL).findResources('AWS::CloudWatch::Alarm')).flatMap(
  ({ Properties }): [string, string][] => {
    const alarm = Properties.AlarmName.replace('canvass-test-', '').replace(/-\d+$/, '');
    const text = JSON.stringify(Properties.AlarmDescription).replaceAll('\\"', '"');
    const [, filter] = text.match(/aws logs tail \/canvass\S+ --since \d+h --filter-pattern '([^']+)'/) ?? [];
    return filter === undefined ? [] : [[alarm, filter]];
  },
);

/** Functions and words of Logs Insights QL; `@` begins fields that it adds itself. */
const WORDS =
  /^(filter|stats|count|sum|max|min|avg|pct|latest|bin|by|and|or|not|in|like|ispresent|as|sort|desc|limit)$/;

/** Fields that a query uses, without its string literals and patterns. */
const fieldsOf = (query: string): readonly string[] => {
  const bare = query.replaceAll(/"[^"]*"|\/(?:\\.|[^/\\])+\//g, '');
  const names = bare.match(/(?<![\w@.])[a-z_][\w.]*/gi) ?? [];
  return [...new Set(names)].filter((name) => !WORDS.test(name));
};

const valueAt = (line: LogLine, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], line);

/** Test requests are fast and answers are new, so any measured value proves that the field exists. */
const anyMeasured = (filter: string) => filter.replace(/>= \d+/, '>= 0');

describe('the runbook', () => {
  let written: Readonly<Record<Written, readonly LogLine[]>>;
  beforeAll(async () => {
    written = await writtenLines();
  });
  const all = () => Object.values(written).flat();

  it('has the queries that are tested below, and the log queries that alarms begin with', () => {
    expect([...new Set(QUERIES.map(({ heading }) => heading))].sort()).toEqual(Object.keys(SECTIONS).sort());
    expect([...new Set(FIRST_FILTERS.map(([alarm]) => alarm))].sort()).toEqual(Object.keys(FIRST).sort());
  });

  it.each(QUERIES)('$heading: $query: reads fields that are logged', ({ query }) => {
    const read = fieldsOf(query);
    expect(read.length).toBeGreaterThan(0);
    for (const field of read)
      expect([field, all().some((line) => valueAt(line, field) !== undefined)]).toEqual([field, true]);
  });

  const causes = Object.entries(SECTIONS).flatMap(([heading, its]) =>
    its.map((cause) => [heading, cause] as const),
  );
  it.each(causes)('%s: a query reads fields of %s', (heading, cause) => {
    const read = QUERIES.filter((each) => each.heading === heading).flatMap(({ query }) => fieldsOf(query));
    expect(written[cause].some((line) => read.some((field) => valueAt(line, field) !== undefined))).toBe(
      true,
    );
  });

  it.each(FIRST_FILTERS)('the first command of %s shows the cause of the alarm: %s', (alarm, filter) => {
    for (const cause of FIRST[alarm] ?? []) {
      const shown = written[cause].some((line) => matchesFilter(anyMeasured(filter), JSON.stringify(line)));
      expect([cause, shown]).toEqual([cause, true]);
    }
    if (FIRST[alarm]?.includes('a bootstrap')) return;
    for (const line of written['a bootstrap'])
      expect(matchesFilter(anyMeasured(filter), JSON.stringify(line))).toBe(false);
  });

  it('asks for the resources of a stack page by page', () => {
    expect(OPERATIONS).toContain('list-stack-resources');
    expect(OPERATIONS).not.toContain('describe-stack-resource');
  });

  it('writes a timestamp in every log line, without which Lambda ignores the line’s level', () => {
    for (const line of all()) {
      if ('type' in line) continue;
      const timestamp = String(line.timestamp);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
  });
});
