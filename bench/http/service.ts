/** The local service in a process of its own, its data in memory, rates and limits off. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { createFolderSecrets } from '../../local/local-secrets.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../local/running-instance.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import { createDocumentClient } from '../../shared/data/dynamodb-client.ts';
import { createProjectStore } from '../../shared/data/project-store.ts';
import { scratchFolder } from '../stage.ts';

const announcement = z.object({
  url: z.string(),
  projectId: z.string(),
  publishableKey: z.string(),
  surveys: z.array(z.object({ id: z.string() })),
});

export interface RunningService extends z.infer<typeof announcement> {
  readonly secrets: SecretSource;
  readonly dynamodbEndpoint: string;
  /** Processor time of the service's own process so far, milliseconds; the emulator is another. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
}

/** Clock ticks of /proc/<pid>/stat (Linux, getconf CLK_TCK). */
const TICK_MS = 10;

export async function startService(): Promise<RunningService> {
  const folder = scratchFolder();
  const child = spawn(process.execPath, ['bin/local.ts', '--json', '--port', '0', '--data', folder], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const announced = announcement.parse(JSON.parse(line));
  const dynamodbEndpoint = readRunningInstance(folder)?.dynamodbEndpoint ?? '';
  const client = createDocumentClient({ endpoint: dynamodbEndpoint });
  await createProjectStore(client, LOCAL_TABLE_NAME).updateProject(announced.projectId, {
    limits: { quietPeriodMs: 0, monthlyCap: 0 },
    rates: { publishable: 0, secret: 0, address: 0 },
  });
  client.destroy();
  return {
    ...announced,
    secrets: createFolderSecrets(folder),
    dynamodbEndpoint,
    cpuMs() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
