import type { SegmentSource } from '../../../shared/domain/surveys/segments.ts';
import type { SurveyStatus } from '../../../shared/domain/surveys/survey.ts';

export const STATUS_WORDS: Readonly<Record<SurveyStatus, string>> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  archived: 'Archived',
};

export const SOURCE_WORDS: Readonly<Record<SegmentSource, string>> = {
  trait: 'Trait',
  label: 'Label',
  taskType: 'Task type',
  channel: 'Channel',
};

const FIELDS: Readonly<Record<string, string>> = {
  slug: 'Name',
  type: 'Type',
  status: 'Status',
  question: 'Question',
  followUpQuestion: 'Follow-up question',
  followUps: 'Follow-up questions by rating',
  reasons: 'Reasons',
  choices: 'Choices',
  questions: 'Questions',
  shuffle: 'Shuffle the choices',
  presentation: 'Where it appears',
  corner: 'Corner or edge',
  trigger: 'When it appears',
  delayMs: 'Delay',
  on: 'Event',
  segments: 'Breakdowns',
  retention: 'Retention period',
  pages: 'Pages',
  samplePercent: 'Percentage of people asked',
  targeting: 'Conditions',
  endLabels: 'Scale labels',
  showBadge: 'Show “Powered by Canvass”',
  priority: 'Priority',
  thanks: 'Thank-you message',
  words: 'Custom labels',
  startsAt: 'Start time',
  endsAt: 'End time',
  repeat: 'How often each person is asked',
  'limits.maxResponses': 'Maximum responses',
  'limits.quietPeriod': 'Quiet period',
  'limits.ignoreQuietPeriod': 'Ignore the quiet period',
};

/** Uses the person's time zone. */
export const timeWords = (time: string | number, isZoned = false): string =>
  new Date(time).toLocaleString('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...(isZoned && { timeZoneName: 'shortGeneric' }),
  });

/** @param changedBy an email address, a key id, `operator`, or null */
export function personWords(changedBy: string | null): string {
  if (changedBy === null) return 'someone else';
  if (changedBy === 'operator') return 'an administrator';
  return changedBy.includes('@') ? changedBy : `key ${changedBy}`;
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** @param path a path such as `limits.quietPeriod` or `locales.de.question` */
export function wordsOfField(path: string): string {
  const known = FIELDS[path];
  if (known !== undefined) return known;
  const [field = '', part = '', ...rest] = path.split(/[.[\]]+/).filter((each) => each !== '');
  if (field === 'locales')
    return rest.length === 0 ? languageName(part) : `${languageName(part)}: ${wordsOfField(rest.join('.'))}`;
  if (field === 'segments' && !/^segments\. *\./.test(path)) return `Breakdown by ${part}`;
  return FIELDS[field] ?? field;
}

/** Languages of the widget, besides English. */
export const WIDGET_LANGUAGES: readonly string[] =
  'ar cs da de es fi fr he it ja ko nb nl pl pt ru sv tr uk zh'.split(' ');
