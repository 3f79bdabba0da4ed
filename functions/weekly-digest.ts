import { createTopicPublisher } from '../shared/data/aws/topic-publisher.ts';
import { realPause } from '../shared/data/table/retry.ts';
import { DIGEST_ENVIRONMENT } from '../shared/settings/environment.ts';
import { type DigestRun, digestRequest, sendDigests } from './digest/send-digests.ts';
import { compose } from './runtime/compose.ts';
import { type Environment, readServiceConfig, required, underLambda } from './runtime/service-config.ts';

const readSettings = (environment: Environment) => ({
  service: readServiceConfig(environment),
  topicArn: required(environment, DIGEST_ENVIRONMENT.topicArn),
  url: required(environment, DIGEST_ENVIRONMENT.url),
});

export const handler = underLambda(readSettings, ({ service, topicArn, url }) => {
  const run: DigestRun = {
    service: compose(service),
    publish: createTopicPublisher(topicArn),
    url,
    pause: realPause,
  };
  return (event: unknown) => sendDigests(run, digestRequest().parse(event));
});
