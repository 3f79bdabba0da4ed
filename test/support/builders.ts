/** Valid things with sensible defaults; a test names only what it is about. */

import { randomBytes } from 'node:crypto';
import { type IssuedKey, issueAccessKey, KEY_RANDOM_BYTES } from '../../shared/crypto/access-key.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  type KeyKind,
  type KeyScope,
  type Project,
} from '../../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { TEST_HASH_SECRET } from './test-secrets.ts';

export function anId(): string {
  return randomBytes(8).toString('hex');
}

export function aProject(overrides: Partial<Project> = {}): Project {
  return {
    id: anId(),
    name: 'Acme',
    status: 'active',
    allowedOrigins: [],
    limits: DEFAULT_LIMITS,
    rates: DEFAULT_RATES,
    tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
}

export function aSurvey(overrides: Partial<Survey> = {}, content: Partial<SurveyContent> = {}): Survey {
  const id = `sv_${anId()}`;
  return {
    id,
    status: 'active',
    limits: {},
    content: {
      slug: `survey-${id.slice(3)}`,
      type: 'nps',
      question: 'How likely are you to recommend us?',
      presentation: 'corner',
      trigger: 'auto',
      ...content,
    },
    ...overrides,
  };
}

/** Made under the secret of every test service. */
interface KeyTerms {
  readonly abbreviation?: string;
  readonly scopes?: readonly KeyScope[];
  readonly expiresAt?: string | undefined;
}

export function aKey(
  kind: KeyKind,
  projectId: string,
  { abbreviation = 'svc', ...terms }: KeyTerms = {},
): IssuedKey {
  const random = randomBytes(KEY_RANDOM_BYTES);
  const createdAt = '2026-01-01T00:00:00.000Z';
  return issueAccessKey(TEST_HASH_SECRET, { abbreviation, kind, projectId, random, createdAt, ...terms });
}
