import { setTimeout } from 'node:timers/promises';
import { createSecretReader } from '../shared/data/aws/secrets-manager.ts';
import { ENVIRONMENT, SLACK_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createLogger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';
import { parseSlackAddress } from './slack/post-message.ts';
import { createSlackSender } from './slack/send-queued.ts';

const readSettings = (environment: Environment) => ({
  url: required(environment, SLACK_ENVIRONMENT.url),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ url, ...metrics }) =>
  createSlackSender({
    readSecret: createSecretReader(),
    parseAddress: parseSlackAddress,
    url,
    sleep: (ms) => setTimeout(ms),
    log: createLogger(undefined, metrics),
  }),
);
