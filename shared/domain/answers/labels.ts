/**
 * What a server says of an answer besides whom it is from: labels of the turn, such as its model, prompt or arm, sealed in
 * the token, and the channel through which it hands an answer in (docs/contract.md §9.7).
 */

/** Values by name. */
export type Labels = Readonly<Record<string, string>>;

export const MOST_LABELS = 4;
export const LABEL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** Of UTF-8. */
export const MOST_LABEL_BYTES = 64;
export const CHANNEL = /^[a-z][a-z0-9-]{0,31}$/;

const isValue = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.isWellFormed() &&
  Buffer.byteLength(value) <= MOST_LABEL_BYTES;

/** Those that are labels, the first four in the order in which they were sent. */
export function fitLabels(sent: Readonly<Record<string, unknown>>): Labels {
  const fitting = Object.entries(sent).filter(
    (entry): entry is [string, string] => LABEL_NAME.test(entry[0]) && isValue(entry[1]),
  );
  return Object.fromEntries(fitting.slice(0, MOST_LABELS));
}
