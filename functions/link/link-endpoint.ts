/** An endpoint behind a link: the token in its path is who calls, and every refusal is a page. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { countsRequests, type Route } from '../../shared/contract/route.ts';
import { LINK_LEASES } from '../../shared/data/table/schema.ts';
import { isExpired, type ShowTokenClaims } from '../../shared/domain/answers/show-token.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { networkOf } from '../runtime/authorise.ts';
import {
  clock,
  limiter,
  log,
  projectSettings,
  type Service,
  tokens,
  wrongKeyLimiter,
} from '../runtime/compose.ts';
import type { Endpoint } from '../runtime/endpoint.ts';
import { findSurvey } from '../runtime/find-survey.ts';
import { viewerAddress } from '../runtime/input/viewer.ts';
import { type Count, createPipeline, type RequestTrace } from '../runtime/pipeline.ts';
import type { Bucket, RateLimiter } from '../runtime/rates/rate-limiter.ts';
import type { RawReply } from '../runtime/reply.ts';
import { wantedTags } from './language.ts';
import { refusalPage } from './word-pages.ts';

export interface LinkRequest {
  readonly claims: ShowTokenClaims;
  readonly survey: Survey;
  readonly projectId: string;
  /** Language tags, most wanted first. */
  readonly tags: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly event: APIGatewayProxyEventV2;
  readonly count: Count;
  readonly service: Service;
}

const tokenOf = ({ rawPath }: APIGatewayProxyEventV2): string => rawPath.slice(rawPath.lastIndexOf('/') + 1);

async function refuseBeyond(
  by: RateLimiter,
  buckets: readonly Bucket[],
  now: number,
  count: Count,
): Promise<Refusal | undefined> {
  for (const bucket of buckets) {
    const admission = await by.take(bucket, now);
    if (!admission.admitted)
      return refuse('rate_limited', { retryAfterSeconds: admission.retryAfterSeconds });
    if (admission.unmetered === true) count('unmetered');
  }
  return undefined;
}

export function linkEndpoint(
  route: Route,
  handle: (request: LinkRequest) => Promise<RawReply | Refusal>,
): Endpoint {
  async function work(
    service: Service,
    event: APIGatewayProxyEventV2,
    trace: RequestTrace,
  ): Promise<RawReply | Refusal> {
    const now = clock(service)();
    const count: Count = (metric, by = 1) => {
      trace.measures[metric] = (trace.measures[metric] ?? 0) + by;
    };
    const { edge, defaultAddressRate } = service.config;
    const address = viewerAddress(event, edge);
    const name = networkOf(address ?? event.requestContext.http.sourceIp);
    const opened = address === undefined ? undefined : await tokens(service).openLink(tokenOf(event));
    const settings = opened && (await projectSettings(service).load(opened.projectId));
    if (opened === undefined || settings === undefined) {
      const bucket: Bucket = { kind: 'address', projectId: '', name, rate: defaultAddressRate };
      return (await refuseBeyond(wrongKeyLimiter(service), [bucket], now, count)) ?? refuse('invalid_token');
    }
    const { claims, projectId } = opened;
    trace.projectId = projectId;
    const { rates, status } = settings.project;
    if (status === 'suspended') return refuse('project_suspended');
    // To show a page writes nothing, so that is counted in the memory of each instance.
    const counter = countsRequests(route) ? limiter(service) : wrongKeyLimiter(service);
    const buckets: Bucket[] = [
      { kind: 'address', projectId, name, rate: rates.address ?? defaultAddressRate },
      { kind: 'key', projectId, name: LINK_LEASES, rate: rates.publishable },
    ];
    const limited = await refuseBeyond(counter, buckets, now, count);
    if (limited !== undefined) return limited;
    const survey = await findSurvey({ surveyId: claims.surveyId }, settings, service);
    if (survey === undefined) return refuse('survey_not_found');
    if (isExpired(claims, now)) return refuse('token_expired');
    return handle({ claims, survey, projectId, tags: wantedTags(event), now, event, count, service });
  }

  return {
    route,
    create(service) {
      projectSettings(service);
      const { requestDeadlineMs } = service.config;
      const parts = {
        log: log(service),
        clock: clock(service),
        requestDeadlineMs,
        refusalPage: ({ refused }: Refusal, event: APIGatewayProxyEventV2) =>
          refusalPage(refused, wantedTags(event)),
      };
      return createPipeline(route, parts, async (event, _body, trace) => {
        const reply = await work(service, event, trace);
        return isRefusal(reply) ? { refused: reply.refused, ...retryOf(reply) } : reply;
      });
    },
  };
}

/** Of a refusal what a page may tell: not by which answer the token was used. */
const retryOf = ({ retryAfterSeconds }: Refusal) =>
  retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
