import { recounts } from '../../../functions/runtime/parts/results.ts';
import { formatCount } from '../../../pages/results/figures.ts';
import { RecountEnded } from '../../../shared/data/results/recount-steps.ts';
import type { Recount } from '../../../shared/data/results/recounts.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { CACHE_WAIT_SECONDS, CLOCK_TOLERANCE_SECONDS } from '../../../shared/purge/state-machine.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import type { Deployment } from '../deployment.ts';
import { namedSurvey, type Session } from '../session.ts';
import { columns } from '../terminal.ts';

interface RecountFlags {
  readonly project: string;
  readonly all?: true;
}

/** `settleMs` covers the time until every reader has new settings and every earlier answer is in the index. */
function marginsOf({ origin }: Deployment) {
  if (origin.kind === 'local') return { skewMs: 0, settleMs: origin.cacheLifetimeMs };
  return { skewMs: CLOCK_TOLERANCE_SECONDS * SECOND, settleMs: CACHE_WAIT_SECONDS * SECOND };
}

const WHY = {
  purged: 'it is being purged',
  overtaken: 'another recount of it has started and replaces this one',
} as const;

/** A survey that ends early is reported and skipped in later steps. */
async function forEach<Of extends { readonly slug: string }, To>(
  all: readonly Of[],
  problems: string[],
  take: (one: Of, index: number) => Promise<To>,
): Promise<To[]> {
  const done: To[] = [];
  for (const [index, one] of all.entries()) {
    try {
      done.push(await take(one, index));
    } catch (error) {
      if (!(error instanceof RecountEnded)) throw error;
      problems.push(`${one.slug} was not recounted: ${WHY[error.reason]}.`);
    }
  }
  return done;
}

async function chosen(
  session: Session,
  { project, all }: RecountFlags,
  slug: string,
): Promise<readonly Survey[]> {
  if ((slug !== '') === (all === true)) throw misuse('Give the slug of a survey, or --all.');
  const record = await session.record(project);
  return all ? record.surveys : [namedSurvey(record, slug)];
}

export async function recountResults(
  session: Session,
  flags: RecountFlags,
  [slug = '']: readonly string[],
): Promise<Report> {
  const { terminal, service } = session;
  const { skewMs, settleMs } = marginsOf(session.deployment);
  const { signal } = new AbortController();
  const settle = async (ms: number, why: string): Promise<void> => {
    if (ms > SECOND) terminal.note(`Waiting ${Math.ceil(ms / SECOND)} s until ${why}.`);
    if (ms > 0) await session.sleep(ms, signal);
  };
  const surveys = await chosen(session, flags, slug);
  const named = surveys.map(({ id, segments = [], content }) => ({
    slug: content.slug,
    survey: { projectId: flags.project, surveyId: id, segments },
  }));
  const problems: string[] = [];

  const begun = await forEach(named, problems, async ({ slug, survey }) => {
    const recount: Recount = await recounts(service).begin(survey, skewMs);
    return { slug, recount };
  });
  const sinces = begun.map(({ recount }) => Date.parse(recount.generation.since));
  const ahead = Math.max(...sinces) - session.now();
  await settle(Math.max(0, ahead) + settleMs, 'every answer stored so far is in the index');

  const counted = await forEach(begun, problems, async ({ slug, recount }, index) => {
    await recount.countRows((done, count) =>
      terminal.progress.show((index + done) / begun.length, `${slug}: ${formatCount(count)} answers`),
    );
    const { before, after } = await recount.show();
    const outcome = { slug, before: Math.max(0, before), responses: Math.max(0, after) };
    return { slug, recount, outcome };
  }).finally(terminal.progress.clear);

  await settle(settleMs, 'no function reads the old numbers');
  await forEach(counted, problems, ({ recount }) => recount.finish());

  const outcomes = counted.map(({ outcome }) => outcome);
  const table = columns(
    ['SURVEY', 'RESPONSES BEFORE', 'NOW'],
    outcomes.map(({ slug, before, responses }) => [slug, formatCount(before), formatCount(responses)]),
    terminal,
  );
  return {
    json: { surveys: outcomes },
    text: outcomes.length === 0 ? 'No survey was recounted.' : table,
    problem: problems.length === 0 ? undefined : problems.join(' '),
  };
}
