/** Segments and their values as people read them: a trait as it is, and what the service itself tells apart in words. */

import { IDENTITY_SEGMENT, NO_VALUE, OTHER_VALUE } from '../../shared/domain/surveys/segments.ts';

const NAMES: Readonly<Record<string, string>> = { [IDENTITY_SEGMENT]: 'identity', taskType: 'task type' };

const KINDS: Readonly<Record<string, string>> = {
  identified: 'identified',
  'anon-device': 'anonymous, by device',
  'anon-conversation': 'anonymous, by conversation',
};

export const segmentName = (name: string): string => NAMES[name] ?? name;

/** @param value null for answers without one */
export function valueWords(name: string, value: string | null): string {
  if (value === null) return 'not given';
  return (name === IDENTITY_SEGMENT && KINDS[value]) || value;
}

/** What can be asked for of a segment, by what it is asked for. */
export interface OfferedValue {
  readonly value: string;
  readonly words: string;
}

/** The declared values, then other ones and none. */
export function offeredValues(name: string, declared: readonly string[]): readonly OfferedValue[] {
  const all = [...declared, ...[OTHER_VALUE, NO_VALUE].filter((value) => !declared.includes(value))];
  return all.map((value) => {
    const isNone = value === NO_VALUE && !declared.includes(value);
    return { value, words: valueWords(name, isNone ? null : value) };
  });
}
