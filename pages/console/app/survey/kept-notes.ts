/** Notes on contacts as they are typed: kept in the tab until somebody is handled, and put back where a list is drawn. */

import { keep, recall } from '../session/tab.ts';

const nameOf = (form: Element): string => `typed/note/${form instanceof HTMLElement ? form.dataset.id : ''}`;

/** @param list of contacts, drawn by others */
export function keepNotes(list: Element): () => void {
  const type = ({ target }: Event): void => {
    const form = target instanceof HTMLInputElement && target.closest('form.handle');
    if (form) keep(nameOf(form), target.value === '' ? null : target.value);
  };
  const drawn = new MutationObserver(() => {
    for (const form of list.querySelectorAll('form.handle')) {
      const field = form.querySelector('input');
      // Of somebody who is handled there is nothing to type any more.
      if (field === null) keep(nameOf(form), null);
      else if (field.value === '') field.value = recall(nameOf(form)) ?? '';
    }
  });
  list.addEventListener('input', type);
  drawn.observe(list, { childList: true, subtree: true });
  return () => {
    list.removeEventListener('input', type);
    drawn.disconnect();
  };
}
