/** What somebody is typing, kept in the tab until it is stored: a sign-in that ends, a file that is missing, a reload. */

import { useState } from 'preact/hooks';
import { keep, recall } from './tab.ts';

const nameOf = (name: string): string => `typed/${name}`;

function read<Value>(name: string, isValue: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(recall(nameOf(name)) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * State that outlives the page within its tab.
 * @param name of what is typed where, such as `survey/nps`
 * @param isValue what an earlier release kept may have another shape
 * @returns the value, how to change it, and how to forget it once it is stored
 */
export function useKept<Value>(
  name: string,
  initial: Value,
  isValue: (value: unknown) => value is Value,
): readonly [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => read(name, isValue) ?? initial);
  const change = (next: Value): void => {
    keep(nameOf(name), JSON.stringify(next));
    setValue(next);
  };
  const forget = (): void => {
    keep(nameOf(name), null);
    setValue(initial);
  };
  return [value, change, forget];
}
