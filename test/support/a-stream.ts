/** What the table's stream delivers of answers that a test made up. */

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { onChange } from '../../functions/on-change.ts';
import { anId } from './builders.ts';
import type { TestService } from './test-service.ts';

export type Image = Readonly<Record<string, unknown>>;

const attributesOf = (image: Image) =>
  marshall(image, { removeUndefinedValues: true }) as Record<string, { S: string }>;

/** A record of the stream; an image is undefined where the row was, or is, not there. */
export function aRecord(before: Image | undefined, after: Image | undefined): DynamoDBRecord {
  const eventName = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
  return {
    eventID: anId() + anId(),
    eventName,
    dynamodb: {
      ...(before !== undefined && { OldImage: attributesOf(before) }),
      ...(after !== undefined && { NewImage: attributesOf(after) }),
    },
  };
}

/** The row of a response, of as much as consumers of the stream look at. */
export const aResponseRow = (more: Image): Image => ({
  pk: `P#${String(more.projectId)}#R#${anId()}`,
  sk: 'ANSWER#1',
  type: 'response',
  source: 'sdk',
  at: '2026-11-20T09:30:00.000Z',
  rating: 9,
  ...more,
});

/** Delivers answers as if each had just been stored. */
export async function deliver({ service }: TestService, rows: readonly Image[]): Promise<void> {
  await onChange(service)({ Records: rows.map((row) => aRecord(undefined, row)) });
}
