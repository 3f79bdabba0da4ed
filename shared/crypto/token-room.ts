/** What of a turn's metadata has room in a show-token, whose 1,024 characters its ids may need (docs/contract.md §9.7). */

import type { SessionIds } from '../domain/answers/answer.ts';
import type { Labels } from '../domain/answers/labels.ts';
import { type Grant, isWithinToken } from './show-token-seal.ts';

interface Metadata {
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
}

interface Fitted {
  readonly metadata: Metadata;
  /** Paths of what had no room. */
  readonly dropped: readonly string[];
}

interface Token {
  readonly grant: Omit<Grant, 'tokenId' | keyof Metadata>;
  readonly session: SessionIds | undefined;
  /** Of a link, which names its project. */
  readonly projectId?: string | undefined;
}

/** First the task type, then the labels in their order: each that has room beside what is kept before it. */
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
