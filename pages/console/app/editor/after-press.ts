let isPressed = false;
let waiting: readonly (() => void)[] = [];

function begin(): void {
  isPressed = true;
}
function end(): void {
  // The event of the click comes first.
  setTimeout(() => {
    isPressed = false;
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  });
}
addEventListener('pointerdown', begin, true);
addEventListener('pointerup', end, true);
addEventListener('pointercancel', end, true);

/**
 * Runs it at once, or when a press that is under way has become a click: what is drawn anew in between could move the
 * button away from under the pointer, and nothing would have been pressed.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting = [...waiting, run];
  else run();
}
