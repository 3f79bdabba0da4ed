/** A reference model of the service, and the real service. */

import { randomBytes } from 'node:crypto';
import type { SecretSource } from '../../../shared/crypto/secret-cache.ts';
import { rotateTokenRing, type TokenRing } from '../../../shared/crypto/token-ring.ts';
import type { PurgeStarter } from '../../../shared/data/aws/purge-starter.ts';
import { createIndexReader, type ReadIndex } from '../../../shared/data/table/index-reader.ts';
import { DAY, HOUR } from '../../../shared/domain/duration.ts';
import type { Project } from '../../../shared/domain/project.ts';
import { executionName, type PurgeAttempt, type PurgeScope } from '../../../shared/domain/purge.ts';
import { aSurvey } from '../fixtures/builders.ts';
import { createRandom } from '../random.ts';
import { createTestMachine } from '../service/purge-service.ts';
import { createTestClock, START, type TestClock } from '../service/test-clock.ts';
import { createTestSecrets, TEST_TOKEN_KEY } from '../service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../service/test-service.ts';
import { createTestTable, type TestTable } from '../service/test-table.ts';
import { createLaggingIndex, type LaggingIndex } from '../stand-ins/lagging-index.ts';

export const PEOPLE = ['ann', 'ben'] as const;
export const CAP = 2;

/** The first has a monthly cap and short tokens. The second has surveys to purge. */
const PROJECTS: readonly Partial<Project>[] = [
  { limits: { quietPeriodMs: 0, monthlyCap: CAP }, tokenLifetimeMs: HOUR },
  { limits: { quietPeriodMs: 0, monthlyCap: 0 }, tokenLifetimeMs: DAY },
];
export const SURVEYS_EACH = 3;

export interface ModelAnswer {
  readonly id: string;
  readonly at: string;
  readonly kind: 'response' | 'dismissal';
  readonly surveyId: string;
  readonly person: string;
  readonly token: ModelToken;
  revision: number;
  /** Milliseconds. */
  revisedAt?: number;
  score?: 'pending' | 'failed' | 'delivered';
}

export interface ModelToken {
  readonly text: string;
  readonly project: number;
  readonly person: string;
  readonly surveyId: string;
  readonly expiresAt: number;
  readonly sessionId?: string;
  usedBy?: { readonly id: string; readonly at: string; readonly kind: 'response' | 'dismissal' };
}

export interface ModelProject {
  surveys: string[];
  /** The lifetime of its tokens in milliseconds. */
  lifetime: number;
  answers: ModelAnswer[];
  readonly suppressed: Map<string, Set<string>>;
  /** Includes the times of erased answers. */
  readonly times: Map<string, number[]>;
}

interface PurgedProject {
  readonly tenant: Tenant;
  readonly tokens: readonly ModelToken[];
  isEmpty: boolean;
}

export interface Model {
  now: number;
  readonly projects: ModelProject[];
  tokens: ModelToken[];
  readonly purged: PurgedProject[];
}

export interface Real {
  readonly clock: TestClock;
  readonly instances: readonly TestService[];
  readonly tenants: Tenant[];
  readonly newTenant: (index: number) => Promise<Tenant>;
  readonly rotate: () => void;
  readonly index: LaggingIndex;
  readonly purges: {
    readonly carryOut: () => Promise<void>;
    readonly failures: readonly unknown[];
  };
}

function createChangingRing(now: () => number): SecretSource & { readonly rotate: () => void } {
  let ring: TokenRing = [TEST_TOKEN_KEY];
  return {
    readHashSecret: createTestSecrets().readHashSecret,
    readTokenRing: async () => ring,
    rotate() {
      ring = rotateTokenRing(ring, { id: randomBytes(4).toString('hex'), secret: randomBytes(32) }, now());
    },
  };
}

export const createModelProject = ({ project, surveys }: Tenant): ModelProject => ({
  surveys: surveys.map(({ id }) => id),
  lifetime: project.tokenLifetimeMs,
  answers: [],
  suppressed: new Map(PEOPLE.map((person) => [person, new Set<string>()])),
  times: new Map(PEOPLE.map((person) => [person, []])),
});

function createPurges(table: TestTable, clock: TestClock, aroundIndex: (read: ReadIndex) => ReadIndex) {
  const failures: unknown[] = [];
  const started: { readonly scope: PurgeScope; readonly attempt: PurgeAttempt }[] = [];
  const machine = createTestMachine(table, {
    clock,
    aroundIndex,
    onFailure: (error) => failures.push(error),
  });
  const starter: PurgeStarter = {
    async start(scope, attempt) {
      started.push({ scope, attempt });
      return executionName(scope, attempt);
    },
  };
  async function carryOut(): Promise<void> {
    await Promise.all(started.splice(0).map(({ scope, attempt }) => machine.start(scope, attempt)));
    await machine.idle();
  }
  return { starter, purges: { carryOut, failures } };
}

export async function createWorld(seed: number): Promise<{ model: Model; real: Real }> {
  const clock = createTestClock();
  const table = await createTestTable();
  const secrets = createChangingRing(clock.now);
  const random = createRandom(seed);
  const index = createLaggingIndex(createIndexReader(table.client, table.tableName), { random });
  const aroundIndex = () => index.read;
  const { starter, purges } = createPurges(table, clock, aroundIndex);
  const instances = await Promise.all(
    [1, 2].map(() => createTestService({ table, clock, secrets, starter, aroundIndex })),
  );
  const newTenant = (place: number) => {
    const [service] = instances;
    if (service === undefined) throw new RangeError('there are instances');
    const surveys = Array.from({ length: SURVEYS_EACH }, () => aSurvey());
    return service.tenant(PROJECTS[place], surveys);
  };
  const tenants = await Promise.all(PROJECTS.map((_, place) => newTenant(place)));
  const model: Model = { now: START, projects: tenants.map(createModelProject), tokens: [], purged: [] };
  const real = { clock, instances, tenants, newTenant, rotate: secrets.rotate, index, purges };
  return { model, real };
}
