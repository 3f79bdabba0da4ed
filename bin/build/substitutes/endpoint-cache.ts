/**
 * Replaces in the bundles `@aws-sdk/endpoint-cache`. The DynamoDB client makes a cache of discovered endpoints and has no
 * command that reads it (client-dynamodb 3.1162.0 attaches no endpoint discovery); the package brings an LRU cache with it
 * (decision 41).
 */
export class EndpointCache {}
