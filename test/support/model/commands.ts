/** What clients and operators do, each as a command that changes the model and holds the service against it. */

import fc from 'fast-check';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { command } from './command.ts';
import { issuing, minting } from './issuing.ts';
import { erasing, exporting, exportingAll } from './privacy.ts';
import { carryingOut, closing, purging, usingPurgedKeys } from './purges.ts';
import { racing, redeeming } from './redeeming.ts';
import { acking, polling } from './scores.ts';

const waiting = fc.constantFrom(SECOND, 6 * MINUTE, 11 * MINUTE, 61 * MINUTE, 12 * 60 * MINUTE).map((time) =>
  command(`wait ${time / SECOND} s`, async (model, { clock }) => {
    clock.advance(time);
    model.now = clock.now();
  }),
);

const rotating = fc.constant(command('rotate', async (_model, { rotate }) => rotate()));

export const COMMANDS = [
  issuing,
  issuing,
  minting,
  minting,
  redeeming,
  redeeming,
  redeeming,
  racing,
  acking,
  acking,
  polling,
  polling,
  exporting,
  exportingAll,
  erasing,
  purging,
  closing,
  carryingOut,
  usingPurgedKeys,
  waiting,
  rotating,
];
