import { sayDifference } from '../../pages/results/comparison.ts';
import { counted, formatCount, formatScore, writeSpan } from '../../pages/results/figures.ts';
import { lowWords, mostChosen } from '../../pages/results/result-words.ts';
import { writeView } from '../../pages/results/view.ts';
import { TYPE_TEXTS } from '../../pages/type-texts.ts';
import { hasScale } from '../../shared/domain/surveys/survey.ts';
import type { Digest, DigestedSurvey } from './project-digest.ts';

function differenceWords({
  surveyType,
  difference,
  score,
  responsesBefore,
  fewBefore,
}: DigestedSurvey): string {
  if (difference === null)
    return ` (${responsesBefore === 0 && !fewBefore ? 'no responses' : 'too few responses to compare'} the week before)`;
  const { sign, signed, chance } = sayDifference(surveyType, difference, score?.value ?? 0);
  const change = sign === '' ? 'unchanged' : `${sign === '▲' ? 'up' : 'down'} ${signed.slice(1)}`;
  return `, ${change} from the week before${chance}`;
}

/**
 * For example: Net Promoter Score: 23.4, up 5.1 from the week before, possibly due to chance. For choices: Most chosen:
 * Reports 60.0%, Alerts 40.0%.
 */
function scoreLine({ distribution = [], ...survey }: DigestedSurvey): string {
  const { surveyType, score } = survey;
  if (score === null) return mostChosen(distribution);
  return `${TYPE_TEXTS[surveyType].score}: ${formatScore(surveyType, score.value)}${differenceWords(survey)}`;
}

/** For example: 41 responses (32 the week before), 7 low ratings (0 to 6). */
function answersLine(survey: DigestedSurvey): string {
  const { surveyType, responses, responsesBefore, fewBefore, lowRatings } = survey;
  const before = fewBefore ? 'too few to show' : formatCount(responsesBefore);
  if (!hasScale(surveyType)) {
    const lowChoices = lowRatings === 0 ? '' : `, ${counted(lowRatings, 'low choice')}`;
    return `${counted(responses, 'response')} (${before} the week before)${lowChoices}`;
  }
  const count = lowRatings === 0 ? 'no low ratings' : counted(lowRatings, 'low rating');
  const low = `${count} (${lowWords(surveyType)})`;
  return `${counted(responses, 'response')} (${before} the week before), ${low}`;
}

/** An open question has only the second line. */
export const surveyLines = (survey: DigestedSurvey): string[] =>
  [scoreLine(survey), answersLine(survey)].filter((line) => line !== '');

/** For example: Shop: survey results for Nov 16 – 22, 2026 (week 47, UTC). */
export function headLine({ projectName, week, from, to }: Digest): string {
  const days = writeSpan({ from, to }).replaceAll('\u2009', ' ');
  return `${projectName}: survey results for ${days} (week ${Number(week.split('-W')[1])}, UTC)`;
}

export const contactsLine = ({ openContacts, moreOpenContacts, smallestCell }: Digest): string => {
  const people = openContacts === 0 ? 'No one is' : counted(openContacts, 'person is', 'people are');
  const waiting = `${moreOpenContacts ? 'More than ' : ''}${people} waiting to be contacted.`;
  const cells = `This counts only groups of at least ${smallestCell} responses in the last four weeks.`;
  return smallestCell === undefined ? waiting : `${waiting} ${cells}`;
};

export function restLines(
  { surveys, surveysWithFew = 0 }: Pick<Digest, 'surveys' | 'surveysWithFew'>,
  more: number,
): string[] {
  const few = `${counted(surveysWithFew, 'survey has', 'surveys have')} too few responses to show.`;
  return [
    ...(surveys.length + surveysWithFew === 0 ? ['There were no responses.'] : []),
    ...(more === 0 ? [] : [`${counted(more, 'more survey has', 'more surveys have')} responses.`]),
    ...(surveysWithFew === 0 ? [] : [few]),
  ];
}

interface Linked {
  readonly projectId: string;
  /** The slug of a survey. Defaults to the first survey. */
  readonly survey?: string | undefined;
  readonly days?: { readonly from: string; readonly to: string };
}

/** @param url the address of the service, without a trailing slash */
export function pageAddress(url: string, { projectId, survey, days }: Linked): string {
  const span = days === undefined ? { days: '90' } : { days: 'own', from: days.from, to: days.to };
  return `${url}/results${writeView({ project: projectId, survey, ...span })}`;
}

/** Removes control and bidirectional characters, which could break or reorder a line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim();

/** @param url the address of the service; undefined if unknown */
export function digestText(digest: Digest & { readonly projectId: string }, url: string | undefined): string {
  const { projectId, surveys, moreSurveys, projectName } = digest;
  const lines = surveys.flatMap((survey) => [
    `${survey.surveySlug}: ${oneLine(survey.question)}`,
    ...surveyLines(survey).map((line) => `  ${line}`),
    ...(url === undefined
      ? []
      : [`  Results: ${pageAddress(url, { projectId, survey: survey.surveySlug, days: digest })}`]),
    '',
  ]);
  return [
    headLine({ ...digest, projectName: oneLine(projectName) }),
    '',
    ...lines,
    ...restLines(digest, moreSurveys).flatMap((line) => [line, '']),
    contactsLine(digest),
    ...(url === undefined ? [] : [`All results: ${pageAddress(url, { projectId, days: digest })}`]),
  ].join('\n');
}
