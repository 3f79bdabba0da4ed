import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { consoleLink } from '../pages/person-links.ts';
import { bootstrapReply } from '../shared/contract/sdk-schemas.ts';
import { TYPES } from '../shared/domain/surveys/survey.ts';
import { ADMIN, IS_PACKAGE, START } from './called-as.ts';
import { sqliteDatabase } from './data-folder.ts';
import { type Instance, startInstance } from './instance.ts';
import { LocalError } from './local-error.ts';

const MOST_PORT = 65_535;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MOST_PORT)
    throw new InvalidArgumentError(`It must be 0 to ${MOST_PORT}.`);
  return port;
}

function parseFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a folder.');
  return text;
}

function parseEventTarget(text: string): string {
  const url = URL.parse(text);
  if (text !== '-' && url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('It must be an http address, or - for stdout.');
  return text;
}

interface Flags {
  readonly port: number;
  readonly data: string;
  readonly memory: boolean;
  readonly empty: boolean;
  readonly json: boolean;
  readonly pushScores?: string;
  readonly events?: string;
  readonly eventsText: boolean;
}

const readFlags = (args: readonly string[]): Flags =>
  new Command(IS_PACKAGE ? START : `${START} --`)
    .description('Serves Canvass on this machine, over an embedded DynamoDB.')
    .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 8787)
    .option('--data <folder>', 'where the data is kept', parseFolder, '.canvass')
    .option('--memory', 'keep nothing', false)
    .option('--empty', 'a demo project without answers', false)
    .option('--json', 'print one line of JSON once it serves', false)
    .option('--push-scores <file>', 'push scores as they come in, as the file says (docs/scores.md)')
    .option('--events <url>', 'post events to an address, or print them with -', parseEventTarget)
    .option('--events-text', 'let events carry text, traits and contact', false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(args, { from: 'user' })
    .opts<Flags>();

function createLog() {
  let held: string[] | undefined = [];
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  return {
    add: (line: string): void => void (held === undefined ? print(line) : held.push(line)),
    release(): void {
      const lines = held ?? [];
      held = undefined;
      for (const line of lines) print(line);
    },
  };
}

/** @throws if stdout is closed or the disk is full */
const printed = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function greeting({ url, demo, database }: Instance, flags: Flags): Promise<string> {
  const { projectId, publishableKey: key, secretKey, editorKey, surveys } = demo;
  if (flags.json) return JSON.stringify({ url, projectId, publishableKey: key, secretKey, surveys });

  const userId = `curl-${randomUUID().slice(0, 8)}`;
  const bootstrap = await fetch(`${url}/v1/sdk/bootstrap`, {
    method: 'POST',
    body: JSON.stringify({ key, userId }),
  });
  // Fails if an operator suspended the demo or restricted its origins. The instance continues to serve.
  const showTokens = bootstrapReply().safeParse(await bootstrap.json()).data?.showTokens ?? {};
  const survey = surveys.find(({ id }) => showTokens[id] !== undefined);
  const heading = (text: string): string => styleText('bold', text, { stream: process.stdout });
  const request = (path: string, body: object, header = ''): string =>
    `curl -s ${url}${path}${header} -d '${JSON.stringify(body)}'`;
  return [
    `${heading('Canvass')} at ${url}`,
    '',
    `  publishable key  ${key}`,
    `  secret key       ${secretKey}`,
    `  surveys          ${surveys.map(({ slug, type }) => `${slug} (${type})`).join(', ')}`,
    `  database         ${database}`,
    '',
    heading('Surveys, and what was answered'),
    consoleLink(url, projectId, editorKey),
    '',
    heading('Which surveys may this person see?'),
    request('/v1/sdk/bootstrap', { key, userId: 'ann' }),
    '',
    heading('Answer one (its show-token works once)'),
    survey === undefined
      ? `The settings of the demo project allow no survey to be shown now: see ${ADMIN} --help.`
      : request('/v1/sdk/responses', {
          key,
          showToken: showTokens[survey.id],
          surveyId: survey.id,
          rating: TYPES[survey.type].scale.max,
          text: 'Fast and calm.',
        }),
    '',
    heading('From a server: mint tokens bound to a session'),
    request(
      '/v1/sdk/tokens',
      { respondentId: `${userId}-2`, sessionId: 'session-1' },
      ` -H 'authorization: Bearer ${secretKey}'`,
    ),
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}

async function main(flags: Flags): Promise<void> {
  // A closed terminal must not stop the instance.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const log = createLog();
  const greeted = Promise.withResolvers<void>();
  try {
    const instance = await startInstance({
      port: flags.port,
      dataFolder: flags.data,
      inMemory: flags.memory,
      // Disabled if events are delivered, because demo answers would be sent, too.
      demoAnswers: !flags.empty && flags.events === undefined,
      dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT,
      keyAbbreviation: process.env.KEY_ABBREVIATION,
      pushScoresFile: flags.pushScores,
      ...(flags.events !== undefined && {
        events: {
          url: flags.events === '-' ? undefined : flags.events,
          // With `--json`, the greeting must be the first line.
          print: async (line) => {
            await greeted.promise;
            await printed(`${line}\n`);
          },
        },
      }),
      eventText: flags.eventsText,
      log: log.add,
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
    process.stdout.write(`${await greeting(instance, flags)}\n`);
    greeted.resolve();
  } finally {
    log.release();
  }
}

/** Exit status: 0 ended, 1 cannot serve, 2 invalid flag. */
export async function serveFromTerminal(args: readonly string[]): Promise<void> {
  try {
    const flags = readFlags(args);
    sqliteDatabase();
    await main(flags);
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
