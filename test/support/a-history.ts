import { type History, NO_HISTORY } from '../../shared/domain/answers/history.ts';

/** A history of which a test names what it is about; the latest of its times counts as answer and as dismissal. */
export function aHistory(past: Partial<History> = {}): History {
  const { times = [] } = past;
  const at = times.length === 0 ? undefined : Math.max(...times);
  return { ...NO_HISTORY, latest: { answeredAt: at, dismissedAt: at }, ...past };
}

/** Every survey that a history knows of, erased ones too. */
export const surveysIn = ({ surveys, erased }: History): Set<string> =>
  new Set([...surveys.keys(), ...erased]);
