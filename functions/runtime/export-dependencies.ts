/** What an export needs beyond what every handler is given. */

import { type CursorScope, openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import { createVault } from '../../shared/crypto/secret-cache.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import {
  type AnswerWalks,
  createAnswerWalks,
  type WalkPosition,
} from '../../shared/data/answers/answer-walk.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { createDependencies, type Dependencies, type Seams } from './dependencies.ts';
import { createPersonFinder, type FindPerson } from './person.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

/** Cursors of a walk, under the deployment's hash secret. */
export interface WalkCursors {
  seal(scope: CursorScope, position: WalkPosition): Promise<string>;
  /** Undefined when the cursor was not issued for exactly this scope. */
  open(scope: CursorScope, cursor: string): Promise<WalkPosition | undefined>;
}

export interface ExportDependencies extends Dependencies {
  readonly walks: AnswerWalks;
  readonly cursors: WalkCursors;
  readonly findPerson: FindPerson;
}

export function createExportDependencies(
  environment: RuntimeSettings,
  secrets: SecretSource,
  seams: Seams = {},
): ExportDependencies {
  const client = seams.client ?? createDocumentClient({ endpoint: environment.dynamodbEndpoint });
  const base = createDependencies(environment, secrets, { ...seams, client });
  const vault = createVault(secrets, base.clock);
  const { aroundIndex = (read) => read } = seams;
  const readIndex = aroundIndex(createIndexReader(client, environment.tableName));
  return {
    ...base,
    findPerson: createPersonFinder(vault),
    walks: createAnswerWalks(client, environment, readIndex),
    cursors: {
      seal: async (scope, { source, after }) =>
        sealCursor(await vault.hashSecret(), scope, `${source} ${after}`),
      async open(scope, cursor) {
        const text = openCursor(await vault.hashSecret(), scope, cursor);
        if (text === undefined) return undefined;
        const space = text.indexOf(' ');
        return { source: Number(text.slice(0, space)), after: text.slice(space + 1) };
      },
    },
  };
}
