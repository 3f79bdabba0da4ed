import { expect, it } from 'vitest';
import { contents } from '../../../../pages/results/report/contents.ts';
import { type ReportedSurvey, voices } from '../../../../pages/results/report/voices.ts';
import type { Contact } from '../../../../shared/contract/contact-schemas.ts';
import { listContacts } from '../../../../shared/contract/examples/contact-examples.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';

const results = getResults.reply as ResultsReply;
const people = listContacts.reply.contacts as Contact[];
const of = (slug: string): ReportedSurvey => ({
  results: { ...results, survey: { ...results.survey, slug } },
  segments: [],
  comments: [],
  hasMoreComments: false,
  waiting: { people, hasMore: false, isRead: true },
  told: [],
  sources: {},
});

it.each([
  ['the people', [10_000, 10_000], ['#people-one', '#people-two']],
  ['the survey, where the file has no room for anybody', [10_000, 10], ['#people-one', '#survey-two']],
])('leads to %s', (_, rooms, targets) => {
  const surveys = [of('one'), of('two')];
  const { text } = contents(surveys, rooms);
  const leads = [...text.matchAll(/href="([^"]*)" aria-label="Want/g)].map(([, target]) => target);
  expect(leads).toEqual(targets);
  const ids = surveys.map((survey, index) => voices(survey, rooms[index] ?? 0).text);
  for (const [index, target] of targets.entries())
    expect(ids[index]?.includes(`id="${target.slice(1)}"`)).toBe(target.startsWith('#people'));
});
