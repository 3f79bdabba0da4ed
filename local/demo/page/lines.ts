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

const WORDS: Readonly<Record<string, readonly string[]>> = {
  thumbs: ['thumb down', 'thumb up'],
  pmf: ['not disappointed', 'somewhat disappointed', 'very disappointed'],
};
const MOST: Readonly<Record<string, number>> = { nps: 10, csat: 5, ces: 7 };

/** Who did what, or what an event is called; of which survey, and what was said. */
function lineOf(row: Row, person: string): string {
  const { type, respondentId = person, surveySlug = '', surveyType = '', rating, text } = row;
  const verb = rating === undefined ? 'closed' : rating === null ? 'took back' : 'answered';
  const said = WORDS[surveyType]?.[rating ?? 0] ?? `${rating} of ${MOST[surveyType]}`;
  // It stays in one line.
  const words = said.replaceAll(' ', '\u00a0');
  const rated = typeof rating === 'number' ? `: ${words}` : '';
  const begun = type === undefined ? `${nameOf(respondentId)} ${verb}` : `${type} ·`;
  return `${begun} ${nameOf(surveySlug)}${rated}${text ? `, “${text}”` : ''}`;
}

/** The time of today, or the day. */
function momentOf(at: string): string {
  const moment = new Date(at);
  if (moment.toDateString() === new Date().toDateString()) return moment.toLocaleTimeString('en-GB');
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Lists rows, the newest first, and equal ones once; what was opened stays open. @param person whose they are, where they do not say */
export function list(selector: string, rows: readonly Row[], person: string): void {
  const found = find(selector, HTMLDivElement);
  const opened = [...found.querySelectorAll<HTMLElement>('[open]')].map(({ dataset }) => dataset.line);
  const sorted = rows.toSorted((a, b) => b.at.localeCompare(a.at));
  const lines = [...Map.groupBy(sorted, (row) => lineOf(row, person))].map(([line, equal]) => {
    const told = `${line}${equal.length > 1 ? ` ×${equal.length}` : ''}`;
    const time = element('time', momentOf(equal[0]?.at ?? ''));
    const whole = equal.map((row) => JSON.stringify(row, null, 2)).join('\n');
    const made = element('details', element('summary', time, ` ${told}`), element('pre', whole));
    made.dataset.line = line;
    made.toggleAttribute('open', opened.includes(line));
    return made;
  });
  const nothing = `Nothing from ${nameOf(person)} yet.`;
  found.replaceChildren(...(lines.length > 0 ? lines : [element('p', nothing)]));
}
