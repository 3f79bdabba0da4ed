import { DEFINITION_PAGE } from '../shared/contract/definition-schemas.ts';
import { invalid, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/survey-routes.ts';
import { openCursor, sealCursor } from '../shared/crypto/cursor.ts';
import type { KeyScope, ProjectSettings } from '../shared/domain/project.ts';
import type { SurveyMark } from '../shared/domain/surveys/survey-change.ts';
import { inSaidOrder } from '../shared/domain/surveys/survey-rules.ts';
import { writeSurvey } from '../shared/domain/surveys/written-survey.ts';
import { signIn } from './identity/signed-in.ts';
import { secrets, serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { type CallerKey, callerMay } from './runtime/incoming-request.ts';
import { surveys } from './runtime/parts/projects.ts';
import { currentSet } from './runtime/survey-set.ts';

const lastChange = (mark: SurveyMark | undefined, isNamed: boolean) => ({
  source: mark?.source ?? ('apply' as const),
  changedBy: (isNamed ? mark?.by : undefined) ?? null,
  changedAt: mark?.at ?? null,
});

/** People may forward reader links. */
function callerOf(key: CallerKey, settings: ProjectSettings) {
  const may = (scope: KeyScope) => callerMay(key, scope, settings);
  return {
    role: may('surveys') ? ('editor' as const) : ('viewer' as const),
    comments: may('comments'),
    isNamed: key.kind !== 'reader' || key.person !== undefined || may('comments'),
  };
}

function parsePosition(text: string): { readonly revision: number; readonly offset: number } {
  const [revision = 0, offset = 0] = text.split('#').map(Number);
  return { revision, offset };
}

export const listDefinitions = endpoint(
  routes.listDefinitions,
  async ({ input, settings, key, service }) => {
    const { limit = DEFINITION_PAGE.default, cursor, log = false } = input;
    const set = await currentSet(service, settings);
    if (set === undefined) return refuse('invalid_key');
    const { revision } = set;
    const secret = await secrets(service).hashSecret();
    const scope = { projectId: settings.project.id, purpose: 'definitions', query: {} };
    const opened = cursor === undefined ? `${revision}#0` : openCursor(secret, scope, cursor);
    if (opened === undefined) return invalid('cursor', 'not issued for this query');
    const position = parsePosition(opened);
    if (position.revision !== revision) return refuse('surveys_changed', { details: { revision } });

    const ordered = inSaidOrder(set);
    const end = position.offset + Math.min(limit, DEFINITION_PAGE.max);
    const page = ordered.slice(position.offset, end);
    const { isNamed, ...caller } = callerOf(key, settings);
    const changes = log ? await surveys(service).latest(settings.project.id, revision) : [];
    return {
      ...caller,
      revision,
      order: ordered.map(({ content }) => content.slug),
      surveys: page.map(writeSurvey),
      ...lastChange(set.settings.surveysMark, isNamed),
      lastChanges: Object.fromEntries(
        page.map(({ id, content, changed }) => [content.slug, { id, ...lastChange(changed, isNamed) }]),
      ),
      ...(log && {
        log: changes.map(({ surveys: changed, isReordered: reordered, ...mark }) => ({
          revision: mark.revision,
          ...lastChange(mark, isNamed),
          surveys: changed.map(({ fields, ...survey }) => ({ ...survey, fields: [...fields] })),
          reordered,
        })),
      }),
      ...(end < ordered.length && { nextCursor: sealCursor(secret, scope, `${revision}#${end}`) }),
    };
  },
  { signIn },
);

export const handler = serviceOnLambda(listDefinitions.create);
