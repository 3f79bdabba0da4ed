/**
 * AWS list prices, US dollars, region us-east-1, as public pages about AWS gave them on 2026-11-20; AWS's own pages, which
 * are named, show theirs to browsers only and are to be compared. Without free tiers and discounts of volume.
 */
export const PRICES = {
  region: 'us-east-1',
  date: '2026-11-20',
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/api-gateway/pricing, HTTP API, first 300 million a month, 512 KB steps. */
  gatewayRequest: 1 / 1e6,
  gatewayStepBytes: 512 * 1_024,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class, since November 2024. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** aws.amazon.com/cloudwatch/pricing, logs ingested, standard class. */
  logGb: 0.5,
  /** aws.amazon.com/ec2/pricing/on-demand, data transfer out to the internet, first 10 TB a month. */
  transferGb: 0.09,
} as const;

/** What functions run with (lib/service-function.ts). */
export const MEMORY_GB = 1;
