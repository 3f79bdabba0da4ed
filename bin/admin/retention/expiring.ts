import { results } from '../../../functions/runtime/parts/results.ts';
import { writeDay } from '../../../pages/results/figures.ts';
import type { ProjectRecord } from '../../../shared/data/projects/project-record.ts';
import { addDays } from '../../../shared/domain/days.ts';
import { FIRST_GENERATIONS } from '../../../shared/domain/results/generation.ts';
import { sumResults } from '../../../shared/domain/results/results.ts';
import { completeFromOf, nextPeriod, type Retention } from '../../../shared/domain/retention.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import type { Session } from '../session.ts';
import { columns, timeText } from '../terminal.ts';

/** Planned retentions: the project's, and those of surveys by id. Absent ones stay as they are. */
export interface RetentionPlan {
  readonly project?: Retention | undefined;
  readonly surveys?: ReadonlyMap<string, Retention | undefined>;
}

interface Expiring {
  readonly slug: string;
  /** A day; answers before it expire. */
  readonly before: string;
  /** ISO 8601 UTC. */
  readonly from: string;
  readonly responses: number;
  readonly dismissals: number;
}

const FIRST_DAY = '1970-01-01';

async function expiringOf(
  session: Session,
  { project, totals }: ProjectRecord,
  survey: Survey,
  plan: RetentionPlan,
): Promise<Expiring | undefined> {
  const ofSurvey = plan.surveys?.has(survey.id) ? plan.surveys.get(survey.id) : survey.retention;
  const [before, after] = [
    [project.retention, survey.retention],
    [plan.project ?? project.retention, ofSurvey],
  ];
  const now = session.now();
  const starts = after.flatMap((each) => nextPeriod(each, now)?.from ?? []).sort();
  const from = starts.at(-1);
  if (from === undefined) return undefined;
  const [kept, left] = [before, after].map((each) => completeFromOf(each, Date.parse(from)));
  if (kept === undefined || left === undefined || left <= kept) return undefined;
  const span = { from: kept === '' ? FIRST_DAY : kept, to: addDays(left, -1) };
  const { shown: generation } = totals.generations?.get(survey.id) ?? FIRST_GENERATIONS;
  const where = { projectId: project.id, surveyId: survey.id, generation };
  const days = await results(session.service).days({ ...where, ...span });
  const { responses, modelRequested, dismissals } = sumResults(survey.content.type, days, span, 'month');
  return {
    slug: survey.content.slug,
    before: left,
    from,
    responses: responses + modelRequested,
    dismissals,
  };
}

/** Counts answers that exist until the change takes effect and expire because of it. */
export async function listExpiring(
  session: Session,
  record: ProjectRecord,
  plan: RetentionPlan,
): Promise<Expiring[]> {
  const found: Expiring[] = [];
  for (const survey of record.surveys) {
    const expiring = await expiringOf(session, record, survey, plan);
    if (expiring !== undefined) found.push(expiring);
  }
  return found.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function expiringText(expiring: readonly Expiring[], { terminal }: Session): string {
  const rows = expiring.map(({ slug, responses, dismissals, before, from }) => [
    slug,
    String(responses),
    String(dismissals),
    writeDay(before),
    timeText(from),
  ]);
  return [
    'These answers will be permanently deleted. The numbers of their days are kept:',
    columns(['SURVEY', 'RESPONSES', 'DISMISSALS', 'OF DAYS BEFORE', 'DELETED FROM'], rows, terminal),
  ].join('\n');
}

export function showExpiring(session: Session, expiring: readonly Expiring[]): void {
  if (expiring.length > 0) session.show(expiringText(expiring, session));
}
