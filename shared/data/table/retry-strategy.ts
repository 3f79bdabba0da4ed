/** How the AWS clients try again. */

import { StandardRetryStrategy } from '@smithy/core/retry';

export type RetryStrategy = Pick<
  StandardRetryStrategy,
  'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'
>;

/**
 * The SDK's own strategy, but that the first retry of a call is made whatever came before. The SDK lets all calls of a
 * client share a budget of retries, which a bad minute uses up: then each single fault would end in a 503.
 */
export function retryStrategy(maxAttempts: number): RetryStrategy {
  const budgeted = new StandardRetryStrategy(maxAttempts);
  return {
    acquireInitialRetryToken: (scope) => budgeted.acquireInitialRetryToken(scope),
    async refreshRetryTokenForRetry(token, failure) {
      try {
        return await budgeted.refreshRetryTokenForRetry(token, failure);
      } catch (refusal) {
        if (token.getRetryCount() > 0) throw refusal;
        // Refuses what may not be retried at all as well; its budget is full.
        return new StandardRetryStrategy(maxAttempts).refreshRetryTokenForRetry(token, failure);
      }
    },
    recordSuccess: (token) => budgeted.recordSuccess(token),
  };
}
