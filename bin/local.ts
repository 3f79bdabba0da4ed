/** `npm start`: the service on this machine, over an embedded DynamoDB (contract, decisions §9). */

import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { type Instance, startInstance } from '../local/instance.ts';
import { LocalError } from '../local/local-error.ts';
import { welcome } from '../local/welcome.ts';
import { bootstrapReply } from '../shared/contract/schemas.ts';

const MOST_PORT = 65_535;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MOST_PORT)
    throw new InvalidArgumentError(`It must be 0 to ${MOST_PORT}.`);
  return port;
}

interface Flags {
  readonly port: number;
  readonly data: string;
  readonly memory: boolean;
  readonly json: boolean;
  readonly pushScores?: string;
}

const flags = new Command('npm start --')
  .description('Serves Canvass on this machine, over an embedded DynamoDB.')
  .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 8787)
  .option('--data <folder>', 'where the data is kept', '.canvass')
  .option('--memory', 'keep nothing', false)
  .option('--json', 'print one line of JSON once it serves', false)
  .option('--push-scores <file>', 'push scores every minute, as the file says (docs/scores.md)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Flags>();

async function greet(instance: Instance): Promise<void> {
  const { url, demo } = instance;
  const { projectId, publishableKey, secretKey, surveys } = demo;
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ url, projectId, publishableKey, secretKey, surveys })}\n`);
    return;
  }
  const userId = `curl-${randomUUID().slice(0, 8)}`;
  const bootstrap = await fetch(`${url}/v1/sdk/bootstrap`, {
    method: 'POST',
    body: JSON.stringify({ key: publishableKey, userId }),
  });
  // Refused where the operator has suspended the demo project or bound it to origins: it serves all the same.
  const asked = bootstrapReply().safeParse(await bootstrap.json());
  process.stdout.write(welcome({ instance, userId, showTokens: asked.data?.showTokens ?? {} }));
}

async function main(): Promise<void> {
  const instance = await startInstance({
    port: flags.port,
    dataFolder: flags.data,
    inMemory: flags.memory,
    dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
    keyAbbreviation: process.env.KEY_ABBREVIATION,
    pushScoresFile: flags.pushScores,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  let stopping = false;
  const stopWith = async (status: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await instance.stop();
    process.exitCode = status;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopWith(0));
  instance.died.then(async (error) => {
    process.stderr.write(`${error.message}\n`);
    await stopWith(1);
  });
  await greet(instance);
}

main().catch((error: unknown) => {
  if (!(error instanceof LocalError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
