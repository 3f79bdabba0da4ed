/**
 * `npm run audit`: known vulnerabilities of what is delivered, high and critical. A registry that keeps no list of them
 * is named, and is no failure.
 */

import { spawnSync } from 'node:child_process';
import * as z from 'zod/mini';

const report = z.object({
  error: z.optional(z.unknown()),
  message: z.optional(z.string()),
  metadata: z.optional(
    z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number(), total: z.number() }) }),
  ),
});

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });

function read(text: string): z.output<typeof report> {
  try {
    return report.parse(JSON.parse(text));
  } catch {
    return { message: stderr.trim().split('\n').at(-1) ?? 'npm audit said nothing' };
  }
}

const { metadata, message } = read(stdout);
if (metadata === undefined) {
  process.stdout.write(`Not audited: the registry has no list of vulnerabilities (${message}).\n`);
} else {
  const { high, critical, total } = metadata.vulnerabilities;
  process.stdout.write(`Vulnerabilities: ${total}, of which high ${high}, critical ${critical}.\n`);
  if (high + critical > 0) {
    process.stdout.write(stdout);
    process.exitCode = 1;
  }
}
