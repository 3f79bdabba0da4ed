/** Environment variables that infrastructure sets and functions read. */
export const ENVIRONMENT = {
  tableName: 'TABLE_NAME',
  stage: 'STAGE',
  keyAbbreviation: 'KEY_ABBREVIATION',
  shards: 'INDEX_SHARDS',
  defaultAddressRate: 'DEFAULT_ADDRESS_RATE',
  hashSecretId: 'HASH_SECRET_ID',
  tokenRingId: 'TOKEN_RING_ID',
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Metrics that are read: `essential` or `all`, and `,dashboard`. */
  watching: 'WATCHING',
  originSecret: 'ORIGIN_SECRET',
  previousOriginSecret: 'PREVIOUS_ORIGIN_SECRET',
  originOpen: 'ORIGIN_OPEN',
  publicUrl: 'PUBLIC_URL',
} as const;

/** Also set for functions that erase. */
export const ERASURE_ENVIRONMENT = {
  erasureLogTableName: 'ERASURE_LOG_TABLE_NAME',
  purgeStateMachineArn: 'PURGE_STATE_MACHINE_ARN',
} as const;

/** Also set for functions that emit events, if the stage enables them. */
export const EVENT_ENVIRONMENT = {
  queueUrl: 'EVENT_QUEUE_URL',
  busName: 'EVENT_BUS_NAME',
  /** `true`: events carry text, traits and contact. */
  includeText: 'EVENT_INCLUDE_TEXT',
} as const;

/** The digest function: the service's URL, and the topic that it mails to. */
export const DIGEST_ENVIRONMENT = { url: 'DIGEST_URL', topicArn: 'DIGEST_TOPIC_ARN' } as const;

/** The Slack function: the URL of the results page. */
export const SLACK_ENVIRONMENT = { url: 'SLACK_PAGE_URL' } as const;

/** The synthetic monitor: the stage's URL, and its project's key. */
export const PROBE_ENVIRONMENT = { url: 'PROBE_URL', key: 'PROBE_KEY' } as const;

/** The score adapter: the secret with its destination. */
export const SCORE_ADAPTER_ENVIRONMENT = { configurationId: 'SCORE_ADAPTER_SECRET_ID' } as const;

/** The stream consumer: the score adapter that it wakes. */
export const SCORE_WAKER_ENVIRONMENT = { functionArn: 'SCORE_ADAPTER_ARN' } as const;

/** CloudFront adds these to identify the viewer and itself. */
export const EDGE_HEADERS = {
  viewerAddress: 'x-viewer-address',
  originSecret: 'x-origin-secret',
} as const;
