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
  originSecret: 'ORIGIN_SECRET',
  previousOriginSecret: 'PREVIOUS_ORIGIN_SECRET',
  originOpen: 'ORIGIN_OPEN',
} as const;

/** Further ones, of functions that erase. */
export const ERASURE_ENVIRONMENT = {
  erasureLogTableName: 'ERASURE_LOG_TABLE_NAME',
  purgeStateMachineArn: 'PURGE_STATE_MACHINE_ARN',
} as const;

/** The same of the function that pushes scores, which needs neither the table's answers nor the deployment's secrets. */
export const SCORE_ADAPTER_ENVIRONMENT = {
  tableName: 'TABLE_NAME',
  apiUrl: 'API_URL',
  configurationId: 'SCORE_ADAPTER_SECRET_ID',
} as const;
