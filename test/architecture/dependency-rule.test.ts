/** Each entry is a deliberate decision. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource, readSources, type SourceFile } from './source-file.ts';

const FOLDERS = ['shared', 'functions', 'pages', 'lib', 'bin', 'local', 'sdk', 'bench'];

/** Clients and link pages compute the same number. */
const STICKY_HASH = 'shared/domain/surveys/sticky-hash.ts';

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shared/domain/': ['shared/domain/'],
  'shared/settings/': ['shared/settings/'],
  'shared/contract/': ['shared/contract/', 'shared/domain/'],
  'shared/purge/': ['shared/purge/', 'shared/contract/', 'shared/domain/'],
  'shared/crypto/': ['shared/crypto/', 'shared/domain/'],
  'shared/data/': ['shared/data/', 'shared/domain/', 'shared/crypto/'],
  // The server package bundles this area, so it may use only contract types that the package publishes.
  'shared/delivery/': [
    'shared/delivery/',
    'shared/contract/clients/send.ts',
    'shared/contract/clients/wire-types.ts',
  ],
  'shared/words/': ['shared/words/'],
  // The preview bundles the widget into a script of its own, which no function imports (decision 143).
  'pages/console/frame/': ['pages/console/frame/', 'sdk/browser/'],
  'pages/console/build-console.ts': ['pages/', 'bin/build/minified-css.ts'],
  'pages/': ['pages/', 'shared/contract/', 'shared/domain/', 'shared/words/'],
  'functions/': ['functions/', 'pages/', 'shared/'],
  'lib/': [
    'lib/',
    'shared/settings/',
    'shared/contract/route.ts',
    'shared/contract/routes.ts',
    'shared/data/table/schema.ts',
    'shared/domain/happening.ts',
    'shared/purge/',
  ],
  'local/demo/page/': ['local/demo/page/', 'sdk/browser/', STICKY_HASH],
  'local/': ['local/', 'functions/', 'pages/', 'shared/', 'bin/build/build-sdk.ts'],
  'bin/': ['bin/', 'lib/', 'local/', 'functions/', 'pages/', 'shared/', 'sdk/'],
  'sdk/': ['sdk/', 'shared/'],
  'bench/': [
    'bench/',
    'local/',
    'functions/',
    'shared/',
    'bin/admin/program.ts',
    'bin/build/function-bundles.ts',
    'test/support/',
  ],
};

const MAY_IMPORT_AWS_SDK = [
  'shared/data/table/',
  'shared/data/aws/',
  'functions/runtime/compose.ts',
  'local/',
  'bench/',
  'bin/release-failed-stack.ts',
];

/** Packages may import only types from other areas. */
const MAY_PUBLISH = ['sdk/', 'shared/delivery/', 'shared/words/', STICKY_HASH];

const AWS_SDK = ['@aws-sdk/', '@smithy/', '@aws-crypto/'];

/** The domain imports no packages: it has no clock, disk, network or randomness. */
const PURE = 'shared/domain/';

const KEY_STRING =
  /['"`](?:P#|KEY#|SURVEY#|ANSWER#|TOTAL#|~?SUPPRESSION\b|PROJECTS?['"`]|by_project|by_score_state|by_contact)/;

const startsWithAny = (text: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => text.startsWith(prefix));

function areaOf(path: string): readonly string[] | undefined {
  return Object.entries(MAY_IMPORT).find(([area]) => path.startsWith(area))?.[1];
}

function breaches(file: SourceFile): string[] {
  const { path, imports, code } = file;
  const allowed = areaOf(path);
  if (allowed === undefined) return [`${path}: lies in no area that this rule knows`];
  const isBundled = startsWithAny(path, ['shared/', 'functions/', 'pages/']);
  const found = imports.flatMap(({ target, isOurs, isTypeOnly, text }) => [
    ...(isOurs && !startsWithAny(target, allowed) ? [`imports ${target}`] : []),
    ...(path.startsWith('sdk/') && isOurs && !isTypeOnly && !startsWithAny(target, MAY_PUBLISH)
      ? [`imports more than types of ${target}`]
      : []),
    ...(startsWithAny(target, AWS_SDK) && !startsWithAny(path, MAY_IMPORT_AWS_SDK)
      ? [`imports ${target}`]
      : []),
    ...(path.startsWith(PURE) && !isOurs ? [`is not pure: imports ${target}`] : []),
    ...(isBundled && target === 'zod' ? ["bundles all of zod: import * as z from 'zod/mini'"] : []),
    // The bench also measures the full build of zod.
    ...(!path.startsWith('bench/') && target.startsWith('zod') && /\{[^}]*\bz\b[^}]*\}/.test(text)
      ? ['imports { z }']
      : []),
  ]);
  // Reports of the bench name indexes.
  const maySpellKeys = startsWithAny(path, ['shared/data/table/schema.ts', 'bench/']);
  if (!maySpellKeys && KEY_STRING.test(code)) {
    found.push('spells a key of the table: that is for shared/data/table/schema.ts');
  }
  return found.map((what) => `${path}: ${what}`);
}

