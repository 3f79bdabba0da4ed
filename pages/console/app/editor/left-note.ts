/** What a screen says first of what was done on the one before: a survey was made, or copied. */

let left = { slug: '', note: '' };

/** @param slug of the survey that is shown next; empty of a new one */
export function leaveNote(slug: string, note: string): void {
  left = { slug, note };
}

/** Once. */
export function takeNote(slug: string): string {
  const { note } = left.slug === slug ? left : { note: '' };
  leaveNote('', '');
  return note;
}
