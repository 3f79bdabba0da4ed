/** One answer as a list item, with the known facts about the person. */

import type { Comment, QuestionResult } from '../../shared/contract/results-schemas.ts';
import { MODEL_REQUESTED } from '../../shared/domain/answers/answer.ts';
import { IDENTITY_SEGMENT, type SegmentSource } from '../../shared/domain/surveys/segments.ts';
import { type Html, html } from '../html.ts';
import { writeDay } from './figures.ts';
import { partOf, type Rated, toneOf, wordOf } from './result-words.ts';
import type { Cell } from './write-csv.ts';

/** Answers to open questions have none. @param words defaults to the word of the rating */
export function ratingPill(of: Rated, rating: number, words = wordOf(of, rating)): Html {
  if (words === '') return html``;
  const named = partOf(of, rating)?.code === undefined ? html`${words}` : html`<bdi>${words}</bdi>`;
  return html`<strong class="${toneOf(of, rating)}">${named}</strong> `;
}

/** @param whom the reasons, and the person to contact; pages that are forwarded omit the person */
export function comment(
  of: Rated,
  { at, rating, text, identityKind }: Comment,
  whom: Html,
  facts = html``,
): Html {
  const asker = identityKind === MODEL_REQUESTED ? ' asked for by an AI assistant' : '';
  const words = text === null ? html`` : html`<p class="words" dir="auto">${text}</p>`;
  return html`<li><p class="rated">${ratingPill(of, rating)}<time datetime="${at}">${writeDay(at)}</time>${asker}${facts}</p>${words}${whom}</li>`;
}

const looksLikeMail = (address: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);

/** The address that the person left, or their respondent id. Undefined if they did not ask to be contacted. */
export function addressOf({ contact, followUpRequested, respondentId }: Comment): Html | undefined {
  const address = contact ?? (followUpRequested === true ? respondentId : null);
  if (address === null) return undefined;
  return looksLikeMail(address)
    ? html`<a href="mailto:${encodeURIComponent(address)}"><bdi>${address}</bdi></a>`
    : html`<bdi>${address}</bdi>`;
}

export function whom(answer: Comment, before = html``): Html {
  const address = addressOf(answer);
  return address === undefined ? html`` : html`<p class="person about">${before}${address}</p>`;
}

/** Sources of a survey's declared segments, by segment name. */
export type Sources = Readonly<Record<string, SegmentSource>>;

/** The answer's value in a segment. */
export function saidUnder(name: string, answer: Comment, sources: Sources): Cell {
  if (name === IDENTITY_SEGMENT) return answer.identityKind;
  switch (sources[name]) {
    case 'label':
      return answer.labels?.[name] ?? null;
    case 'taskType':
      return answer.taskType;
    case 'channel':
      return answer.channel;
    default:
      return answer.traits?.[name] ?? null;
  }
}

interface Segmented {
  readonly segments: readonly string[];
  readonly segmentSources?: Sources;
}

/**
 * The answer's segment values and labels.
 * @param asked a value that all listed answers share, which is omitted
 */
export function facts(
  answer: Comment,
  of: Segmented | undefined,
  asked: { readonly segment?: string; readonly value?: string } = {},
): Html {
  const sources = of?.segmentSources ?? {};
  const bySegment = (of?.segments ?? [])
    .filter((name) => name !== IDENTITY_SEGMENT && sources[name] !== 'label')
    .map((name) => [name, saidUnder(name, answer, sources)] as const);
  const said = [...bySegment, ...Object.entries(answer.labels ?? {})].flatMap(([name, value]) =>
    value === null || (name === asked.segment && String(value) === asked.value)
      ? []
      : [
          html`<span class="fact"><bdi>${typeof value === 'string' ? html`<span class="roomy">${name}: </span>` : `${name}: `}${String(value)}</bdi></span>`,
        ],
  );
  return said.length === 0 ? html`` : html`<span class="facts">${said}</span>`;
}

interface Labels {
  readonly reasons: readonly { readonly code: string; readonly label: string }[] | null;
  readonly questions?: readonly QuestionResult[] | undefined;
}

/** Answers by the text of their question and the label of their choice, or by id and code if these are unknown. */
function answersOf(given: Comment['answers'], questions: Labels['questions'] = []): Html {
  const rows = Object.entries(given ?? {}).flatMap(([id, value]) => {
    if (value === null) return [];
    const { text = id, choices = [] } = questions.find((each) => each.id === id) ?? {};
    const labels = [value]
      .flat()
      .map((code) => choices.find((each) => each.code === code)?.label ?? `${code}`);
    return [html`<div><dt><bdi>${text}</bdi></dt><dd dir="auto">${labels.join(', ')}</dd></div>`];
  });
  return rows.length === 0 ? html`` : html`<dl class="answers">${rows}</dl>`;
}

/** The answer's reasons, by label or by code, and its answers to questions. */
export function reasonsOf(
  { reasons: given, answers }: Pick<Comment, 'reasons' | 'answers'>,
  { reasons, questions }: Labels,
): Html {
  const labelOf = (code: string) => reasons?.find((reason) => reason.code === code)?.label ?? code;
  const chosen =
    given === null
      ? html``
      : html`<p class="reasons">${given.map((code) => html`<span><bdi>${labelOf(code)}</bdi></span>`)}</p>`;
  return html`${chosen}${answersOf(answers, questions)}`;
}
