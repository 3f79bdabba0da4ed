/** DynamoDB's client never reads this cache (client-dynamodb 3.1162.0), which adds an LRU package (decision 41). */
export class EndpointCache {}
