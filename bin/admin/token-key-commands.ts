import type { Command } from 'commander';
import {
  describeRing,
  rotateTokenRing,
  TOKEN_KEY_ID_RANDOM_BYTES,
  TOKEN_KEY_SECRET_BYTES,
  type TokenRing,
} from '../../shared/crypto/token-ring.ts';
import type { Perform, Report } from './command.ts';
import { createTokenRingStore, type Session } from './session.ts';
import { columns, timeText } from './terminal.ts';

const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();

function report(ring: TokenRing, { now, terminal }: Session): Report {
  const json = describeRing(ring, now()).map(({ key, state, uselessFrom }) => ({
    keyId: key.id,
    state,
    activeFrom: timestamp(key.activeFrom),
    uselessFrom: uselessFrom === undefined ? null : timestamp(uselessFrom),
  }));
  const rows = json.map(({ keyId, state, activeFrom, uselessFrom }) => [
    keyId,
    state,
    timeText(activeFrom),
    timeText(uselessFrom),
  ]);
  return { json, text: columns(['ID', 'STATE', 'ACTIVE FROM', 'USELESS FROM'], rows, terminal) };
}

async function list(session: Session): Promise<Report> {
  return report(await createTokenRingStore(session.deployment.origin).read(), session);
}

async function rotate(session: Session): Promise<Report> {
  const store = createTokenRingStore(session.deployment.origin);
  const id = Buffer.from(session.random(TOKEN_KEY_ID_RANDOM_BYTES)).toString('hex');
  const secret = session.random(TOKEN_KEY_SECRET_BYTES);
  const ring = rotateTokenRing(await store.read(), { id, secret }, session.now());
  await store.write(ring);
  session.terminal.note(`Key ${id} becomes active on ${timeText(timestamp(ring.at(-1)?.activeFrom ?? 0))}.`);
  return report(ring, session);
}

export function addTokenKeyCommands(program: Command, perform: Perform): void {
  const tokenKey = program.command('token-key').description('keys that seal show-tokens');
  tokenKey
    .command('rotate')
    .description('add a key that becomes active in ten minutes, and remove keys that no live token needs')
    .action(perform(rotate));
  tokenKey.command('list').description('list keys without their key material').action(perform(list));
}
