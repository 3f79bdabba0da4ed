import { createRequire } from 'node:module';

const VERSION = '1.2.1';

export interface DynoxideCommand {
  /** Program and leading arguments. */
  readonly command: readonly string[];
  /** For the person at the terminal: where the program comes from. */
  readonly description: string;
  /** How long it may take until it answers, in milliseconds; npx may have to download first. */
  readonly startTimeoutMs: number;
}

/** The installed binary where there is one for this platform, else npx, which downloads it. */
export function findDynoxide(): DynoxideCommand {
  try {
    const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
    return { command: [binary], description: `dynoxide ${VERSION} (installed)`, startTimeoutMs: 10_000 };
  } catch {
    return {
      command: ['npx', '--yes', `dynoxide@${VERSION}`],
      description: `dynoxide ${VERSION} (through npx)`,
      startTimeoutMs: 120_000,
    };
  }
}
