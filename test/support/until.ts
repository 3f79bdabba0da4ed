import { setTimeout as pause } from 'node:timers/promises';

/** Has no timeout other than the test's. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(1);
}
