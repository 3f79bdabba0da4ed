/** A menu that closes once something of it was chosen, by Escape, and where somebody goes on elsewhere. */
export function closeAfterUse(menu: HTMLDetailsElement): void {
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
}
