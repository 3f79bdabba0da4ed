/** Uses the session storage, which other tabs cannot read. */

/** The project id from the page's address. */
export const PROJECT = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');

const nameOf = (name: string): string => `canvass-console/${PROJECT}/${name}`;

export const recall = (name: string): string | null => sessionStorage.getItem(nameOf(name));

/** An earlier release may have stored a value with another shape. */
export function recallAs<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const value: unknown = JSON.parse(recall(name) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a stored value has these texts. */
export function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  const fields = new Map(Object.entries(value ?? {}));
  return names.every((name) => typeof fields.get(name) === 'string');
}

/** @param value null deletes the stored value */
export function keep(name: string, value: string | null): void {
  if (value === null) sessionStorage.removeItem(nameOf(name));
  else sessionStorage.setItem(nameOf(name), value);
}

/** @param slug empty for a new survey */
export const draftName = (slug: string): string => `draft/${slug}`;

export const keepsDraft = (slug: string): boolean => recall(draftName(slug)) !== null;

const namesOf = (...kinds: readonly string[]): string[] =>
  Object.keys(sessionStorage).filter((name) => kinds.some((kind) => name.startsWith(nameOf(kind))));

export const keepsUnsaved = (): boolean => namesOf('draft/', 'typed/').length > 0;

export function forgetProject(): void {
  for (const name of namesOf('')) sessionStorage.removeItem(name);
}
