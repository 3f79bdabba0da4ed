/** `survey apply`: makes a project's surveys as a file says. Running it again repairs what was interrupted. */

import { isDeepStrictEqual } from 'node:util';
import { MOST_SURVEYS } from '../../shared/contract/survey-file.ts';
import { SURVEYS_AT_ONCE } from '../../shared/data/projects/survey-store.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import { planSurveys, type SurveyDraft, type SurveyPlan } from '../../shared/domain/survey-plan.ts';
import { failure, misuse, noProject } from './admin-error.ts';
import { readSurveyFile } from './read-survey-file.ts';
import type { Report, Session } from './session.ts';
import { planText } from './survey-plan-text.ts';

export interface ApplyFlags {
  readonly project: string;
  readonly file: string;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

/** How often somebody else may get in between before we give up. */
const MOST_LOST_RACES = 20;

interface Planned {
  readonly plan: SurveyPlan;
  readonly version: number;
}

async function planFor(
  session: Session,
  wanted: readonly SurveyDraft[],
  flags: ApplyFlags,
): Promise<Planned> {
  const record = await session.projects.read(flags.project);
  if (record === undefined) throw noProject(flags.project);
  const plan = planSurveys(record.surveys, wanted, { prune: flags.prune === true });
  const count = record.surveys.length + plan.created.length;
  if (count > MOST_SURVEYS) {
    throw misuse(`The project would have ${count} surveys, archived ones too; at most ${MOST_SURVEYS} fit.`);
  }
  for (const { before, after } of plan.updated) {
    const { slug, type } = before.content;
    if (after.content.type === type) continue;
    throw misuse(`${slug}: a survey stays of its type (${type}), as its answers are; use another slug.`);
  }
  return { plan, version: record.surveysVersion };
}

const slugOf = ({ content }: SurveyDraft): string => content.slug;

/** Whether everything that is left to do was in what the operator agreed to. */
function isWithin(left: SurveyPlan, agreed: SurveyPlan): boolean {
  const actionsOf = ({ created, updated, archived }: SurveyPlan) =>
    new Map<string, unknown>([
      ...created.map((draft) => [slugOf(draft), { created: draft }] as const),
      ...[...updated, ...archived].map((update) => [slugOf(update.before), { updated: update }] as const),
    ]);
  const agreedActions = actionsOf(agreed);
  return [...actionsOf(left)].every(([slug, action]) => isDeepStrictEqual(action, agreedActions.get(slug)));
}

async function agree({ terminal }: Session, { yes }: ApplyFlags): Promise<void> {
  if (yes) return;
  if (!terminal.isInteractive) throw misuse('Nobody is there to be asked; --yes applies without asking.');
  if (!(await terminal.confirm('Apply?'))) throw failure('Nothing was changed.');
}

export async function applySurveys(session: Session, flags: ApplyFlags): Promise<Report> {
  const wanted = readSurveyFile(flags.file);
  const first = await planFor(session, wanted, flags);
  const changes = first.plan.created.length + first.plan.updated.length + first.plan.archived.length;
  session.show(planText(first.plan));
  if (changes > 0) await agree(session, flags);
  const done = await carryOut(session, wanted, flags, first);

  const touched = new Set([...done.created, ...done.updated]);
  const unchanged = wanted.map(slugOf).filter((slug) => !touched.has(slug));
  const { created, updated, archived } = done;
  return {
    json: { created, updated, unchanged, archived },
    text: `${created.length} created, ${updated.length} updated, ${unchanged.length} unchanged, ${archived.length} archived.`,
  };
}

/** Writes in portions, each planned against what is there then. */
async function carryOut(session: Session, wanted: readonly SurveyDraft[], flags: ApplyFlags, first: Planned) {
  const done: Record<'created' | 'updated' | 'archived', string[]> = {
    created: [],
    updated: [],
    archived: [],
  };
  let { plan, version } = first;
  for (let lostRaces = 0; ; ) {
    const drafts = plan.created.slice(0, SURVEYS_AT_ONCE);
    const updates = [...plan.updated, ...plan.archived].slice(0, SURVEYS_AT_ONCE - drafts.length);
    if (drafts.length + updates.length === 0) return done;
    const created = drafts.map((draft) => ({
      id: composeSurveyId(session.random(SURVEY_ID_RANDOM_BYTES)),
      ...draft,
    }));
    const updated = updates.map(({ after }) => after);
    if (await session.surveys.write(flags.project, { created, updated }, version)) {
      done.created.push(...created.map(slugOf));
      for (const update of updates) {
        const list = plan.archived.includes(update) ? done.archived : done.updated;
        list.push(slugOf(update.after));
      }
    } else if (++lostRaces > MOST_LOST_RACES) {
      throw failure('Somebody else keeps changing the surveys; a part may be applied. Run it again.');
    }
    ({ plan, version } = await planFor(session, wanted, flags));
    if (!isWithin(plan, first.plan)) {
      throw failure('Somebody else changed the surveys meanwhile; a part may be applied. Run it again.');
    }
  }
}
