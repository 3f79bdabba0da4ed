import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Instance, startInstance } from '../../../local/instance.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const running: Instance[] = [];

async function start(folder: string, demoAnswers: boolean): Promise<Instance> {
  const instance = await startInstance({
    port: 0,
    dataFolder: folder,
    inMemory: false,
    demoAnswers,
    log: () => undefined,
  });
  running.push(instance);
  return instance;
}

async function stop(): Promise<void> {
  for (const instance of running.splice(0)) await instance.stop();
}
afterEach(stop);

async function countResponses({ url, demo }: Instance): Promise<Record<string, number>> {
  const reply = await fetch(`${url}/v1/surveys`, { headers: { authorization: `Bearer ${demo.editorKey}` } });
  const { surveys } = (await reply.json()) as { surveys: { slug: string; responses: number }[] };
  return Object.fromEntries(surveys.map(({ slug, responses }) => [slug, responses]));
}

async function countStored({ url, demo }: Instance): Promise<number> {
  const headers = { authorization: `Bearer ${demo.secretKey}` };
  let count = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams(cursor === '' ? {} : { cursor });
    const reply = await fetch(`${url}/v1/privacy/export?${query}`, { headers });
    const page = (await reply.json()) as { responses: unknown[]; nextCursor?: string };
    count += page.responses.length;
    cursor = page.nextCursor;
  }
  return count;
}

const isStored = (folder: string): boolean =>
  readFileSync(join(folder, 'demo.json'), 'utf8').includes('stored');
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

describe('demo answers', () => {
  it('are stored once, even if the first instance was interrupted', async () => {
    const folder = temporaryFolder();
    await start(folder, true);
    // Stops while answers are being stored.
    await stop();
    expect(isStored(folder)).toBe(false);
    const second = await start(folder, true);
    await until(() => isStored(folder));
    const stored = await countStored(second);
    expect(stored).toBeGreaterThan(250);
    // The stream counts them a little later.
    await until(async () => sum(await countResponses(second)) === stored);
    for (const [slug, count] of Object.entries(await countResponses(second)))
      expect(count, slug).toBeGreaterThan(80);
    // The page lists what its visitor does, and these answers are old.
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect(await (await fetch(`${second.url}/demo/events`, { headers })).json()).toEqual([]);
    await stop();
    const third = await start(folder, true);
    expect(await countStored(third)).toBe(stored);
    expect(sum(await countResponses(third))).toBe(stored);
  });

  it('are not added to a project that was created without them', async () => {
    const folder = temporaryFolder();
    expect(sum(await countResponses(await start(folder, false)))).toBe(0);
    await stop();
    expect(sum(await countResponses(await start(folder, true)))).toBe(0);
    expect(isStored(folder)).toBe(false);
  });
});
