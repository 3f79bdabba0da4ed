/** What is stored and what left, each as a line to read that opens to all of it. */

import { element, find, nameOf } from './find.ts';

/** A stored answer or dismissal, or what an event tells. */
export interface Row {
  readonly at: string;
  /** Of an event. */
  readonly type?: string;
  readonly respondentId?: string;
  readonly surveySlug?: string;
  readonly surveyType?: string;
  /** Null when it was taken back; a dismissal has none. */
  readonly rating?: number | null;
  readonly text?: string;
}

const VERBS: Readonly<Record<string, string>> = {
  'Response Recorded': 'answered',
  'Response Revised': 'changed the answer to',
  'Response Withdrawn': 'took back',
  'Survey Shown': 'saw',
  'Dismissal Recorded': 'closed',
};
const PMF = ['not disappointed', 'somewhat disappointed', 'very disappointed'];
const MOST: Readonly<Record<string, number>> = { nps: 10, csat: 5, ces: 7 };

function inWords({ surveyType = '', rating }: Row): string {
  if (rating === null || rating === undefined) return '';
  if (surveyType === 'thumbs') return `: thumb ${rating ? 'up' : 'down'}`;
  return `: ${PMF[surveyType === 'pmf' ? rating : -1] ?? `${rating} of ${MOST[surveyType]}`}`;
}

/** Who, what, of which survey. */
function lineOf(row: Row, person = 'somebody'): string {
  const { type, respondentId = person, surveySlug = '', rating, text } = row;
  const stored = rating === undefined ? 'closed' : rating === null ? 'took back' : 'answered';
  const verb = type === undefined ? stored : (VERBS[type] ?? `(${type.toLowerCase()})`);
  return `${nameOf(respondentId)} ${verb} ${nameOf(surveySlug)}${inWords(row)}${text ? `, “${text}”` : ''}`;
}

/** The time of today, or the day. */
function momentOf(at: string): string {
  const moment = new Date(at);
  if (moment.toDateString() === new Date().toDateString()) return moment.toLocaleTimeString('en-GB');
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Lists rows, the newest first, and equal ones once. @param person whose they are, where they do not say */
export function list(selector: string, rows: readonly Row[], person?: string): void {
  const sorted = rows.toSorted((a, b) => b.at.localeCompare(a.at));
  const lines = [...Map.groupBy(sorted, (row) => lineOf(row, person))].map(([line, equal]) => {
    const time = element('time', momentOf(equal[0]?.at ?? ''));
    const count = equal.length > 1 ? ` ×${equal.length}` : '';
    const told = element('summary', time, ` ${line}${count}`);
    return element(
      'details',
      told,
      element('pre', equal.map((row) => JSON.stringify(row, null, 2)).join('\n')),
    );
  });
  find(selector, HTMLDivElement).replaceChildren(
    ...(lines.length > 0 ? lines : [element('p', `Nothing${person ? ` of ${nameOf(person)}` : ''} yet.`)]),
  );
}
