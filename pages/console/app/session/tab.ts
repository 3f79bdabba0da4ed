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
