/** Gives this version of the service and a recorded one the same interface, over one table. */

import { randomUUID } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import { ackScores } from '../../../functions/ack-scores.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { getResults } from '../../../functions/get-results.ts';
import { handleContact } from '../../../functions/handle-contact.ts';
import { listComments } from '../../../functions/list-comments.ts';
import { listContacts } from '../../../functions/list-contacts.ts';
import { listDefinitions } from '../../../functions/list-definitions.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { onChange } from '../../../functions/on-change.ts';
import { PURGE_STEP } from '../../../functions/purge.ts';
import { putDefinitions } from '../../../functions/put-definitions.ts';
import { reviseResponse } from '../../../functions/revise-response.ts';
import * as composing from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import * as answersParts from '../../../functions/runtime/parts/answers.ts';
import * as contactsParts from '../../../functions/runtime/parts/contacts.ts';
import * as privacyParts from '../../../functions/runtime/parts/privacy.ts';
import * as projectsParts from '../../../functions/runtime/parts/projects.ts';
import * as resultsParts from '../../../functions/runtime/parts/results.ts';
import * as scoresParts from '../../../functions/runtime/parts/scores.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitImpression } from '../../../functions/submit-impression.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { createRunLease } from '../../../shared/data/scores/run-lease.ts';
import { executionName } from '../../../shared/domain/purge.ts';
import { purgeDefinition } from '../../../shared/purge/state-machine.ts';
import { collectEvents } from '../events/collected-events.ts';
import type { TestClock } from '../service/test-clock.ts';
import { createTestSecrets } from '../service/test-secrets.ts';
import { type CallOptions, callEvent, type Reply, testConfig } from '../service/test-service.ts';
import type { TestTable } from '../service/test-table.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The exports that record.ts bundles, from this version. */
const today = {
  ...composing,
  ...answersParts,
  ...contactsParts,
  ...privacyParts,
  ...projectsParts,
  ...resultsParts,
  ...scoresParts,
  onChange,
  PURGE_STEP,
  purgeDefinition,
  createRunLease,
  endpoints: {
    ackScores,
    bootstrap,
    erase,
    exportResponses,
    getResults,
    handleContact,
    listComments,
    listContacts,
    listDefinitions,
    listPendingScores,
    listSurveys,
    mintTokens,
    putDefinitions,
    reviseResponse,
    submitDismissal,
    submitImpression,
    submitResponse,
  },
};

export type Version = typeof today;

/** A recorded service, which uses the packages that are installed here. */
async function recorded(commit: string): Promise<Version> {
  const folder = temporaryFolder();
  const bundle = join(folder, 'service.mjs');
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    bundle,
    brotliDecompressSync(readFileSync(join(import.meta.dirname, `service-${commit}.mjs.br`))),
  );
  return import(pathToFileURL(bundle).href);
}

export interface RunningVersion {
  readonly version: Version;
  readonly service: composing.Service;
  /** Warnings and errors that the service logged. */
  readonly errors: string[];
  call(endpoint: keyof Version['endpoints'], options: CallOptions): Promise<Reply>;
  deliver(records: DynamoDBRecord[]): Promise<void>;
}

/** @param commit a recorded version; by default this version */
export async function runVersion(
  table: TestTable,
  clock: TestClock,
  commit?: string,
): Promise<RunningVersion> {
  const version = commit === undefined ? today : await recorded(commit);
  const errors: string[] = [];
  const service = version.compose(
    testConfig(table, { sharedRateLimits: true, events: { includeText: false } }),
    {
      clock: clock.now,
      log: createLogger((line) => {
        if (/"level":"(WARN|ERROR)"/i.test(line)) errors.push(line);
      }),
      client: table.client,
      secrets: createTestSecrets(),
      eventOutlet: collectEvents(commit === undefined).outlet,
      purgeStarter: { start: async (scope, attempt) => executionName(scope, attempt) },
    },
  );
  return {
    version,
    service,
    errors,
    async call(name, options) {
      const endpoint = version.endpoints[name];
      const context = { awsRequestId: randomUUID(), functionName: endpoint.route.name } as Context;
      const {
        statusCode = 200,
        headers = {},
        body = '',
        isBase64Encoded,
      } = await endpoint.create(service)(callEvent(endpoint, options), context);
      const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const told = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
      return { status: statusCode, headers: told, text, body: text === '' ? undefined : JSON.parse(text) };
    },
    deliver: (Records) => version.onChange(service)({ Records }),
  };
}
