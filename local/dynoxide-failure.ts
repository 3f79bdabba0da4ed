import { LocalError } from './local-error.ts';

const ADVICE = 'Run "npm ci", or set DYNAMODB_ENDPOINT to a DynamoDB that is already running.';
/** What a POSIX shell answers when a command is not executable, or not there. */
const NOT_STARTED = new Set([126, 127]);

/** Names the reason from how dynoxide ended (null when it was killed) and what it wrote to stderr. */
export function dynoxideFailure(status: number | null, output: string, cause?: unknown): LocalError {
  if ((status !== null && NOT_STARTED.has(status)) || output.includes('npm error')) {
    return new LocalError('binary_missing', `There is no embedded DynamoDB to start. ${ADVICE}`, { cause });
  }
  const reason =
    output
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^error: /, '') ?? '';
  if (/database|sqlite/i.test(reason)) {
    return new LocalError('database_unusable', `The database file cannot be used: ${reason}`, { cause });
  }
  return new LocalError('emulator_failed', `The embedded DynamoDB ended: ${reason || `status ${status}`}`, {
    cause,
  });
}
