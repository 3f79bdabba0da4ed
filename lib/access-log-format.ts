/** Paths, queries and addresses contain keys and ids. */
export const ACCESS_LOG_FORMAT = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  functionError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.message',
} as const;
