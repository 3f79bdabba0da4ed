import { randomBytes } from 'node:crypto';
import type { PutDefinitionsInput, PutDefinitionsReply } from '../shared/contract/definition-schemas.ts';
import { type Issue, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/survey-routes.ts';
import { toDraft } from '../shared/contract/survey-file.ts';
import { unfitIn } from '../shared/contract/survey-file-problems.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../shared/domain/ids.ts';
import { periodWanted } from '../shared/domain/retention.ts';
import {
  applyUpdate,
  asWritten,
  changedSurveys,
  newSurvey,
  planSurveys,
  type SurveyDraft,
  type SurveyPlan,
} from '../shared/domain/surveys/survey-plan.ts';
import { brokenRules, isReorderingBySlugs, orderBySlugs } from '../shared/domain/surveys/survey-rules.ts';
import { signIn } from './identity/signed-in.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { type EndpointRequest, endpoint } from './runtime/endpoint.ts';
import { whoCalls } from './runtime/incoming-request.ts';
import { surveys } from './runtime/parts/projects.ts';
import { projectSettings } from './runtime/settings-cache.ts';
import { currentSet, freshSet, type RevisedSet } from './runtime/survey-set.ts';

interface Planned {
  readonly set: RevisedSet;
  readonly plan: SurveyPlan;
  readonly isReordered: boolean;
}

const slugOf = ({ content }: Pick<SurveyDraft, 'content'>): string => content.slug;

function listIssues(drafts: readonly SurveyDraft[], order: readonly string[], planned: Planned, now: number) {
  const { set, plan } = planned;
  const placeOf = (slug: string) => `surveys[${drafts.findIndex((draft) => slugOf(draft) === slug)}]`;
  const known = new Set([...set.surveys, ...drafts].map(slugOf));
  const broken = brokenRules(set.surveys, plan, now).map(
    ({ slug, field, message }): Issue => ({
      path: slug === undefined ? 'surveys' : `${placeOf(slug)}.${field}`,
      message,
    }),
  );
  const unknown = order.flatMap((slug, index) => {
    const message = !known.has(slug)
      ? 'is not a survey of this project'
      : order.indexOf(slug) < index
        ? 'appears twice in the order'
        : undefined;
    return message === undefined ? [] : [{ path: `order[${index}]`, message }];
  });
  const texts = drafts.flatMap((draft) => {
    const before = set.surveys.find((survey) => slugOf(survey) === slugOf(draft));
    return unfitIn(draft, before).map(({ path, message }) => ({
      path: `${placeOf(slugOf(draft))}.${path}`,
      message,
    }));
  });
  // A shorter retention period deletes answers for good. Only the command line asks for confirmation.
  const retentions = drafts.flatMap((draft) => {
    const before = set.surveys.find((survey) => slugOf(survey) === slugOf(draft));
    if ((draft.retention ?? null) === periodWanted(before?.retention)) return [];
    const message = 'can only be changed from the command line: canvass survey apply';
    return [{ path: `${placeOf(slugOf(draft))}.retention`, message }];
  });
  return [...broken, ...texts, ...retentions, ...unknown];
}

function describe({ set, plan, isReordered }: Planned, revision = set.revision): PutDefinitionsReply {
  const { created, updated, unchanged } = plan;
  return {
    revision,
    created: created.map(slugOf),
    updated: updated.map(({ before }) => slugOf(before)),
    unchanged: unchanged.map(slugOf),
    changes: [
      ...created.map(({ content: { slug, type }, status, startsAt, endsAt }) => ({
        slug,
        action: 'created' as const,
        fields: Object.entries({ type, status, startsAt, endsAt })
          .filter(([, after]) => after !== undefined)
          .map(([field, after]) => ({ field, before: null, after })),
      })),
      ...updated.map(({ before, changes }) => ({
        slug: slugOf(before),
        action: 'updated' as const,
        fields: changes
          .map(asWritten)
          .map(({ field, before = null, after = null }) => ({ field, before, after })),
      })),
    ],
    reordered: isReordered,
  };
}

function orderAfterwards(
  { set, isReordered }: Planned,
  asked: readonly string[] | undefined,
  created: readonly ReturnType<typeof newSurvey>[],
): readonly string[] | undefined {
  if (!isReordered && created.length === 0) return undefined;
  const ids = orderBySlugs(set, asked ?? [], created);
  return [...ids, ...created.map(({ id }) => id).filter((id) => !ids.includes(id))];
}

async function write(
  planned: Planned,
  { input, settings, key, now, service }: EndpointRequest<PutDefinitionsInput, undefined>,
): Promise<boolean> {
  const { set, plan, isReordered } = planned;
  const created = plan.created.map((draft) =>
    newSurvey(composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES)), draft, now),
  );
  const updated = plan.updated.map((update) => applyUpdate(update, now));
  const changes = { created, updated, order: orderAfterwards(planned, input.order, created) };
  const note = { source: 'console', by: whoCalls(key), at: new Date(now).toISOString() } as const;
  const noted = { note, surveys: changedSurveys(plan), isReordered };
  return surveys(service).write(settings.project.id, changes, set.revision, noted);
}

const MOST_ROUNDS = 3;

export const putDefinitions = endpoint(
  routes.putDefinitions,
  async (request) => {
    const { input, settings, now, service } = request;
    const projectId = settings.project.id;
    const drafts = input.surveys.map(toDraft);
    const { order = [] } = input;
    let revision = input.revision;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const set = await (round === 0 ? currentSet(service, settings) : freshSet(service, projectId));
      if (set === undefined) return refuse('invalid_key');
      const plan = planSurveys(set.surveys, drafts, { prune: false });
      const planned = { set, plan, isReordered: isReorderingBySlugs(set, order) };
      const isSo = plan.created.length + plan.updated.length === 0 && !planned.isReordered;
      const isAsShown = set.revision === input.revision;
      revision = set.revision;
      if (!isSo && !isAsShown) break;
      const issues = listIssues(drafts, order, planned, now);
      if (issues.length > 0) return refuse('invalid_request', { issues });
      if (isSo || input.dryRun === true) return describe(planned);
      if (await write(planned, request)) {
        projectSettings(service).forget(projectId);
        return describe(planned, set.revision + 1);
      }
    }
    return refuse('surveys_changed', { details: { revision } });
  },
  { signIn },
);

export const handler = serviceOnLambda(putDefinitions.create);
