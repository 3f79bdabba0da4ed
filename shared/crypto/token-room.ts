/** A token has at most 1,024 characters, and its ids may need all of them (docs/contract.md §9.7). */

import type { Labels, SessionIds } from '../domain/answers/answer.ts';
import { type Grant, isWithinToken } from './show-token-seal.ts';

interface Metadata {
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
}

interface Fitted {
  readonly metadata: Metadata;
  readonly dropped: readonly string[];
}

interface Token {
  readonly grant: Omit<Grant, 'tokenId' | keyof Metadata>;
  readonly session: SessionIds | undefined;
  readonly projectId?: string | undefined;
}

/** Keeps the task type and then the labels in order, as long as each fits. */
export function fitMetadata(
  { grant, session, projectId }: Token,
  { taskType, labels = {} }: Metadata,
): Fitted {
  const steps: [path: string, more: Metadata][] = [
    ...(taskType === undefined ? [] : [['taskType', { taskType }] satisfies [string, Metadata]]),
    ...Object.entries(labels).map(([name, value]): [string, Metadata] => [
      `labels.${name}`,
      { labels: { [name]: value } },
    ]),
  ];
  let metadata: Metadata = {};
  const dropped: string[] = [];
  for (const [path, more] of steps) {
    const next = {
      ...metadata,
      ...more,
      ...(more.labels !== undefined && { labels: { ...metadata.labels, ...more.labels } }),
    };
    if (isWithinToken({ ...grant, ...next }, session, projectId)) metadata = next;
    else dropped.push(path);
  }
  return { metadata, dropped };
}
