/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles. No command of the DynamoDB client reads this cache
 * (client-dynamodb 3.1162.0), and the package adds an LRU cache (decision 41).
 */
export class EndpointCache {}
