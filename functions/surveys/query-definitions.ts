/** Surveys as a survey file writes them, a page at a time, all of one revision. */

import { DEFINITION_PAGE, type DefinitionsReply } from '../../shared/contract/definition-schemas.ts';
import { invalid, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { SurveyMark } from '../../shared/domain/surveys/survey-change.ts';
import { inSaidOrder } from '../../shared/domain/surveys/survey-rules.ts';
import { writeSurvey } from '../../shared/domain/surveys/written-survey.ts';
import { type Service, secrets } from '../runtime/compose.ts';
import { currentSet } from './survey-set.ts';

interface DefinitionsQuery {
  readonly input: { readonly limit?: number; readonly cursor?: string };
  readonly settings: ProjectSettings;
  readonly service: Service;
}

const lastChange = (mark: SurveyMark | undefined) => ({
  source: mark?.source ?? ('apply' as const),
  changedBy: mark?.by ?? null,
  changedAt: mark?.at ?? null,
});

/** Where the next page begins, and which revision the pages are of. */
function parsePosition(text: string): { readonly revision: number; readonly offset: number } {
  const [revision = 0, offset = 0] = text.split('#').map(Number);
  return { revision, offset };
}

export async function queryDefinitions({
  input: { limit = DEFINITION_PAGE.default, cursor },
  settings,
  service,
}: DefinitionsQuery): Promise<DefinitionsReply | Refusal> {
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
  return {
    revision,
    order: ordered.map(({ content }) => content.slug),
    surveys: page.map(writeSurvey),
    ...lastChange(set.settings.surveysMark),
    lastChanges: Object.fromEntries(
      page.map(({ id, content, changed }) => [content.slug, { id, ...lastChange(changed) }]),
    ),
    ...(end < ordered.length && { nextCursor: sealCursor(secret, scope, `${revision}#${end}`) }),
  };
}
