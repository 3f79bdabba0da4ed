/** Projects: the unit of isolation. Their settings and defaults (docs/contract.md §5.2, §8 and §12). */

import { DAY, HOUR, SECOND } from './duration.ts';
import type { Survey } from './survey.ts';

export const KEY_KINDS = ['publishable', 'secret'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Limits of a project. Zero switches a rule off; an absent quota means none. */
export interface ProjectLimits {
  readonly quietPeriodMs: number;
  /** Accepted answers and dismissals of one respondent in 30 days. */
  readonly monthlyCap: number;
  /** Accepted responses of the project in a calendar month, UTC. */
  readonly monthlyQuota?: number | undefined;
}

/** Requests per second; burst is twice that; zero switches a limit off. */
export interface ProjectRates {
  readonly publishable: number;
  readonly secret: number;
  /** Per source address on publishable routes; absent means the deployment's default. */
  readonly address?: number | undefined;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  /** Exact origins; empty means any. */
  readonly allowedOrigins: readonly string[];
  readonly limits: ProjectLimits;
  readonly rates: ProjectRates;
  readonly tokenLifetimeMs: number;
  readonly createdAt: string;
  /** Set once an account purge has begun: from then on no key of the project is valid. */
  readonly purgedAt?: string | undefined;
}

/** The longest time settings stay in a function instance's memory (docs/contract.md §5.2). */
export const SETTINGS_LIFETIME_MS = 30 * SECOND;

export const DEFAULT_LIMITS: ProjectLimits = { quietPeriodMs: 7 * DAY, monthlyCap: 3 };
export const DEFAULT_RATES: ProjectRates = { publishable: 200, secret: 100 };
export const DEFAULT_TOKEN_LIFETIME_MS = 24 * HOUR;
export const TOKEN_LIFETIME_RANGE_MS = { min: SECOND, max: 30 * DAY } as const;

export interface ProjectKey {
  readonly id: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, lower-case hex; the key itself is never stored. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string | undefined;
  /** A publishable key that the project's allowed origins do not bind: of an app, which sends no `Origin`. */
  readonly anyOrigin?: true | undefined;
}

/** Accepted responses, counted from the table's stream: soft, see docs/contract.md §8. */
export interface Totals {
  readonly bySurvey: ReadonlyMap<string, number>;
  /** By UTC month, `2026-11`. */
  readonly byMonth: ReadonlyMap<string, number>;
  /** Responses among the results of each survey, imported ones too: fewer when some are erased. */
  readonly answered?: ReadonlyMap<string, number> | undefined;
}

/** Everything a request needs to know of its project; cached for at most 30 s in a function instance. */
export interface ProjectSettings {
  readonly project: Project;
  /** Live keys by hash. */
  readonly keys: ReadonlyMap<string, ProjectKey>;
  /** By id, in the order in which they are asked; purged ones are left out. */
  readonly surveys: ReadonlyMap<string, Survey>;
  readonly totals: Totals;
}

/** When the next UTC calendar month begins, milliseconds. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The UTC calendar month of a time, `2026-11`. */
export function utcMonth(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
