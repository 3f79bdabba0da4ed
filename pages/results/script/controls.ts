/** The controls: survey, period, segment and comparison. */

import type * as z from 'zod/mini';
import type { ResultsReply, surveysReply } from '../../../shared/contract/results-schemas.ts';
import { addDays, countDays, dayAt } from '../../../shared/domain/days.ts';
import { IDENTITY_SEGMENT } from '../../../shared/domain/surveys/segments.ts';
import { type Html, html } from '../../html.ts';
import { type OfferedValue, offeredValues, segmentName } from '../result-words.ts';
import { DEFAULT_DAYS, type View } from '../view.ts';
import { find, show } from './dom.ts';

export type Surveys = z.output<ReturnType<typeof surveysReply>>;
export type Survey = Surveys['surveys'][number];

export const LONGEST_DAYS = 400;

export const [surveyChoice, segmentChoice] = [
  find('survey', HTMLSelectElement),
  find('segment', HTMLSelectElement),
];
export const compareChoice = find('compare', HTMLSelectElement);
export const daysChoice = find('days', HTMLSelectElement);
export const ownDays = find('own', HTMLElement);
export const [firstDay, lastDay] = [find('from', HTMLInputElement), find('to', HTMLInputElement)];

export function spanOf({ days, from, to }: View): { from: string; to: string } {
  const today = dayAt(Date.now());
  if (days !== 'own') return { from: addDays(today, 1 - Number(days)), to: today };
  const end = to ?? today;
  return { from: from ?? addDays(end, 1 - Number(DEFAULT_DAYS)), to: end };
}

export function spanProblem(span: { from: string; to: string }): string | undefined {
  if (span.from > span.to) return 'The start date is after the end date. Change one of them.';
  return countDays(span) > LONGEST_DAYS ? `Choose at most ${LONGEST_DAYS} days.` : undefined;
}

/** The part of the view that exists in the survey. */
export interface Asked {
  /** The segment of the value or of the breakdown. */
  readonly segment?: string;
  readonly value?: string;
  readonly against?: string;
  readonly compare?: 'previous';
}

/** Earlier releases, which may answer during a deployment, omit the values. */
function valuesOf(of: Partial<Survey> | undefined, segment: string): readonly OfferedValue[] {
  return offeredValues(segment, of?.segmentValues?.[segment] ?? []);
}

export function askedBy(view: View, of: Survey | undefined): Asked {
  const named = of?.segments.find((name) => name === view.segment);
  const known = (wanted: string | undefined) =>
    named === undefined ? undefined : valuesOf(of, named).find(({ value }) => value === wanted)?.value;
  const [value, other] = [known(view.value), known(view.against)];
  const against = value === undefined || other === value ? undefined : other;
  // By default, the first declared segment.
  const segment = named ?? of?.segments.find((name) => name !== IDENTITY_SEGMENT) ?? of?.segments[0];
  const isCompared = against === undefined && view.compare !== 'none';
  return {
    ...(segment !== undefined && { segment }),
    ...(value !== undefined && { value }),
    ...(against !== undefined && { against }),
    ...(isCompared && { compare: 'previous' }),
  };
}

/** The part of the view that does not exist in the survey. */
export function unknownIn(view: View, asked: Asked, reasons: readonly ListedReason[]): string | undefined {
  const { segment, value, against, reason } = view;
  if (segment !== undefined && segment !== asked.segment) return segment;
  const named = (text: string | undefined) => (segment === undefined ? text : `${segment}: ${text}`);
  if (value !== asked.value) return named(value);
  if (against !== asked.against) return named(against);
  return reasons.some(({ code }) => code === reason) ? undefined : reason;
}

export type ListedReason = Survey['reasons'][number];

/** Earlier releases send labels only with results. */
export const reasonsOffered = (
  of: Partial<Survey> | undefined,
  { reasons }: Pick<ResultsReply, 'reasons'>,
): readonly ListedReason[] => reasons ?? of?.reasons ?? [];

export const wordsOf = (of: Survey | undefined, segment: string, value: string): string =>
  valuesOf(of, segment).find((each) => each.value === value)?.words ?? value;

interface Choice {
  readonly id: string;
  readonly text: string;
  readonly change: Partial<View>;
}

const option = ({ id, text }: Choice): Html => html`<option value="${id}">${text}</option>`;
const group = (label: string, choices: readonly Choice[]): Html =>
  html`<optgroup label="${label}">${choices.map(option)}</optgroup>`;

const EVERYBODY: Choice = {
  id: '',
  text: 'All people',
  change: { segment: undefined, value: undefined, against: undefined },
};

function segmentChoices(of: Survey | undefined, segment: string): readonly Choice[] {
  const name = segmentName(segment);
  return valuesOf(of, segment).map(({ value, words }) => ({
    id: `${segment}=${value}`,
    text: `${name}: ${words}`,
    change: { segment, value, against: undefined },
  }));
}

/** The same width as in the style sheet. */
export const isNarrow = (): boolean => matchMedia('(max-width: 40rem)').matches;

const NOT_COMPARED: Choice = {
  id: 'none',
  text: 'No comparison',
  change: { compare: 'none', against: undefined },
};

/** Changes of the view, by the value of an option. */
const [people, comparisons] = [new Map<string, Partial<View>>(), new Map<string, Partial<View>>()];

function keep(into: Map<string, Partial<View>>, choices: readonly Choice[]): void {
  into.clear();
  for (const { id, change } of choices) into.set(id, change);
}

export const peopleChosen = (): Partial<View> => people.get(segmentChoice.value) ?? {};
export const comparisonChosen = (): Partial<View> => comparisons.get(compareChoice.value) ?? {};

function drawPeople(of: Survey | undefined, { segment, value }: Asked): void {
  const bySegment = (of?.segments ?? []).map((name) => ({ name, choices: segmentChoices(of, name) }));
  keep(people, [EVERYBODY, ...bySegment.flatMap(({ choices }) => choices)]);
  const groups = bySegment.map(({ name, choices }) => group(segmentName(name), choices));
  show(segmentChoice, html`${option(EVERYBODY)}${groups}`);
  segmentChoice.value = value === undefined ? '' : `${segment}=${value}`;
}

function drawComparisons(of: Survey | undefined, view: View, { segment, value, against }: Asked): void {
  const before = countDays(spanOf(view));
  const previous: Choice = {
    id: '',
    text: isNarrow() ? 'vs. previous' : before > 1 ? `vs. previous ${before} days` : 'vs. previous day',
    change: { compare: undefined, against: undefined },
  };
  const others =
    segment === undefined || value === undefined
      ? []
      : valuesOf(of, segment)
          .filter((other) => other.value !== value)
          .map((other) => ({
            id: `=${other.value}`,
            text: `vs. ${segmentName(segment)}: ${other.words}`,
            change: { compare: undefined, against: other.value },
          }));
  keep(comparisons, [previous, NOT_COMPARED, ...others]);
  const sameDays = others.length === 0 ? [] : [group('Same period', others)];
  show(compareChoice, html`${[previous, NOT_COMPARED].map(option)}${sameDays}`);
  compareChoice.value = against === undefined ? (view.compare === 'none' ? 'none' : '') : `=${against}`;
}

export function drawControls(view: View, of: Survey | undefined): void {
  surveyChoice.value = of?.id ?? '';
  const asked = askedBy(view, of);
  drawPeople(of, asked);
  drawComparisons(of, view, asked);
  daysChoice.value = view.days;
  ownDays.hidden = view.days !== 'own';
  const span = spanOf(view);
  [firstDay.value, lastDay.value] = [span.from, span.to];
}
