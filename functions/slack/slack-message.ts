/** See docs/contract.md §18.4. */

import * as z from 'zod/mini';
import { wordOf } from '../../pages/results/result-words.ts';
import { responseDetail, type surveyDigestDetail } from '../../shared/contract/event-schemas.ts';
import { once } from '../../shared/domain/memory.ts';
import { hasScale, type SurveyType, TYPES } from '../../shared/domain/surveys/survey.ts';
import {
  contactsLine,
  headLine,
  oneLine,
  pageAddress,
  restLines,
  surveyLines,
} from '../digest/digest-lines.ts';

/** Accepts events of other versions too. */
export const answerDetail = once(() =>
  z.pick(responseDetail(), {
    id: true,
    projectId: true,
    surveySlug: true,
    surveyType: true,
    rating: true,
    choiceLabel: true,
    became: true,
    revision: true,
    text: true,
  }),
);

type AnswerDetail = z.output<ReturnType<typeof answerDetail>>;
type DigestDetail = z.output<ReturnType<typeof surveyDigestDetail>>;

/** See docs.slack.dev, "Sending messages using incoming webhooks". */
export interface SlackMessage {
  /** Slack does not display this text if there are blocks. */
  readonly text: string;
  readonly blocks: readonly {
    readonly type: 'section';
    readonly text: { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true };
  }[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** See docs.slack.dev, "Formatting message text". */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '');

const MOST_CHARACTERS = 600;

function quoted(text: string): string {
  const characters = [...oneLine(text)];
  const cut = characters.slice(0, MOST_CHARACTERS).join('');
  return escaped(characters.length > MOST_CHARACTERS ? `${cut.trimEnd()}…` : cut);
}

/**
 * @param sections at most 3,000 characters each (docs.slack.dev, "Text object"); `verbatim` disables automatic links
 */
const message = (text: string, sections: readonly string[]): SlackMessage => ({
  text,
  blocks: sections.map((section) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: section, verbatim: true },
  })),
  unfurl_links: false,
  unfurl_media: false,
});

const VIEW = 'View results';

const link = (address: string, words: string): string => `<${escaped(address)}|${words}>`;

/** Undefined if there is nothing to name. */
function ratingWords(type: SurveyType | null, rating: number, choiceLabel?: string | null) {
  if (type === null) return String(rating);
  if (!hasScale(type)) return choiceLabel ? `“${quoted(choiceLabel)}”` : undefined;
  const word = wordOf(type, rating);
  const { min, max } = TYPES[type].scale;
  return word === String(rating) ? `${word} on a scale of ${min} to ${max}` : `“${word}”`;
}

interface Wanted {
  readonly events: readonly string[];
  readonly includeText: boolean;
  readonly url: string;
}

export function answerMessage(
  detail: AnswerDetail,
  { events, includeText, url }: Wanted,
): SlackMessage | undefined {
  const { projectId, surveySlug, surveyType, rating, choiceLabel, revision, text } = detail;
  const news = detail.became.filter((each) => events.includes(each));
  if (news.length === 0) return undefined;
  const isRevised = revision > 0;
  const named = rating === null ? undefined : ratingWords(surveyType, rating, choiceLabel);
  const isWord = named === undefined || named.startsWith('“');
  const changed = choiceLabel ? 'Answer changed to' : 'Rating changed to';
  const rated = isRevised && news.includes('low') ? changed : isWord ? 'Answered' : 'Rated';
  const asks = `They ${isRevised ? 'now ask' : 'asked'} to be contacted.`;
  const said = [
    ...(rating === null ? [] : [named === undefined ? 'Answered.' : `${rated} ${named}.`]),
    ...(news.includes('contact') ? [asks] : []),
  ].join(' ');
  const survey = escaped(surveySlug ?? 'New response');
  const words = includeText && typeof text === 'string' && text.trim() !== '' ? ` “${quoted(text)}”` : '';
  const address = pageAddress(url, { projectId, survey: surveySlug ?? undefined });
  return message(`${survey}: ${said}`, [`*${survey}*: ${said}${words} ${link(address, VIEW)}`]);
}

/** Well below the limit of 50 blocks (docs.slack.dev, "Blocks"). */
const MOST_SURVEYS = 20;

export function digestMessage(detail: DigestDetail, url: string): SlackMessage {
  const { projectId, surveys, moreSurveys } = detail;
  const head = headLine({ ...detail, projectName: quoted(detail.projectName) });
  const shown = surveys.slice(0, MOST_SURVEYS).map((survey) => {
    const name = link(
      pageAddress(url, { projectId, survey: survey.surveySlug, days: detail }),
      `*${escaped(survey.surveySlug)}*`,
    );
    return `${name}: ${quoted(survey.question)}\n${escaped(surveyLines(survey).map(oneLine).join('\n'))}`;
  });
  const more = moreSurveys + surveys.length - shown.length;
  const end = `${contactsLine(detail)} ${link(pageAddress(url, { projectId, days: detail }), VIEW)}`;
  return message(head, [`*${head}*`, ...shown, ...restLines(detail, more), end]);
}
