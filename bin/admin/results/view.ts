import { sayAnswers, sayDaysBefore, sayDifference } from '../../../pages/results/comparison.ts';
import {
  formatCount,
  formatDays,
  formatInterval,
  formatParts,
  formatPoints,
  formatPointsInterval,
  formatScore,
  formatShare,
  formatValue,
  sayMean,
  shareOf,
} from '../../../pages/results/figures.ts';
import { wordOf } from '../../../pages/results/result-words.ts';
import { TYPE_TEXTS } from '../../../pages/type-texts.ts';
import type { QuestionResult, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import type { Difference } from '../../../shared/domain/results/difference.ts';
import { hasScale } from '../../../shared/domain/surveys/survey.ts';
import { columns, fields, printable, type Terminal } from '../terminal.ts';

const BAR_CELLS = 24;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The bar of any share above 0 is visible. */
function bar(share: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_CELLS * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

function sparkline(values: readonly (number | null)[], write: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const heightOf = (value: number) =>
    HEIGHTS[high === low ? 3 : Math.round(((value - low) / (high - low)) * (HEIGHTS.length - 1))];
  const line = values.map((value) => (value === null ? '·' : heightOf(value))).join('');
  return known.length === 0 ? line : `${line}  (lowest ${write(low)}, highest ${write(high)})`;
}

type Row = Pick<ResultsReply, 'responses' | 'score'> & Partial<Pick<ResultsReply, 'distribution'>>;

/** The headings that go with `scoreCells`. Choices have one column each. */
const headsOf = ({ survey, distribution: counts }: ResultsReply): string[] =>
  hasScale(survey.type)
    ? ['RESPONSES', 'SCORE', '95%']
    : ['RESPONSES', ...counts.flatMap(({ code }) => code ?? [])];

function scoreCells(
  { survey: { type }, distribution: counts }: ResultsReply,
  { responses, score, distribution: own = [] }: Row,
): string[] {
  if (!hasScale(type)) {
    const shares = counts.flatMap(({ code }) => {
      const share = own.find((each) => each.code === code)?.share?.value ?? 0;
      return code === undefined ? [] : [responses === 0 ? '–' : formatShare(share / 100)];
    });
    return [formatCount(responses), ...shares];
  }
  const figures = score === null ? ['–', ''] : [formatScore(type, score.value), formatInterval(type, score)];
  return [formatCount(responses), ...figures];
}

const formatKnown = (count: number | null): string =>
  count === null ? 'not counted by value on every day; run "results recount"' : formatCount(count);

function differenceText(
  { survey: { type }, score }: Pick<ResultsReply, 'survey' | 'score'>,
  difference: Difference,
  than: string,
): string {
  const { much, chance } = sayDifference(type, difference, score?.value ?? 0);
  return `${much} ${than} (95%: ${formatPointsInterval(type, difference)})${chance}`;
}

/** The differences of the choices, which have no score. */
const differencesText = (differences: readonly (Difference & { readonly code: string })[]): string =>
  differences
    .map(
      ({ code, ...each }) =>
        `${code} ${each.value > 0 ? '+' : ''}${formatPoints('choice', each.value)} (95%: ${formatPointsInterval('choice', each)})`,
    )
    .join('; ');

function previousText(results: ResultsReply): string {
  const { survey, previous, ...span } = results;
  if (previous !== undefined && previous.responses > 0 && previous.score === null)
    return [sayAnswers(previous.responses), differencesText(previous.differences ?? [])]
      .filter((text) => text !== '')
      .join('; ');
  if (previous === undefined || previous.score === null) return `nobody answered in ${sayDaysBefore(span)}`;
  const { responses, score, difference } = previous;
  const then = `${formatScore(survey.type, score.value)} from ${sayAnswers(responses)}`;
  return difference === null ? then : `${differenceText(results, difference, sayDaysBefore(span))}; ${then}`;
}

interface Asked {
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
}

export function comparedText(
  results: ResultsReply,
  asked: { readonly segment: string; readonly value: string },
  terminal: Terminal,
): string {
  const { survey, against } = results;
  if (against === undefined) return '';
  const other = formatValue(against.value);
  const rows = [
    [printable(asked.value === 'null' ? formatValue(null) : asked.value), ...scoreCells(results, results)],
    [printable(other), ...scoreCells(results, against)],
  ];
  const { difference, differences = null } = against;
  const said =
    differences !== null
      ? `${rows[0]?.[0]}: ${differencesText(differences)}.`
      : difference === null
        ? 'There is nothing to compare: both values need answers, and open questions have no score.'
        : `${rows[0]?.[0]}: ${differenceText(results, difference, printable(other))}. Answers count as independent: who gave several is several.`;
  const table = columns([asked.segment.toUpperCase(), ...headsOf(results)], rows, terminal);
  return `${terminal.bold(survey.slug)}  ${printable(survey.question)}\n${formatDays(results)}, UTC\n\n${table}\n\n${said}`;
}

function headline(results: ResultsReply): string {
  const { survey, score, imported, modelRequested, shows, responseRate } = results;
  const rows: Record<string, string> = {};
  if (hasScale(survey.type))
    rows[TYPE_TEXTS[survey.type].score] =
      score === null
        ? 'none yet'
        : `${formatScore(survey.type, score.value)} (95%: ${formatInterval(survey.type, score)})`;
  if (score !== null && formatParts(score) !== '') rows['of which'] = formatParts(score);
  if (results.previous !== undefined) rows['beside before'] = previousText(results);
  const { responses, dismissals, comments, followUpsRequested } = results;
  rows.responses =
    formatCount(responses) + (imported === null ? '' : `, ${formatCount(imported)} of them imported`);
  if (modelRequested !== null && modelRequested > 0)
    rows['asked for by a model'] = `${formatCount(modelRequested)}, not in these numbers`;
  if (dismissals !== null) {
    rows.dismissals = formatCount(dismissals);
    const unknown = survey.trigger === 'person' ? 'not recorded; the person opens it' : 'never reported';
    rows.shows = shows === null ? unknown : formatCount(shows);
  }
  if (responseRate !== null) rows['response rate'] = formatShare(responseRate);
  rows['with text'] = formatKnown(comments);
  rows['want to be contacted'] = formatKnown(followUpsRequested);
  return fields(rows);
}

function distribution({ survey, distribution: counts, responses }: ResultsReply, terminal: Terminal): string {
  if (survey.type === 'choice') {
    const rows = counts.map(({ code = '', label = '', count, share }) => {
      const interval = share ? `${formatShare(share.low / 100)} to ${formatShare(share.high / 100)}` : '';
      const part = shareOf(count, responses);
      return [code, printable(label), formatCount(count), formatShare(part), interval, bar(part)];
    });
    return columns(['CHOICE', '', 'COUNT', 'SHARE', '95%', ''], rows, terminal);
  }
  const rows = [...counts].reverse().map(({ rating, count }) => {
    const share = shareOf(count, responses);
    const word = wordOf(survey.type, rating);
    const name = word === String(rating) ? word : `${rating} ${word}`;
    return [name, formatCount(count), formatShare(share), bar(share)];
  });
  return columns(['RATING', 'COUNT', 'SHARE', ''], rows, terminal);
}

function reasonTable({ reasons }: ResultsReply, terminal: Terminal): string | undefined {
  if (reasons === null || reasons.length === 0) return undefined;
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  const rows = reasons.map(({ code, label, count }) => [
    code,
    printable(label),
    formatCount(count),
    bar(count / most),
  ]);
  return columns(['REASON', '', 'COUNT', ''], rows, terminal);
}

function questionTable(
  { text, kind, asked, answered, choices = [], distribution = [], few, score }: QuestionResult,
  terminal: Terminal,
): string {
  const mean = score ? `, ${sayMean(score)}` : '';
  const title = `${terminal.bold(printable(text))}  ${formatCount(answered)} answered of ${formatCount(asked)} asked${mean}`;
  const shareText = (share: number | undefined) =>
    share === undefined ? ['–', ''] : [formatShare(share), bar(share)];
  const rows = [
    ...choices.map(({ code, label, count, share }) => [
      ...[code, printable(label), formatCount(count)],
      ...shareText(share === null ? undefined : share.value / 100),
    ]),
    ...distribution.map(({ value, count }) => [
      ...[`${value}`, '', formatCount(count)],
      ...shareText(shareOf(count, answered)),
    ]),
    ...(few === undefined
      ? []
      : [['few', few.codes.join(' '), formatCount(few.count), ...shareText(undefined)]]),
  ];
  return kind === 'text'
    ? title
    : `${title}\n${columns(['ANSWER', '', 'COUNT', 'SHARE', ''], rows, terminal)}`;
}

function trend(results: ResultsReply, terminal: Terminal): string {
  const { series, survey } = results;
  const rows = series.map((point) => [formatDays(point), ...scoreCells(results, point)]);
  const line = hasScale(survey.type)
    ? sparkline(
        series.map(({ score }) => score?.value ?? null),
        (value) => formatScore(survey.type, value),
      )
    : sparkline(
        series.map(({ responses }) => responses),
        formatCount,
      );
  return `${columns(['DAYS', ...headsOf(results)], rows, terminal)}\n\n${terminal.bold('TREND')}  ${line}`;
}

function segmentTable(results: ResultsReply, name: string, terminal: Terminal): string {
  const rows = (results.segments ?? []).map((segment) => [
    formatValue(segment.value),
    ...scoreCells(results, segment),
  ]);
  return columns([name.toUpperCase(), ...headsOf(results)], rows, terminal);
}

export function resultsText(results: ResultsReply, { segment, value }: Asked, terminal: Terminal): string {
  const { slug, question } = results.survey;
  const of = value === undefined ? '' : `, ${segment} ${printable(value)} alone`;
  const reasons = reasonTable(results, terminal);
  const parts = [
    `${terminal.bold(slug)}  ${printable(question)}\n${formatDays(results)}, UTC${of}`,
    headline(results),
    distribution(results, terminal),
    ...(reasons === undefined ? [] : [reasons]),
    ...(results.questions ?? []).map((question) => questionTable(question, terminal)),
    trend(results, terminal),
  ];
  if (segment !== undefined && value === undefined) parts.push(segmentTable(results, segment, terminal));
  return parts.join('\n\n');
}
