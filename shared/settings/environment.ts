export const ENVIRONMENT = {
  tableName: 'TABLE_NAME',
  stage: 'STAGE',
  keyAbbreviation: 'KEY_ABBREVIATION',
  shards: 'INDEX_SHARDS',
  defaultAddressRate: 'DEFAULT_ADDRESS_RATE',
  hashSecretId: 'HASH_SECRET_ID',
  tokenRingId: 'TOKEN_RING_ID',
  metricsNamespace: 'METRICS_NAMESPACE',
  /** `essential` or `all`, optionally followed by `,dashboard`. */
  watching: 'WATCHING',
  originSecret: 'ORIGIN_SECRET',
  previousOriginSecret: 'PREVIOUS_ORIGIN_SECRET',
  originOpen: 'ORIGIN_OPEN',
  publicUrl: 'PUBLIC_URL',
} as const;

export const ERASURE_ENVIRONMENT = {
  erasureLogTableName: 'ERASURE_LOG_TABLE_NAME',
  purgeStateMachineArn: 'PURGE_STATE_MACHINE_ARN',
} as const;

export const EVENT_ENVIRONMENT = {
  queueUrl: 'EVENT_QUEUE_URL',
  busName: 'EVENT_BUS_NAME',
  includeText: 'EVENT_INCLUDE_TEXT',
} as const;

export const DIGEST_ENVIRONMENT = { url: 'DIGEST_URL', topicArn: 'DIGEST_TOPIC_ARN' } as const;

export const SLACK_ENVIRONMENT = { url: 'SLACK_PAGE_URL' } as const;

export const PROBE_ENVIRONMENT = {
  url: 'PROBE_URL',
  key: 'PROBE_KEY',
  mintKeySecretId: 'PROBE_MINT_KEY_SECRET_ID',
} as const;

export const SCORE_ADAPTER_ENVIRONMENT = { configurationId: 'SCORE_ADAPTER_SECRET_ID' } as const;

export const SCORE_WAKER_ENVIRONMENT = { functionArn: 'SCORE_ADAPTER_ARN' } as const;

export const EDGE_HEADERS = {
  viewerAddress: 'x-viewer-address',
  originSecret: 'x-origin-secret',
} as const;
