/** Where the focus goes when what has it changes or leaves. */
export interface Focus {
  /** Back to where in the page it came from, if it is inside. */
  readonly giveBack: () => void;
  /**
   * Makes the next step of this one. Somebody who steers by keyboard goes on in what `change` returns; for anybody else
   * `otherwise` runs before.
   */
  readonly turn: (change: () => HTMLElement | null, otherwise?: () => void) => void;
}

export function createFocus(panel: HTMLElement): Focus {
  let cameFrom: HTMLElement | undefined;
  panel.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !panel.contains(relatedTarget)) cameFrom = relatedTarget;
  });
  return {
    giveBack() {
      if (panel.matches(':focus-within')) cameFrom?.focus({ preventScroll: true });
    },
    turn(change, otherwise) {
      const isSteering = panel.querySelector(':focus-visible');
      if (!isSteering) otherwise?.();
      // The steps are as high as the one before, so that nothing jumps.
      panel.style.minHeight = `min(${panel.offsetHeight}px,90vh)`;
      const next = change();
      panel.scrollTop = 0;
      if (isSteering) next?.focus();
    },
  };
}
