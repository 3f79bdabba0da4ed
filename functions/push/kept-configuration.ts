import { MINUTE } from '../../shared/domain/duration.ts';

/**
 * Reads the configuration anew, or, where the caller may be given an older one, at most once a minute: a busy project
 * wakes the adapter every few seconds.
 * @param now milliseconds since the epoch
 */
export function keepConfiguration(
  read: () => Promise<string>,
  now: () => number,
): (mayBeKept: boolean) => Promise<string> {
  let kept: { readonly text: string; readonly readAt: number } | undefined;
  return async (mayBeKept) => {
    if (mayBeKept && kept !== undefined && now() - kept.readAt < MINUTE) return kept.text;
    const readAt = now();
    kept = { text: await read(), readAt };
    return kept.text;
  };
}
