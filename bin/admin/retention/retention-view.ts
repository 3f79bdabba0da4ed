/** A retention as `project` and `survey` commands show it. */

import { nextPeriod, periodAt, type Retention } from '../../../shared/domain/retention.ts';

/** What is in force, and what follows it; `null` is for ever. */
export function retentionView(retention: Retention | undefined, now: number) {
  const next = nextPeriod(retention, now);
  return { period: periodAt(retention, now), next: next === undefined ? null : next };
}

export function retentionText(retention: Retention | undefined, now: number): string {
  const { period, next } = retentionView(retention, now);
  const current = period ?? 'none';
  return next === null ? current : `${current}, ${next.period ?? 'none'} from ${next.from} on`;
}
