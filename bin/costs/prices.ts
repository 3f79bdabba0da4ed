/**
 * AWS list prices, US dollars, region us-east-1, as public pages about AWS gave them on 2026-11-20; AWS's own pages, which
 * are named, show theirs to browsers only and are to be compared. Without free tiers and discounts of volume.
 */
export const PRICES = {
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/api-gateway/pricing, HTTP API, first 300 million a month, 512 KB steps. */
  gatewayRequest: 1 / 1e6,
  gatewayStepBytes: 512 * 1_024,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class, since November 2024. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** The same page: storage, and point-in-time recovery of it, a month. */
  storageGb: 0.25,
  recoveryGb: 0.2,
  /** aws.amazon.com/backup/pricing, DynamoDB, warm storage, a month: each backup, and each copy, is whole. */
  backupGb: 0.1,
  /** aws.amazon.com/cloudwatch/pricing, logs ingested, standard class. */
  logGb: 0.5,
  /** The same page, a month: a metric of one's own in each hour that it is written, each metric of an alarm, a dashboard. */
  metric: 0.3,
  alarmMetric: 0.1,
  dashboard: 3,
  /** aws.amazon.com/ec2/pricing/on-demand, data transfer out to the internet, first 10 TB a month. */
  transferGb: 0.09,
  /** aws.amazon.com/secrets-manager/pricing, a secret or a replica of one, a month. */
  secret: 0.4,
  /** The same page: a call. */
  secretRead: 0.05 / 1e4,
  /** aws.amazon.com/sqs/pricing, standard queues, and those that keep an order (FIFO). */
  queueRequest: 0.4 / 1e6,
  orderedQueueRequest: 0.5 / 1e6,
  /** aws.amazon.com/eventbridge/pricing: events of one's own, posts to an address, runs of a schedule. */
  event: 1 / 1e6,
  eventPost: 0.2 / 1e6,
  scheduledRun: 1 / 1e6,
  /** aws.amazon.com/waf/pricing, a month, and a request. */
  webAcl: 5,
  webAclRule: 1,
  webAclRequest: 0.6 / 1e6,
  /** aws.amazon.com/cloudfront/pricing, HTTPS requests; traffic costs about what the gateway's does. */
  edgeRequest: 1 / 1e6,
} as const;
