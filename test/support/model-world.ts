/** The plain reference model of the service, and the service itself, for checking one against the other. */

import { randomBytes } from 'node:crypto';
import { rotateTokenRing } from '../../shared/crypto/rotate-token-ring.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import type { TokenRing } from '../../shared/crypto/token-ring.ts';
import { DAY, HOUR } from '../../shared/domain/duration.ts';
import type { Project } from '../../shared/domain/project.ts';
import { aSurvey } from './builders.ts';
import { createTestClock, START, type TestClock } from './test-clock.ts';
import { createTestSecrets, TEST_TOKEN_KEY } from './test-secrets.ts';
import { createTestService, type Tenant, type TestService } from './test-service.ts';

export const PEOPLE = ['ann', 'ben'] as const;
export const CAP = 2;

/** Two projects: one with a cap and short tokens, one in which surveys are purged. */
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

interface ModelProject {
  surveys: string[];
  answers: ModelAnswer[];
  /** By person: never to be asked again. */
  readonly suppressed: Map<string, Set<string>>;
  /** By person: moments of accepted answers, erased ones included. */
  readonly times: Map<string, number[]>;
}

export interface Model {
  now: number;
  readonly projects: ModelProject[];
  readonly tokens: ModelToken[];
}

export interface Real {
  readonly clock: TestClock;
  /** Function instances on one table. */
  readonly instances: readonly TestService[];
  readonly tenants: readonly Tenant[];
  readonly rotate: () => void;
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

/** A fresh world on the table of `base`: new projects, cold instances, a clock and a ring of their own. */
export async function createWorld(base: TestService): Promise<{ model: Model; real: Real }> {
  const clock = createTestClock();
  const secrets = createChangingRing(clock.now);
  const instances = await Promise.all(
    [1, 2].map(() => createTestService({ table: base.table, clock, secrets })),
  );
  const tenants = await Promise.all(
    PROJECTS.map((project) =>
      base.tenant(
        project,
        Array.from({ length: SURVEYS_EACH }, () => aSurvey()),
      ),
    ),
  );
  const projects = tenants.map(({ surveys }) => ({
    surveys: surveys.map(({ id }) => id),
    answers: [],
    suppressed: new Map(PEOPLE.map((person) => [person, new Set<string>()])),
    times: new Map(PEOPLE.map((person) => [person, []])),
  }));
  const model: Model = { now: START, projects, tokens: [] };
  return { model, real: { clock, instances, tenants, rotate: secrets.rotate } };
}
