import { nextPeriod, periodAt, type Retention } from '../../../shared/domain/retention.ts';
import { timeText } from '../terminal.ts';

/** A `null` period means that answers are kept forever. */
export function retentionView(retention: Retention | undefined, now: number) {
  const next = nextPeriod(retention, now);
  return { period: periodAt(retention, now), next: next === undefined ? null : next };
}

export function retentionText(retention: Retention | undefined, now: number): string {
  const { period, next } = retentionView(retention, now);
  const current = period ?? 'none';
  return next === null ? current : `${current}, then ${next.period ?? 'none'} from ${timeText(next.from)}`;
}
