import { createHash } from 'node:crypto';
import { writePrivateFile } from '../../../local/data-folder.ts';
import { type Html, html, trusted } from '../../../pages/html.ts';
import type { Breakdown } from '../../../pages/results/charts/breakdown-tables.ts';
import { coarsen } from '../../../pages/results/charts/buckets.ts';
import { compareWords } from '../../../pages/results/comparison.ts';
import { formatCount, writeMoment, writeSpan } from '../../../pages/results/figures.ts';
import {
  callFirst,
  contents,
  overview,
  SENT_STYLE,
  waitingWords,
} from '../../../pages/results/report/cover.ts';
import { bytesOf, unhappiestFirst } from '../../../pages/results/report/items.ts';
import {
  bytesNeeded,
  type ReportedSurvey,
  shareRoom,
  voices,
  type Waiting,
} from '../../../pages/results/report/voices.ts';
import { surveySection } from '../../../pages/results/sections.ts';
import { compactCss } from '../../../pages/results/style.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { parseAccent } from '../../../shared/domain/accent.ts';
import { type Appearance, appearanceOf } from '../../../shared/domain/project.ts';
import {
  IDENTITY_SEGMENT,
  segmentsInCells,
  shownSegments,
  sourcesOf,
} from '../../../shared/domain/surveys/segments.ts';
import { failure } from '../admin-error.ts';
import type { Report } from '../command.ts';
import { addressOf } from '../deployment.ts';
import { namedSurvey, type Session } from '../session.ts';
import { askComments, askContacts, askResults, noteUncounted, type SpanFlags } from './query.ts';

interface ReportFlags extends SpanFlags {
  readonly by?: string;
  readonly output: string;
  readonly comments: boolean;
  readonly contacts?: boolean;
  readonly everyCell?: boolean;
}

/** Every mail server accepts this size. */
const MOST_BYTES = 150_000;
/** The limits of each survey. */
const [MOST_COMMENTS, MOST_CONTACTS] = [200, 100];
/** Reserved in each survey for sentences about the number of comments. */
const COUNT_BYTES = 1_300;

/** The lowest ratings come first, and the newest of equal ones. */
async function readWaiting(
  session: Session,
  { project, comments, contacts }: ReportFlags,
  { survey: { slug }, from, to }: ResultsReply,
): Promise<Waiting> {
  if (!comments || contacts !== true) return { people: [], hasMore: false, isRead: false };
  const asked = { project, state: 'open', from, to, limit: MOST_CONTACTS };
  const { contacts: found, nextCursor } = await askContacts(session, asked, slug);
  return { people: unhappiestFirst(found), hasMore: nextCursor !== undefined, isRead: true };
}

async function readSurvey(session: Session, flags: ReportFlags, slug: string): Promise<ReportedSurvey> {
  // People with access to comments may see every number.
  const isInCells = !flags.comments && flags.everyCell !== true;
  const results = await askResults(session, { ...flags, compare: 'previous', isInCells }, slug);
  const { from, to } = results;
  const survey = namedSurvey(await session.record(flags.project), slug);
  const segments: Breakdown[] = [];
  const shown = (results.smallestCell === undefined ? shownSegments : segmentsInCells)(survey.segments);
  for (const { name } of shown) {
    const reply = await askResults(session, { ...flags, from, to, segment: name, isInCells }, slug);
    const rows = reply.segments ?? [];
    const told = rows.filter(({ responses }) => responses > 0).length;
    // A segment with a single value is omitted.
    if (told > (name === IDENTITY_SEGMENT ? 1 : 0)) segments.push({ name, rows });
  }
  const asked = { project: flags.project, from, to, limit: MOST_COMMENTS };
  const { comments, nextCursor = undefined } = flags.comments
    ? await askComments(session, asked, slug)
    : { comments: [] };
  const hasMoreComments = nextCursor !== undefined;
  const series = flags.by === undefined ? [...coarsen(results)] : results.series;
  const waiting = await readWaiting(session, flags, results);
  const sources = sourcesOf(shown);
  const told = Object.keys(sources);
  return { results: { ...results, series }, segments, comments, hasMoreComments, waiting, told, sources };
}

function pageOf({ deployment }: Session, project: string): string | undefined {
  const url = addressOf(deployment);
  return url && `${url.replace(/\/$/, '')}/results#project=${project}`;
}

const MOST_SLUGS = 3;

function footOf(surveys: readonly ResultsReply[], now: number): string {
  const slugs = surveys.map(({ survey }) => survey.slug);
  const named = slugs.length > MOST_SLUGS ? `${slugs.length} surveys` : slugs.join(', ');
  const days = surveys.slice(0, 1).map((first) => ` · ${writeSpan(first)} (UTC)`);
  return `:root { --foot: "${named}${days.join('')} · created ${writeMoment(now)}"; }\n`;
}

/** @param rooms bytes for the comments of each survey; if undefined, comments are omitted */
function documentOf(
  { name, accent = '' }: Appearance,
  surveys: readonly ReportedSurvey[],
  now: number,
  rooms: readonly number[] | undefined,
  link: string | undefined,
): Html {
  const colour = parseAccent(accent);
  const own = colour === undefined ? '' : `:root { --own: ${colour}; }\n`;
  const replies = surveys.map(({ results }) => results);
  const whole = `${compactCss(SENT_STYLE)}${own}${footOf(replies, now)}`;
  const hash = createHash('sha256').update(whole).digest('base64');
  const sections = surveys.map((survey, index) =>
    surveySection(survey.results, survey.segments, {
      compared: compareWords(survey.results),
      ...(rooms !== undefined && { after: voices(survey, rooms[index] ?? 0) }),
    }),
  );
  const style = html`<style>${trusted(whole)}</style>`;
  const [first] = replies;
  const span = first === undefined ? '' : `${writeSpan(first)} (UTC). `;
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
<header class="cover">
<h1${colour === undefined ? '' : html` class="coloured"`}><bdi>${name}</bdi>: survey results</h1>
<p class="about">${span}Created ${writeMoment(now)}. Intervals are 95% confidence intervals.</p>
<p>${waitingWords(surveys)}${link === undefined ? html`` : html` <a href="${link}">Open the results</a>`}</p>
${contents(surveys, rooms)}
</header>
${overview(replies)}
${surveys.length > 1 ? callFirst(surveys) : html``}
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
  const link = pageOf(session, flags.project);
  const empty = documentOf(asker, surveys, now, flags.comments ? [] : undefined, link);
  const room = MOST_BYTES - bytesOf(empty);
  if (room < 0) {
    throw failure(
      `The report would have ${formatCount(bytesOf(empty))} bytes, and the limit is ${formatCount(MOST_BYTES)}. Choose fewer surveys, fewer days, or --by month.`,
    );
  }
  const report = flags.comments
    ? documentOf(
        asker,
        surveys,
        now,
        shareRoom(surveys.map(bytesNeeded), room - surveys.length * COUNT_BYTES),
        link,
      )
    : empty;
  writePrivateFile(flags.output, report.text);
  noteUncounted(session);
  const bytes = bytesOf(report);
  const names = surveys.map(({ results }) => results.survey.slug);
  return {
    json: { file: flags.output, bytes, surveys: names },
    text: `${flags.output}: ${names.join(', ')}, ${formatCount(bytes)} bytes.`,
  };
}
