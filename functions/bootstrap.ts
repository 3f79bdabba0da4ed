import { isRefusal, type Refusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { openPreview } from '../shared/crypto/preview-token.ts';
import { listSuppressed, NO_HISTORY, NO_OCCASION } from '../shared/domain/answers/history.ts';
import { splitContent } from '../shared/domain/surveys/by-rating.ts';
import { isServedTo, servedTypes } from '../shared/domain/surveys/eligibility.ts';
import { definitionOf, isActive, isByPerson, type Survey } from '../shared/domain/surveys/survey.ts';
import { identify, type Person } from './identity/identify.ts';
import { secrets, serviceOnLambda } from './runtime/compose.ts';
import { type EndpointRequest, preparedEndpoint } from './runtime/endpoint.ts';
import { answers, occasions } from './runtime/parts/answers.ts';
import { drafts } from './runtime/parts/projects.ts';
import { jsonReply, type RawReply } from './runtime/pipeline.ts';
import { issueTokens } from './token/issue-tokens.ts';

async function previewed(
  token: string,
  types: ReadonlySet<string>,
  { settings, now, service }: Pick<EndpointRequest<never, never>, 'settings' | 'now' | 'service'>,
): Promise<RawReply | Refusal> {
  const projectId = settings.project.id;
  const claims = openPreview(await secrets(service).hashSecret(), projectId, token);
  if (claims === undefined || claims.expiresAt <= now) return refuse('preview_not_found');
  const draft = await drafts(service).read(projectId, claims.draftId, now);
  if (draft === undefined) return refuse('preview_not_found');
  const shown = types.has('by-rating') ? draft : splitContent(draft).plain;
  const surveys = types.has(draft.type) ? [shown] : [];
  return jsonReply(JSON.stringify({ surveys, suppression: [], preview: true }));
}

interface Definition {
  readonly plain: string;
  /** For clients that name `by-rating`. */
  readonly full: string;
}

const definitions = new WeakMap<Survey, Definition>();

function definitionJson(survey: Survey): Definition {
  let json = definitions.get(survey);
  if (json === undefined) {
    const full = JSON.stringify(definitionOf(survey));
    const { plain: content, added } = splitContent(survey.content);
    json = { full, plain: added === undefined ? full : JSON.stringify(definitionOf({ ...survey, content })) };
    definitions.set(survey, json);
  }
  return json;
}

function replyWith(
  surveys: readonly Survey[],
  types: ReadonlySet<string>,
  rest: {
    readonly suppression: readonly string[];
    readonly showTokens: Record<string, string> | undefined;
    readonly impressions: false | undefined;
  },
): RawReply {
  const form = types.has('by-rating') ? 'full' : 'plain';
  const list = surveys.map((survey) => definitionJson(survey)[form]).join(',');
  return jsonReply(`{"surveys":[${list}],${JSON.stringify(rest).slice(1)}`);
}

/** No rule reads the history of a person who opens a survey (docs/contract.md §6.11). */
async function opened(
  request: Pick<EndpointRequest<never, never>, 'settings' | 'now' | 'count' | 'service'>,
  { respondentId, verified }: Pick<Person, 'respondentId' | 'verified'>,
  surveys: readonly Survey[],
): Promise<Record<string, string> | undefined> {
  if (respondentId === undefined) return undefined;
  const { settings, now, service } = request;
  const asked = { projectId: settings.project.id, respondentId, session: {}, now };
  const occasion = await occasions(service).of(asked, [], surveys);
  const person = { respondentId, history: NO_HISTORY, verified };
  return (await issueTokens(request, { ...person, surveys, occasion })).tokens;
}

export const bootstrap = preparedEndpoint(routes.bootstrap, {
  async prepare({ projectId, input: { userId, userToken, preview, open }, settings, service }) {
    if (preview !== undefined || open !== undefined) return undefined;
    // Verifying the token needs the settings, and the token may name another person.
    const isOpen = userToken !== undefined || settings?.project.identity === 'required';
    return userId === undefined || isOpen ? undefined : answers(service).history(projectId, userId);
  },

  async handle(request) {
    const { input, settings, prepared, now, service } = request;
    const types = servedTypes(input.types, settings.project.typesUnlessSaid);
    if (input.preview !== undefined) return previewed(input.preview, types, request);
    const person = await identify(request);
    if (isRefusal(person)) return person;
    const { respondentId, verified } = person;
    const served = [...settings.surveys.values()].filter(
      (survey) => isActive(survey, now) && isServedTo(types, survey.content),
    );
    if (input.open !== undefined) {
      const surveys = served.filter((survey) => isByPerson(survey) && survey.content.slug === input.open);
      const showTokens = await opened(request, person, surveys);
      return replyWith(surveys, types, { suppression: [], showTokens, impressions: false });
    }
    const history =
      respondentId === undefined
        ? NO_HISTORY
        : (prepared ?? (await answers(service).history(settings.project.id, respondentId)));
    const issued =
      respondentId === undefined
        ? undefined
        : await issueTokens(request, { surveys: served, respondentId, history, verified });
    const suppression = listSuppressed(settings.surveys, history, NO_OCCASION, now);
    const impressions = settings.project.impressions === false ? false : undefined;
    return replyWith(served, types, { suppression, showTokens: issued?.tokens, impressions });
  },
});

export const handler = serviceOnLambda(bootstrap.create);
