/** What somebody is doing and has not stored, kept in the tab: a sign-in that ends, a file that is missing, a reload. */

import { useCallback, useRef, useState } from 'preact/hooks';
import { keep, recall } from './tab.ts';
import { useOver } from './use-over.ts';

const nameOf = (name: string): string => `typed/${name}`;

function read<Value>(name: string, isValue: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(recall(nameOf(name)) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Keeping<Value> {
  /** Of what is kept: `order`. */
  readonly name: string;
  readonly initial: Value;
  /** What an earlier release kept may have another shape. */
  readonly isValue: (value: unknown) => value is Value;
  /** Whether it would be missed. */
  readonly isWorthKeeping: (value: Value) => boolean;
}

interface Kept<Value> {
  readonly value: Value;
  readonly change: (value: Value) => void;
  /** As it is by now, for what has waited for the service. */
  readonly latest: () => Value;
  /** Whether it was kept from before. */
  readonly wasKept: boolean;
}

/** State that outlives the page within its tab, as long as it would be missed. */
export function useKept<Value>({ name, initial, isValue, isWorthKeeping }: Keeping<Value>): Kept<Value> {
  const [kept] = useState(() => read(name, isValue));
  const [value, setValue] = useState<Value>(kept ?? initial);
  const current = useRef(value);
  const isOver = useOver();
  const change = useCallback(
    (next: Value): void => {
      // Another screen may keep it by now.
      if (isOver()) return;
      current.current = next;
      keep(nameOf(name), isWorthKeeping(next) ? JSON.stringify(next) : null);
      setValue(next);
    },
    [name, isWorthKeeping, isOver],
  );
  const latest = useCallback(() => current.current, []);
  return { value, change, latest, wasKept: kept !== undefined };
}
