/** What fields of a survey are called in the console. */

import type { SegmentSource } from '../../../shared/domain/surveys/segments.ts';
import type { SurveyStatus } from '../../../shared/domain/surveys/survey.ts';

export const STATUS_WORDS: Readonly<Record<SurveyStatus, string>> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  archived: 'Archived',
};

/** What results are told apart by. */
export const SOURCE_WORDS: Readonly<Record<SegmentSource, string>> = {
  trait: 'trait',
  label: 'label',
  taskType: 'task type',
  channel: 'channel',
};

const FIELDS: Readonly<Record<string, string>> = {
  slug: 'Name',
  type: 'Type',
  status: 'Status',
  question: 'Question',
  followUpQuestion: 'Follow-up question',
  reasons: 'Reasons',
  presentation: 'Where it appears',
  corner: 'Corner',
  trigger: 'When it appears',
  delayMs: 'Delay',
  on: 'Event',
  pages: 'Pages',
  samplePercent: 'Percentage of people asked',
  targeting: 'Audience',
  endLabels: 'Labels of the scale',
  showBadge: '“Powered by Canvass”',
  priority: 'Priority',
  thanks: 'Thanks',
  words: 'Custom labels',
  startsAt: 'Starts',
  endsAt: 'Ends',
  repeat: 'Repeat',
  'limits.maxResponses': 'Ends after',
  'limits.quietPeriod': 'Quiet period',
  'limits.ignoreQuietPeriod': 'Ignore the quiet period',
};

/**
 * Date and time in the zone of the person: `Dec 1, 2026, 10:00 AM`.
 * @param isZoned adds the zone
 */
export const timeWords = (time: string | number, isZoned = false): string =>
  new Date(time).toLocaleString('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...(isZoned && { timeZoneName: 'shortGeneric' }),
  });

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** @param tag as the survey names it; one that is no language stays as it is */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** @param path `limits.quietPeriod`, `reasons[0].label`, `locales.de.question` */
export function wordsOfField(path: string): string {
  const known = FIELDS[path];
  if (known !== undefined) return known;
  const [field = '', part = '', ...rest] = path.split(/[.[\]]+/).filter((each) => each !== '');
  if (field === 'locales')
    return rest.length === 0 ? languageName(part) : `${languageName(part)}: ${wordsOfField(rest.join('.'))}`;
  if (field === 'segments') return `Breakdown by ${part}`;
  return FIELDS[field] ?? field;
}

/** Languages that the widget itself speaks, besides English; a test compares them with the files of its words. */
export const WIDGET_LANGUAGES: readonly string[] =
  'ar cs da de es fi fr he it ja ko nb nl pl pt ru sv tr uk zh'.split(' ');
