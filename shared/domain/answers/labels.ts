/**
 * Labels that a server seals in the token, such as model, prompt or arm, and the channel of an answer (docs/contract.md
 * §9.7).
 */

export type Labels = Readonly<Record<string, string>>;

export const MOST_LABELS = 4;
export const LABEL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** UTF-8 bytes. */
export const MOST_LABEL_BYTES = 64;
export const CHANNEL = /^[a-z][a-z0-9-]{0,31}$/;

const isValue = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.isWellFormed() &&
  Buffer.byteLength(value) <= MOST_LABEL_BYTES;

/** Keeps the first four valid labels in the order sent. */
export function fitLabels(sent: Readonly<Record<string, unknown>>): Labels {
  const fitting = Object.entries(sent).filter(
    (entry): entry is [string, string] => LABEL_NAME.test(entry[0]) && isValue(entry[1]),
  );
  return Object.fromEntries(fitting.slice(0, MOST_LABELS));
}
