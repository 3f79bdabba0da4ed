/** Imports, reads and erases one survey at two sizes. Each operation runs in a process of its own. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runAdmin } from '../bin/admin/program.ts';
import { bootstrap } from '../functions/bootstrap.ts';
import { erase } from '../functions/erase.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { getResults } from '../functions/get-results.ts';
import { listComments } from '../functions/list-comments.ts';
import { listContacts } from '../functions/list-contacts.ts';
import { onChange } from '../functions/on-change.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { temporaryDataFolder } from '../local/data-folder.ts';
import { createLocalStateMachine } from '../local/state-machine.ts';
import { startStreamTail } from '../local/stream/tail.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import { dayAt } from '../shared/domain/days.ts';
import { DAY, SECOND } from '../shared/domain/duration.ts';
import type { Row } from './figures.ts';
import {
  browserEvent,
  composeOver,
  meter,
  onStage,
  SECRETS,
  SETTINGS,
  serve,
  TEXT,
  type Tenant,
} from './stage.ts';

/** One person in nine answers twice, one line in three has a comment, and the answers are spread over a year. */
function* lines(count: number, now: number): Generator<string> {
  yield 'id,email,rating,text,at\n';
  for (let index = 0; index < count; index += 1) {
    const email = `person-${index % Math.ceil(count * 0.9)}@example.org`;
    const at = new Date(now - Math.floor((index / count) * 365 * DAY)).toISOString();
    yield `${index},${email},${index % 11},${index % 3 === 0 ? `"${TEXT}"` : ''},${at}\n`;
  }
}

interface Place {
  readonly endpoint: string;
  readonly file: string;
  readonly answers: number;
  readonly tenant: Tenant;
}

/** An import has no contact requests, so one answer in a hundred is submitted as well and asks for contact. */
const ASKING = 100;

function openPlace({ endpoint, file, answers, tenant }: Place) {
  const client = createDynamodbClient({ endpoint });
  const patient = createDynamodbClient({ endpoint, requestTimeoutMs: 20 * SECOND });
  const takes = [client, patient].map(meter);
  const waits = { WaitForCaches: 0, WaitForIndexes: 0 };
  const machine = createLocalStateMachine({ service: composeOver(patient), waits });
  const service = composeOver(client, undefined, machine);

  async function call(endpoint: Endpoint, query: string, body = {}) {
    const event = browserEvent(endpoint.route, body, tenant, query);
    event.headers['accept-encoding'] = 'identity';
    return JSON.parse((await serve(endpoint, service)(event)).body ?? '');
  }
  async function eachPage(endpoint: Endpoint, query: string): Promise<void> {
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { nextCursor } = await call(endpoint, `${query}${cursor && `&cursor=${cursor}`}`);
      cursor = nextCursor;
    }
  }
  const { id: surveyId = '', content } = tenant.surveys[0] ?? {};
  const [slug = '', from] = [content?.slug, dayAt(Date.now() - 366 * DAY)];
  const survey = { surveyId, slug, ofYear: `surveyId=${surveyId}&from=${from}` };
  return { ...tenant, ...survey, endpoint, file, answers, patient, takes, machine, service, call, eachPage };
}

type Opened = ReturnType<typeof openPlace>;

async function importFile({ projectId, slug, file, patient }: Opened): Promise<void> {
  const origin = { kind: 'local', folder: '', cacheLifetimeMs: 0, hashSecret: SECRETS.hash } as const;
  const open = async () => ({ ...SETTINGS, client: patient, origin, close: async () => undefined });
  const args = ['import', '--project', projectId, '--survey', slug, '-f', file, '--json'];
  const { stdin, stderr } = process;
  const status = await runAdmin(args, { stdin, stdout: new PassThrough().resume(), stderr }, { open });
  if (status !== 0) throw new Error('The import failed.');
}

const OPERATIONS: Readonly<Record<string, (opened: Opened) => Promise<void>>> = {
  import: importFile,
  'import again': importFile,
  async submit({ publishableKey: key, surveyId, answers, call }) {
    for (let index = 0; index < answers / ASKING; index += 1) {
      const userId = `asking-${index}`;
      const { showTokens } = await call(bootstrap, '', { key, userId });
      const said = { rating: 3, followUpRequested: true, contact: `${userId}@example.org` };
      await call(submitResponse, '', { key, userId, surveyId, showToken: showTokens[surveyId], ...said });
    }
  },
  async count({ endpoint, service }) {
    const rested = Promise.withResolvers<void>();
    const onHandled = (_last: string, isResting: boolean) => isResting && rested.resolve();
    const consumer = { functionName: 'on-change', handler: onChange(service), onHandled };
    const tail = startStreamTail({ endpoint, tableName: SETTINGS.tableName, ...consumer });
    await rested.promise;
    await tail.stop();
  },
  results: ({ call, ofYear }) => call(getResults, ofYear),
  comments: ({ eachPage, ofYear }) => eachPage(listComments, `${ofYear}&limit=100`),
  export: ({ eachPage, slug }) => eachPage(exportResponses, `surveySlug=${slug}&limit=1000`),
  contacts: ({ eachPage, surveyId }) => eachPage(listContacts, `surveyId=${surveyId}&limit=100`),
  async erase({ call, slug, machine }) {
    await call(erase, `surveySlug=${slug}`);
    await machine.idle();
  },
};

async function measure(operation: string, place: Place) {
  const opened = openPlace(place);
  const startedAt = performance.now();
  await OPERATIONS[operation]?.(opened);
  const s = (performance.now() - startedAt) / SECOND;
  const uses = opened.takes.map((take) => take());
  const sum = (field: 'total' | 'readUnits' | 'writeUnits') =>
    uses.reduce((total, use) => total + use[field], 0);
  const units = { 'read units': sum('readUnits'), 'write units': sum('writeUnits') };
  // Resident memory of the process, which has at least 140 MB before its operation starts.
  return { calls: sum('total'), ...units, 'peak MB': process.resourceUsage().maxRSS / 1_024, s };
}

type Measured = Awaited<ReturnType<typeof measure>>;

const measureAll = (answers: number, operations: readonly string[]) =>
  onStage(async ({ endpoint, tenant }) => {
    const folder = temporaryDataFolder();
    try {
      const place = { endpoint, file: join(folder.path, 'answers.csv'), answers, tenant: await tenant() };
      await pipeline(lines(answers, Date.now()), createWriteStream(place.file));
      const measured: Measured[] = [];
      for (const operation of operations) {
        const child = fork(import.meta.filename, [operation]);
        child.send(place);
        const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${operation} failed.`)));
        const [one] = await Promise.race([once(child, 'message'), ended]);
        measured.push(one);
      }
      return measured;
    } finally {
      folder.remove();
    }
  });

/** @returns a row for each operation and size; `ratio` is the largest increase of calls, units and memory */
export async function large(sizes: readonly number[], operations = Object.keys(OPERATIONS)) {
  const rows: Row[][] = operations.map(() => []);
  for (const answers of sizes) {
    for (const [index, { s, ...use }] of (await measureAll(answers, operations)).entries()) {
      const before = rows[index]?.at(-1);
      const ratios = Object.entries(use).map(([name, value]) => value / Number(before?.[name]));
      const ratio = before === undefined ? '' : Math.max(...ratios.filter(Number.isFinite));
      rows[index]?.push({ operation: operations[index] ?? '', answers, ...use, ratio, s });
    }
  }
  return rows.flat();
}

if (process.argv[1] === import.meta.filename) {
  process.once('message', async (place: Place) => {
    process.send?.(await measure(process.argv[2] ?? '', place), () => process.exit());
  });
}
