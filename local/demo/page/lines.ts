/** What is stored and what left, each as a line to read that opens to all of it. */

import { element, find } from './find.ts';

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
  'Respondent Erased': 'was erased',
  'Survey Changed': 'changed the surveys',
  'Responses Expired': 'is no longer kept',
};
const PMF = ['not disappointed', 'somewhat disappointed', 'very disappointed'];
const MOST: Readonly<Record<string, number>> = { nps: 10, csat: 5, ces: 7 };

function inWords({ surveyType = '', rating }: Pick<Row, 'surveyType' | 'rating'>): string {
  if (rating === null || rating === undefined) return '';
  if (surveyType === 'thumbs') return `: thumb ${rating ? 'up' : 'down'}`;
  return `: ${surveyType === 'pmf' ? PMF[rating] : `${rating} of ${MOST[surveyType]}`}`;
}

/** Who, what, of which survey. */
function lineOf({ type, respondentId = 'somebody', surveySlug = '', text, ...row }: Row): string {
  const stored = row.rating === undefined ? 'closed' : row.rating === null ? 'took back' : 'answered';
  const verb = type === undefined ? stored : (VERBS[type] ?? type);
  return `${respondentId} ${verb} ${surveySlug}${inWords(row)}${text ? `, “${text}”` : ''}`;
}

/** Lists rows, the newest first. @param respondentId whose they are, where they do not say */
export function list(selector: string, rows: readonly Row[], none: string, respondentId?: string): void {
  const lines = rows
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map((row) => {
      const line = lineOf({ ...(respondentId && { respondentId }), ...row });
      const time = element('time', new Date(row.at).toLocaleTimeString('en-GB'));
      const told = element('summary', time, ` ${line}`);
      return element('details', told, element('pre', JSON.stringify(row, null, 2)));
    });
  find(selector, HTMLDivElement).replaceChildren(...(lines.length > 0 ? lines : [element('p', none)]));
}
