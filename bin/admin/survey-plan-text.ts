/** The plan as operators read it before they agree. */

import { formatDuration } from '../../shared/domain/duration.ts';
import type { FieldChange, SurveyDraft, SurveyPlan, SurveyUpdate } from '../../shared/domain/survey-plan.ts';
import { printable } from './terminal.ts';

const MOST_VALUE_CHARACTERS = 60;
/** The one field that is stored otherwise than it is written. */
const QUIET_PERIOD = 'limits.quietPeriodMs';

function valueText(field: string, value: unknown): string {
  if (value === undefined) return 'none';
  if (field === QUIET_PERIOD && typeof value === 'number') return formatDuration(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_VALUE_CHARACTERS ? `${text.slice(0, MOST_VALUE_CHARACTERS)}…` : text;
}

const changeText = ({ field, before, after }: FieldChange): string =>
  printable(
    `${field === QUIET_PERIOD ? 'limits.quietPeriod' : field}: ${valueText(field, before)} → ${valueText(field, after)}`,
  );

const creation = ({ content, status }: SurveyDraft): string =>
  `+ ${content.slug}  create (${content.type}, ${status})`;

const update = ({ before, changes }: SurveyUpdate): string =>
  [`~ ${before.content.slug}  update`, ...changes.map((change) => `    ${changeText(change)}`)].join('\n');

const archival = ({ before }: SurveyUpdate): string =>
  `- ${before.content.slug}  archive (was ${before.status})`;

export function planText({ created, updated, unchanged, archived }: SurveyPlan): string {
  const lines = [...created.map(creation), ...updated.map(update), ...archived.map(archival)];
  if (unchanged.length > 0) lines.push(`= ${unchanged.length} unchanged`);
  return lines.length === 0 ? 'The file and the project have no surveys.' : lines.join('\n');
}