describe('the dependency rule', () => {
  it('holds in every source file', () => {
    const files = readSources(FOLDERS);
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(breaches)).toEqual([]);
  });

  it('names only folders and files that exist', () => {
    const named = [...Object.entries(MAY_IMPORT).flat(2), ...MAY_IMPORT_AWS_SDK, ...MAY_PUBLISH];
    expect(named.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
  });

  it.each([
    ['shared/domain/a.ts', "import { randomUUID } from 'node:crypto';"],
    ['shared/domain/a.ts', "import type { Route } from '../contract/route.ts';"],
    ['shared/contract/a.ts', "import { TABLE } from '../data/table/schema.ts';"],
    ['shared/crypto/a.ts', "import { TABLE } from '../data/table/schema.ts';"],
    ['shared/data/a.ts', "import { logger } from '../../functions/runtime/logger.ts';"],
    ['functions/a.ts', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['functions/runtime/logger.ts', "import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['functions/push/a.ts', "import { NodeHttpHandler } from '@smithy/node-http-handler';"],
    ['shared/data/answers/a.ts', "import { marshall } from '@aws-sdk/util-dynamodb';"],
    ['shared/data/projects/a.ts', "import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['shared/crypto/a.ts', "import { Sha256 } from '@smithy/core/checksum';"],
    ['bin/admin/a.ts', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['functions/a.ts', "import { createTable } from '../local/create-table.ts';"],
    ['functions/a.ts', "import * as z from 'zod';"],
    ['functions/a.ts', "import {\n  z\n} from 'zod/mini';"],
    ['functions/a.ts', "const key = 'ANSWER#1';"],
    ['lib/a.ts', "import { bootstrap } from '../functions/bootstrap.ts';"],
    ['lib/a.ts', "const bootstrap = await import('../functions/bootstrap.ts');"],
    ['lib/a.ts', "export { bootstrap } from '../functions/bootstrap.ts';"],
    ['lib/a.ts', "import { createAnswerStore } from '../shared/data/answers/answer-store.ts';"],
    ['sdk/server/a.ts', "import { bootstrapInput } from '../../shared/contract/sdk-schemas.ts';"],
    ['shared/delivery/a.ts', "import { scoreRoutes } from '../contract/routes/score-routes.ts';"],
    [
      'shared/delivery/a.ts',
      "import type { PushEntry } from '../../functions/push/adapter-configuration.ts';",
    ],
    ['functions/push/a.ts', "import type { CanvassClient } from '../../sdk/server/canvass-client.ts';"],
    ['functions/a.ts', "import { STRINGS } from '../sdk/browser/strings.ts';"],
    ['shared/domain/a.ts', "import { STRINGS } from '../words/strings.ts';"],
    ['pages/a.ts', "import { logger } from '../functions/runtime/logger.ts';"],
    ['local/a.ts', "import { CanvassStack } from '../lib/canvass-stack.ts';"],
    ['functions/a.ts', "import { median } from '../bench/figures.ts';"],
    ['tools/a.ts', ''],
  ])('reports %s %s', (path, text) => {
    expect(breaches(readSource(path, text))).toHaveLength(1);
  });

  it.each([
    ['sdk/server/a.ts', "import type { Route } from '../../shared/contract/route.ts';"],
    ['sdk/server/a.ts', "import { pushScores } from '../../shared/delivery/push-scores.ts';"],
    ['local/a.ts', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['shared/data/table/a.ts', "import { marshall } from '@aws-sdk/util-dynamodb';"],
    ['shared/data/aws/a.ts', "import { HttpRequest } from '@smithy/core/protocols';"],
    ['functions/runtime/compose.ts', "import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['functions/a.ts', "// import * as z from 'zod';\n/* `ANSWER#` */ import * as z from 'zod/mini';"],
  ])('allows %s %s', (path, text) => {
    expect(breaches(readSource(path, text))).toEqual([]);
  });
});
