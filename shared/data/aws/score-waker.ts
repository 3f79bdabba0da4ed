import { SECOND } from '../../domain/duration.ts';
import { createPostSigner } from './aws-call.ts';

export interface ScoreWaker {
  /** @param wake the number of new scores of each project */
  wake(wake: Readonly<Record<string, number>>): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 2 * SECOND;

/** See AWS SDKs and Tools, "Service-specific endpoints". */
const endpointOf = (region: string): string =>
  process.env.AWS_ENDPOINT_URL_LAMBDA ??
  `https://lambda.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;

/** 202 means that Lambda has queued the event (AWS Lambda, "Invoke"). */
export function createScoreWaker(functionArn: string): ScoreWaker {
  const region = process.env.AWS_REGION ?? '';
  const sign = createPostSigner('lambda', region);
  const name = encodeURIComponent(functionArn);
  const url = `${endpointOf(region)}/2015-03-31/functions/${name}/invocations`;
  return {
    async wake(wake) {
      const headers = { 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' };
      const body = JSON.stringify({ wake });
      const reply = await fetch(url, {
        method: 'POST',
        headers: await sign({ url, headers, body }),
        body,
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      await reply.body?.cancel();
      if (reply.status !== 202)
        throw new Error(`Lambda refused to invoke the score adapter: HTTP ${reply.status}`);
    },
  };
}
