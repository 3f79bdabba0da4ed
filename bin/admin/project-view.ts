/** A project as operators read it. */

import { formatDuration } from '../../shared/domain/duration.ts';
import type { Project } from '../../shared/domain/project.ts';
import { fields } from './terminal.ts';

/** The project of `--json`: settings named and written as their flags; what is not set is `null`. */
export function projectView({ id, name, status, allowedOrigins, limits, rates, ...project }: Project) {
  return {
    id,
    name,
    status,
    allowedOrigins,
    quietPeriod: formatDuration(limits.quietPeriodMs),
    monthlyCap: limits.monthlyCap,
    monthlyQuota: limits.monthlyQuota ?? null,
    tokenLifetime: formatDuration(project.tokenLifetimeMs),
    rates: { publishable: rates.publishable, secret: rates.secret, address: rates.address ?? null },
    createdAt: project.createdAt,
    purgedAt: project.purgedAt ?? null,
  };
}

const perSecond = (rate: number): string => (rate === 0 ? 'no limit' : `${rate}/s`);

export function projectText(project: Project): string {
  const { id, name, status, allowedOrigins, limits, rates, createdAt } = project;
  return fields({
    id,
    name,
    status,
    'allowed origins': allowedOrigins.length === 0 ? 'any' : allowedOrigins.join(', '),
    'quiet period': limits.quietPeriodMs === 0 ? 'none' : formatDuration(limits.quietPeriodMs),
    'monthly cap': limits.monthlyCap === 0 ? 'none' : String(limits.monthlyCap),
    'monthly quota': limits.monthlyQuota ? String(limits.monthlyQuota) : 'none',
    'token lifetime': formatDuration(project.tokenLifetimeMs),
    'rate publishable': perSecond(rates.publishable),
    'rate secret': perSecond(rates.secret),
    'rate address': rates.address === undefined ? "the deployment's" : perSecond(rates.address),
    created: createdAt,
  });
}
