import { currentDeadline } from '../../shared/data/table/deadline.ts';
import { SECOND } from '../../shared/domain/duration.ts';

const TIMEOUT_MS = 2 * SECOND;
/** Key sets with certificates can have tens of kilobytes. */
const MOST_BYTES = 256 * 1_024;

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function readJson(ask: typeof fetch, address: string): Promise<unknown> {
  const limits = [AbortSignal.timeout(TIMEOUT_MS), currentDeadline()];
  const reply = await ask(address, {
    signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  const document: unknown = JSON.parse(await readText(reply));
  return document;
}
