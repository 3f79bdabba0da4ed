/** What of a request's fields was not taken. */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function pathsIn(name: string, sent: unknown, taken: unknown): string[] {
  if (sent === undefined || sent === taken) return [];
  if (taken === undefined) return [name];
  if (typeof sent === 'string' && typeof taken === 'string') return taken.length < sent.length ? [name] : [];
  if (!isObject(sent) || !isObject(taken) || Array.isArray(taken)) return [];
  return Object.keys(sent)
    .filter((key) => !Object.hasOwn(taken, key))
    .map((key) => `${name}.${key}`);
}

/**
 * Paths, without values, of what was sent and did not fit: a field as a whole (`taskType`), the end of a text (`text`),
 * single traits (`traits.orgs`). Fields that the route does not know are not among them.
 * @param taken the same fields, parsed
 */
export function droppedPaths(sent: Fields, taken: unknown, names: readonly string[]): string[] {
  const kept: Fields = isObject(taken) ? { ...taken } : {};
  return names.flatMap((name) => pathsIn(name, sent[name], kept[name]));
}

/** The field that a path lies in: a trait's own name is the sender's word, which no log tells. */
export const fieldOf = (path: string): string => path.split('.', 1)[0] ?? '';
