/** The names of the environment variables between infrastructure, which sets them, and functions, which read them. */
export const ENVIRONMENT = {
  tableName: 'TABLE_NAME',
  stage: 'STAGE',
  keyAbbreviation: 'KEY_ABBREVIATION',
  shards: 'INDEX_SHARDS',
  defaultAddressRate: 'DEFAULT_ADDRESS_RATE',
  hashSecretId: 'HASH_SECRET_ID',
  tokenRingId: 'TOKEN_RING_ID',
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Who reads metrics: `essential` or `all`, and `,dashboard`. */
  watching: 'WATCHING',
  originSecret: 'ORIGIN_SECRET',
  previousOriginSecret: 'PREVIOUS_ORIGIN_SECRET',
  originOpen: 'ORIGIN_OPEN',
  publicUrl: 'PUBLIC_URL',
} as const;

/** Further ones, of functions that erase. */
export const ERASURE_ENVIRONMENT = {
  erasureLogTableName: 'ERASURE_LOG_TABLE_NAME',
  purgeStateMachineArn: 'PURGE_STATE_MACHINE_ARN',
} as const;

/** Further ones, of functions that make events; only where the stage has them on. */
export const EVENT_ENVIRONMENT = {
  queueUrl: 'EVENT_QUEUE_URL',
  busName: 'EVENT_BUS_NAME',
  /** `true`: events carry text, traits and contact. */
  includeText: 'EVENT_INCLUDE_TEXT',
} as const;

/** Of the function that sends digests: where the service answers, and the topic whose subscribers are mailed. */
export const DIGEST_ENVIRONMENT = { url: 'DIGEST_URL', topicArn: 'DIGEST_TOPIC_ARN' } as const;

/** Of the function that sends messages to Slack: where the page of results is. */
export const SLACK_ENVIRONMENT = { url: 'SLACK_PAGE_URL' } as const;

/** Of the function that probes the stage: where it answers, and the key of the probe's project. */
export const PROBE_ENVIRONMENT = { url: 'PROBE_URL', key: 'PROBE_KEY' } as const;

/** Of the function that pushes scores: the secret that says where to. */
export const SCORE_ADAPTER_ENVIRONMENT = { configurationId: 'SCORE_ADAPTER_SECRET_ID' } as const;

/** Of the stream's consumer, where a stage pushes scores: the function that it wakes. */
export const SCORE_WAKER_ENVIRONMENT = { functionArn: 'SCORE_ADAPTER_ARN' } as const;

/** Headers that CloudFront adds on the way to the gateway: who asks, and that it is CloudFront who says so. */
export const EDGE_HEADERS = {
  viewerAddress: 'x-viewer-address',
  originSecret: 'x-origin-secret',
} as const;
