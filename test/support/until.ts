import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition holds; the only deadline is the test's own. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(1);
}
