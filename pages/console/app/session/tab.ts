/** What this tab keeps of a project: it is gone when the tab is closed, and no other tab reads it. */

/** Of whom the page is: the last part of its address. */
export const PROJECT = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');

const nameOf = (name: string): string => `canvass-console/${PROJECT}/${name}`;

export const recall = (name: string): string | null => sessionStorage.getItem(nameOf(name));

/** @param value null forgets it */
export function keep(name: string, value: string | null): void {
  if (value === null) sessionStorage.removeItem(nameOf(name));
  else sessionStorage.setItem(nameOf(name), value);
}

/** Under which a draft is kept. @param slug empty of a new survey */
export const draftName = (slug: string): string => `draft/${slug}`;

export const keepsDraft = (slug: string): boolean => recall(draftName(slug)) !== null;

const namesOf = (...kinds: readonly string[]): string[] =>
  Object.keys(sessionStorage).filter((name) => kinds.some((kind) => name.startsWith(nameOf(kind))));

/** Whether the tab keeps a draft or a note that is not stored anywhere else. */
export const keepsUnsaved = (): boolean => namesOf('draft/', 'typed/').length > 0;

/** Forgets all of this project. */
export function forgetAll(): void {
  for (const name of namesOf('')) sessionStorage.removeItem(name);
}
