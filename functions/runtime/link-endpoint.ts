import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { refusalPage } from '../../pages/link/word-pages.ts';
import { isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { countsRequests, type Route } from '../../shared/contract/route.ts';
import { LINK_LEASES } from '../../shared/data/table/schema.ts';
import { isExpired, type ShowTokenClaims } from '../../shared/domain/answers/show-token.ts';
import { type Appearance, appearanceOf, type Project } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { GENUINE_ANSWER } from '../token/genuine-tokens.ts';
import { publicBuckets, refuseAnswer, refuseBeyond, strangerBucket } from './authorise.ts';
import { clock, log, type Service, tokens } from './compose.ts';
import type { Endpoint } from './endpoint.ts';
import { type Count, countInto, createPipeline, type RawReply, type RequestTrace } from './pipeline.ts';
import { limiter, wrongKeyLimiter } from './rate-limiter.ts';
import { acceptedTags, readForm, readQuery, viewerAddress } from './request-input.ts';
import { findSurvey, projectSettings } from './settings-cache.ts';

export interface LinkRequest {
  readonly claims: ShowTokenClaims;
  readonly survey: Survey;
  readonly project: Project;
  readonly tags: readonly string[];
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
  readonly service: Service;
}

function wantedTags({ headers, rawQueryString }: APIGatewayProxyEventV2): string[] {
  const [chosen = ''] = readQuery(rawQueryString).get('lang') ?? [];
  return acceptedTags([chosen, headers['accept-language'] ?? ''].join(',')).sort((a, b) =>
    a === chosen ? -1 : Number(b === chosen),
  );
}

/** The person's own words, for copying. Forms of other sites could put any text on the page. */
function wordsIn(event: APIGatewayProxyEventV2): string {
  const isOwn = event.headers['sec-fetch-site'] === 'same-origin';
  const fields = [...((isOwn && readForm(event)) || [])];
  const isWords = (name: string, value: string) =>
    name === 'text' || (name.startsWith('answers.') && !/^[a-z0-9-]*$/.test(value));
  const words = fields.flatMap(([name, [value = '']]) => (isWords(name, value) ? [value.trim()] : []));
  return words.filter(Boolean).join('\n\n');
}

const tokenOf = ({ rawPath }: APIGatewayProxyEventV2): string => rawPath.slice(rawPath.lastIndexOf('/') + 1);

export function linkEndpoint(
  route: Route,
  handle: (request: LinkRequest) => Promise<RawReply | Refusal>,
): Endpoint {
  const askers = new WeakMap<APIGatewayProxyEventV2, Appearance>();

  async function work(
    service: Service,
    event: APIGatewayProxyEventV2,
    trace: RequestTrace,
  ): Promise<RawReply | Refusal> {
    const now = clock(service)();
    const count = countInto(trace);
    const { edge, defaultAddressRate } = service.config;
    const viewer = viewerAddress(event, edge);
    const address = viewer ?? event.requestContext.http.sourceIp;
    const showToken = tokenOf(event);
    const unsealed = viewer === undefined ? undefined : await tokens(service).unsealLink(showToken);
    const settings = unsealed && (await projectSettings(service).load(unsealed.projectId));
    if (unsealed === undefined || settings === undefined) {
      const wrong = { limiter: wrongKeyLimiter(service), now, count };
      const bucket = strangerBucket(address, defaultAddressRate);
      return (await refuseBeyond([bucket], wrong)) ?? refuse('invalid_token');
    }
    const { claims, projectId } = unsealed;
    trace.projectId = projectId;
    const { project } = settings;
    if (project.status === 'suspended') return refuse('project_suspended');
    askers.set(event, appearanceOf(project));
    // Showing a page writes nothing, so it is counted in memory.
    const isAnswer = countsRequests(route);
    const memory = wrongKeyLimiter(service);
    const rates = { limiter: isAnswer ? limiter(service) : memory, memory, now, count };
    const caller = { route, project, address, keyName: LINK_LEASES, defaultAddressRate };
    const presented = { projectId, showToken, unsealed: async () => unsealed, now, service };
    const refusal = isAnswer
      ? await refuseAnswer(GENUINE_ANSWER, presented, caller, rates)
      : await refuseBeyond(publicBuckets(caller), rates);
    if (refusal !== undefined) return refusal;
    const survey = await findSurvey({ surveyId: claims.surveyId }, settings, projectSettings(service));
    if (survey === undefined) return refuse('survey_not_found');
    if (isExpired(claims, now)) return refuse('token_expired');
    const reply = await handle({
      claims,
      survey,
      project,
      tags: wantedTags(event),
      now,
      event,
      count,
      service,
    });
    if (isAnswer) GENUINE_ANSWER.note(presented, reply);
    return reply;
  }

  return {
    route,
    create(service) {
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const dependencies = {
        log: log(service),
        clock: clock(service),
        requestDeadlineMs,
        refusalPage: ({ refused }: Refusal, event: APIGatewayProxyEventV2) =>
          refusalPage(refused, askers.get(event), wantedTags(event), wordsIn(event)),
      };
      return createPipeline(route, dependencies, async (event, _body, trace) => {
        const reply = await work(service, event, trace);
        return isRefusal(reply) ? { refused: reply.refused, ...retryOf(reply) } : reply;
      });
    },
  };
}

/** Omits details, because the page must not reveal which answer used the token. */
const retryOf = ({ retryAfterSeconds }: Refusal) =>
  retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
