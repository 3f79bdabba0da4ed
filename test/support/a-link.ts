/** Links, and what a browser does with them. */

import { answerLink } from '../../functions/answer-link.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { showLink } from '../../functions/show-link.ts';
import type { CallOptions, Reply, Tenant, TestService } from './test-service.ts';
import { someone, surveyOf } from './tokens.ts';

/** The path of a link to the tenant's first survey. */
export async function aLink(
  service: TestService,
  tenant: Tenant,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { respondentId: someone(), surveyId: surveyOf(tenant), ...fields };
  const reply = await service.call(deferredAskLink, { secretKey: tenant.secretKey, body });
  return new URL(reply.body.url).pathname;
}

export const open = (service: TestService, path: string, options: CallOptions = {}): Promise<Reply> =>
  service.call(showLink, { path, ...options });

/** Posts a form as a gateway hands it over: in base64. */
export function post(
  service: TestService,
  path: string,
  form: Readonly<Record<string, string>> | string,
  options: CallOptions = {},
): Promise<Reply> {
  const rawBody = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...options.headers };
  return service.call(answerLink, { path, rawBody, base64: true, ...options, headers });
}

/** What a page says in one line. */
export const said = ({ status, text }: Reply): string =>
  `${status} ${/<title>(.*)<\/title>/.exec(text)?.[1] ?? text}`;
