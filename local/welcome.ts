/** What `npm start` tells: an address, keys, and requests that work when pasted. */

import { styleText } from 'node:util';
import type { Instance } from './instance.ts';

interface Greeting {
  readonly instance: Instance;
  /** Fresh tokens for `userId` by survey, so that the second request works as it stands. */
  readonly showTokens: Readonly<Record<string, string>>;
  readonly userId: string;
}

function requestLine(url: string, path: string, body: object, header = ''): string {
  return `curl -s ${url}${path}${header} -d '${JSON.stringify(body)}'`;
}

export function welcome({ instance, showTokens, userId }: Greeting): string {
  const { url, demo, database } = instance;
  const heading = (text: string): string => styleText('bold', text, { stream: process.stdout });
  const key = demo.publishableKey;
  const survey = demo.surveys.find(({ id }) => showTokens[id] !== undefined);
  const rating = survey?.type === 'pmf' ? 2 : 5;
  const submission = survey && {
    key,
    showToken: showTokens[survey.id],
    surveyId: survey.id,
    rating,
    text: 'Fast and calm.',
  };
  const bearer = ` -H 'authorization: Bearer ${demo.secretKey}'`;
  return [
    `${heading('Canvass')} at ${url}`,
    '',
    `  publishable key  ${demo.publishableKey}`,
    `  secret key       ${demo.secretKey}`,
    `  surveys          ${demo.surveys.map(({ slug, type }) => `${slug} (${type})`).join(', ')}`,
    `  database         ${database}`,
    '',
    heading('Which surveys may this person see?'),
    requestLine(url, '/v1/sdk/bootstrap', { key, userId: 'ann' }),
    '',
    heading('Answer one (its show-token works once)'),
    submission === undefined
      ? 'The settings of the demo project allow no survey to be shown now: see npm run admin -- --help.'
      : requestLine(url, '/v1/sdk/responses', submission),
    '',
    heading('From a server: mint tokens bound to a session'),
    requestLine(url, '/v1/sdk/tokens', { respondentId: `${userId}-2`, sessionId: 'session-1' }, bearer),
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
