/** `results report`: one file that a team can mail, readable without a network or a script. */

import { createHash } from 'node:crypto';
import { writePrivateFile } from '../../../local/private-file.ts';
import { type Html, html, trusted } from '../../../pages/html.ts';
import { coarsen } from '../../../pages/results/charts/coarse-series.ts';
import { reasonsOf } from '../../../pages/results/charts/reason-table.ts';
import type { Breakdown } from '../../../pages/results/charts/segment-table.ts';
import { compactCss } from '../../../pages/results/compact-css.ts';
import { compareWords } from '../../../pages/results/comparison.ts';
import { formatCount, writeDay, writeMoment, writeSpan } from '../../../pages/results/figures.ts';
import { overview, waitingWords } from '../../../pages/results/overview.ts';
import { printedCount, printedRoom } from '../../../pages/results/printed-room.ts';
import { comment, surveySection } from '../../../pages/results/sections.ts';
import { REPORT_STYLE } from '../../../pages/results/style.ts';
import type { Comment, ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { parseAccent } from '../../../shared/domain/accent.ts';
import { MODEL_REQUESTED } from '../../../shared/domain/answers/answer.ts';
import { type Appearance, appearanceOf } from '../../../shared/domain/project.ts';
import { IDENTITY_SEGMENT, shownSegments } from '../../../shared/domain/surveys/segments.ts';
import { failure } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { namedSurvey, type Session } from '../session.ts';
import { askComments, askResults, noteUncounted, type SpanFlags } from './query.ts';

export interface ReportFlags extends SpanFlags {
  readonly by?: string;
  readonly output: string;
  readonly comments: boolean;
  readonly everyCell?: boolean;
}

/** What every mail server takes, and a phone opens at once. */
const MOST_BYTES = 150_000;
/** Of one survey; the newest. */
const MOST_COMMENTS = 200;
/** Characters of a printed line of one of two columns, and of a rating with its day. */
const [HALF_LINE, RATED] = [46, 30];
/** What it says of how many comments there are may be longer by this, once there are some. */
const COUNT_BYTES = 300;

interface ReportedSurvey {
  readonly results: ResultsReply;
  readonly segments: readonly Breakdown[];
  readonly comments: readonly Comment[];
}

const bytesOf = ({ text }: Html): number => Buffer.byteLength(text);
const shownComment = (results: ResultsReply, said: Comment): Html =>
  comment(results.survey.type, said, reasonsOf(said, results));

async function readSurvey(session: Session, flags: ReportFlags, slug: string): Promise<ReportedSurvey> {
  // Who reads what people wrote may see every number.
  const isInCells = !flags.comments && flags.everyCell !== true;
  const results = await askResults(session, { ...flags, compare: 'previous', isInCells }, slug);
  const { from, to } = results;
  const survey = namedSurvey(await session.record(flags.project), slug);
  const segments: Breakdown[] = [];
  for (const { name } of shownSegments(survey.segments)) {
    const reply = await askResults(session, { ...flags, from, to, segment: name, isInCells }, slug);
    const rows = reply.segments ?? [];
    const told = rows.filter(({ responses }) => responses > 0).length;
    // Where all are known in one way, that tells nothing apart.
    if (told > (name === IDENTITY_SEGMENT ? 1 : 0)) segments.push({ name, rows });
  }
  const asked = { project: flags.project, from, to, limit: MOST_COMMENTS };
  const { comments } = flags.comments ? await askComments(session, asked, slug) : { comments: [] };
  const series = flags.by === undefined ? [...coarsen(results)] : results.series;
  return { results: { ...results, series }, segments, comments };
}

/** Those that a model asked for are in no number of the results. */
function countWords(said: readonly Comment[], { comments, completeFrom, from }: ResultsReply): string {
  const byModel = said.filter(({ identityKind }) => identityKind === MODEL_REQUESTED).length;
  const beside = byModel === 0 ? '' : `, and ${formatCount(byModel)} that a model asked for`;
  const isCut = completeFrom !== null && from < completeFrom;
  const gone = isCut ? `; those before ${writeDay(completeFrom)} are no longer kept` : '';
  return `${formatCount(said.length - byModel)} of ${formatCount(comments ?? 0)}, newest first${beside}${gone}.`;
}

/** As many of the newest as there is room for, on a screen and on paper. */
function commentSection({ results, segments, comments }: ReportedSurvey, room: number): Html {
  let left = room;
  const over = comments.findIndex((said) => {
    left -= bytesOf(shownComment(results, said));
    return left < 0;
  });
  const shown = over < 0 ? comments : comments.slice(0, over);
  const characters = shown.map((said) => [
    RATED,
    said.text?.length ?? 0,
    reasonsOf(said, results).text.replace(/<[^>]*>/g, '   ').length,
  ]);
  const count = printedCount(characters, 2 * printedRoom(results, segments), HALF_LINE);
  const [first, rest] = [shown.slice(0, count), shown.slice(count)];
  const listOf = (said: readonly Comment[]) => said.map((each) => shownComment(results, each));
  const whole = countWords(shown, results);
  const counted =
    rest.length === 0
      ? html`<p class="about">${whole}</p>`
      : html`<p class="about unprinted">${whole}</p><p class="about printed">Printed: ${countWords(first, results)}</p>`;
  const more = rest.length === 0 ? html`` : html`<ol class="comments unprinted">${listOf(rest)}</ol>`;
  return html`<section class="card said${count === 0 && rest.length > 0 ? ' unprinted' : ''}"><header><h3>Comments</h3>${counted}</header><ol class="comments">${listOf(first)}</ol>${more}</section>`;
}

/** Bytes for the comments of each survey: equal parts, and what one does not need is for those that need more. */
function shareRoom(surveys: readonly ReportedSurvey[], room: number): number[] {
  const needs = surveys.map(({ results, comments }) =>
    comments.reduce((sum, said) => sum + bytesOf(shownComment(results, said)), 0),
  );
  const rooms = needs.map(() => 0);
  const byNeed = [...needs.entries()].sort(([, one], [, other]) => one - other);
  let left = Math.max(0, room - surveys.length * COUNT_BYTES);
  for (const [place, [index, need]] of byNeed.entries()) {
    const given = Math.min(need, Math.floor(left / (byNeed.length - place)));
    rooms[index] = given;
    left -= given;
  }
  return rooms;
}

/** Slugs at the foot of printed pages. */
const MOST_SLUGS = 3;

/** At the foot of each printed page. */
function footOf(surveys: readonly ResultsReply[], now: number): string {
  const slugs = surveys.map(({ survey }) => survey.slug);
  const named = slugs.length > MOST_SLUGS ? `${slugs.length} surveys` : slugs.join(', ');
  const days = surveys.slice(0, 1).map((first) => ` · ${writeSpan(first)} (UTC)`);
  return `:root { --foot: "${named}${days.join('')} · made on ${writeMoment(now)}"; }\n`;
}

/** @param rooms bytes for the comments of each survey; undefined leaves them out */
function documentOf(
  { name, accent = '' }: Appearance,
  surveys: readonly ReportedSurvey[],
  now: number,
  rooms: readonly number[] | undefined,
): Html {
  const colour = parseAccent(accent);
  const own = colour === undefined ? '' : `:root { --own: ${colour}; }\n`;
  const replies = surveys.map(({ results }) => results);
  const whole = `${compactCss(REPORT_STYLE)}${own}${footOf(replies, now)}`;
  const hash = createHash('sha256').update(whole).digest('base64');
  const sections = surveys.map((survey, index) =>
    surveySection(survey.results, survey.segments, {
      compared: compareWords(survey.results),
      ...(rooms !== undefined && { after: commentSection(survey, rooms[index] ?? 0) }),
    }),
  );
  const style = html`<style>${trusted(whole)}</style>`;
  const title = surveys.map(({ results }) => results.survey.slug).join(', ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${name}: ${title}</title>
${style}
</head>
<body>
<main>
<h1${colour === undefined ? '' : html` class="coloured"`}><bdi>${name}</bdi>: survey results</h1>
<p class="about">Made on ${writeMoment(now)}. Intervals are 95 % sure.${waitingWords(replies)}</p>
${overview(replies)}
${sections}
</main>
</body>
</html>
`;
}

export async function reportResults(
  session: Session,
  flags: ReportFlags,
  slugs: readonly string[],
): Promise<Report> {
  const surveys: ReportedSurvey[] = [];
  for (const slug of new Set(slugs)) surveys.push(await readSurvey(session, flags, slug));

  const now = session.now();
  const asker = appearanceOf((await session.record(flags.project)).project);
  const empty = documentOf(asker, surveys, now, flags.comments ? [] : undefined);
  const room = MOST_BYTES - bytesOf(empty);
  if (room < 0) {
    throw failure(
      `The report would have ${formatCount(bytesOf(empty))} bytes, and may have ${formatCount(MOST_BYTES)}: name fewer surveys, fewer days, or --by month.`,
    );
  }
  const report = flags.comments ? documentOf(asker, surveys, now, shareRoom(surveys, room)) : empty;
  writePrivateFile(flags.output, report.text);
  noteUncounted(session);
  const bytes = bytesOf(report);
  const names = surveys.map(({ results }) => results.survey.slug);
  return {
    json: { file: flags.output, bytes, surveys: names },
    text: `${flags.output}: ${names.join(', ')}, ${formatCount(bytes)} bytes.`,
  };
}
