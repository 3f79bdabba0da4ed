import { createHash } from 'node:crypto';
import type { AttributeValue, _Record as StreamsRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, AttributeValue as EventValue } from 'aws-lambda';

/**
 * A record as Lambda's event source mapping delivers it: binary values in base64, times in seconds, the stream's name
 * on it. The emulator numbers its events from 1 in every table; here each gets an id that is its own everywhere and the same
 * whenever it is delivered, as on AWS.
 */
export function streamEventRecord(record: StreamsRecord, streamArn: string): DynamoDBRecord {
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime: at, ...rest } = record.dynamodb ?? {};
  return {
    eventID: createHash('sha256').update(`${streamArn}\n${rest.SequenceNumber}`).digest('hex').slice(0, 32),
    eventName: record.eventName,
    eventVersion: record.eventVersion,
    eventSource: record.eventSource,
    eventSourceARN: streamArn,
    awsRegion: record.awsRegion,
    dynamodb: {
      ...rest,
      ...(at && { ApproximateCreationDateTime: Math.floor(at.getTime() / 1000) }),
      ...(Keys && { Keys: eventValues(Keys) }),
      ...(NewImage && { NewImage: eventValues(NewImage) }),
      ...(OldImage && { OldImage: eventValues(OldImage) }),
    },
    ...(record.userIdentity && {
      userIdentity: { type: record.userIdentity.Type, principalId: record.userIdentity.PrincipalId },
    }),
  };
}

function eventValues(values: Record<string, AttributeValue>): Record<string, EventValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, eventValue(value)]));
}

function eventValue(value: AttributeValue): EventValue {
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  if (value.BOOL !== undefined) return { BOOL: value.BOOL };
  if (value.NULL !== undefined) return { NULL: value.NULL };
  if (value.SS !== undefined) return { SS: value.SS };
  if (value.NS !== undefined) return { NS: value.NS };
  if (value.M !== undefined) return { M: eventValues(value.M) };
  if (value.L !== undefined) return { L: value.L.map(eventValue) };
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  throw new TypeError(`An attribute value of an unknown type: ${Object.keys(value)}`);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
