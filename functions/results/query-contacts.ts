import {
  CONTACT_PAGE,
  type Contact,
  type ContactsInput,
  type ContactsReply,
} from '../../shared/contract/contact-schemas.ts';
import { invalid, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { goneAnswers } from '../../shared/domain/gone-answers.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { completeFromOf } from '../../shared/domain/retention.ts';
import { secrets } from '../runtime/compose.ts';
import { contactWalk } from '../runtime/parts/contacts.ts';
import { knownSurvey } from '../runtime/settings-cache.ts';
import type { Query } from './asked.ts';
import { toComment } from './query-comments.ts';

function toContact(response: Response, { surveys }: ProjectSettings): Contact {
  const { surveyId, handled } = response;
  const survey = surveys.get(surveyId);
  return {
    ...toComment(response, survey),
    survey: { id: surveyId, slug: survey?.content.slug ?? '' },
    handled: handled === undefined ? null : { ...handled, note: handled.note ?? null },
  };
}

export async function queryContacts({
  input,
  settings,
  now,
  service,
}: Query<ContactsInput>): Promise<ContactsReply | Refusal> {
  const { limit, cursor, state = 'open', from, to, surveyId, surveySlug } = input;
  const isOfOne = surveyId !== undefined || surveySlug !== undefined;
  const survey = isOfOne ? knownSurvey(settings, input) : undefined;
  if (isOfOne && survey === undefined) return refuse('survey_not_found');
  const projectId = settings.project.id;
  const secret = await secrets(service).hashSecret();
  const scope = { projectId, purpose: 'contacts', query: { surveyId: survey?.id, state, from, to } };
  const after = cursor === undefined ? undefined : openCursor(secret, scope, cursor);
  if (cursor !== undefined && after === undefined) return invalid('cursor', 'not issued for this query');
  const isGone = goneAnswers(settings, now);
  const isAsked = (id: string) => (survey === undefined ? settings.surveys.has(id) : id === survey.id);
  const isWanted = (id: string, at: string) => isAsked(id) && !isGone(id, at);
  const first = completeFromOf([settings.project.retention, survey?.retention], now);
  const kept = from === undefined || from < first ? first || undefined : from;
  const { responses, next } = await contactWalk(service).page(
    { projectId, state, from: kept, to, isWanted },
    Math.min(limit ?? CONTACT_PAGE.default, CONTACT_PAGE.max),
    after,
  );
  return {
    contacts: responses.map((response) => toContact(response, settings)),
    ...(next !== undefined && { nextCursor: sealCursor(secret, scope, next) }),
  };
}
