import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { Destination } from '../../shared/delivery/destinations/destination.ts';
import { MINUTE } from '../../shared/domain/duration.ts';
import { DESTINATIONS, destinationOptions } from './destinations.ts';

z.config(en());

const SERVICE_KEY = /^[a-z0-9]+_sk_([a-z0-9]{1,32})_[A-Za-z0-9_-]+$/;

const PROJECT_ID = /^[a-z0-9]{1,32}$/;

const entry = z.strictObject({
  projectId: z.exactOptional(z.string().check(z.regex(PROJECT_ID, 'must be the id of a project'))),
  /** Older configurations identify the project by this key. */
  serviceKey: z.exactOptional(z.string().check(z.regex(SERVICE_KEY, 'must be a secret key'))),
  destination: destinationOptions,
  concurrency: z.exactOptional(z.int().check(z.gte(1), z.lte(50))),
  requestsPerMinute: z.exactOptional(z.int().check(z.gte(0))),
  includeFailed: z.exactOptional(z.boolean()),
});

type Entry = z.output<typeof entry>;

export interface PushEntry extends Omit<Entry, 'destination' | 'projectId' | 'serviceKey'> {
  readonly projectId: string;
  readonly destination: Destination;
}

/** The message never quotes values, which may be credentials. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ConfigurationError('the configuration is not JSON');
  }
}

function destinationOf(options: Entry['destination'], index: number, now: () => number): Destination {
  try {
    return DESTINATIONS[options.type].make(options, now);
  } catch (error) {
    const message = error instanceof TypeError ? error.message : 'is not valid';
    throw new ConfigurationError(`${index}.destination: ${message}`);
  }
}

export function readPushEntries(json: string, now: () => number): PushEntry[] {
  const list = z.safeParse(z.array(entry), parsed(json));
  if (!list.success) {
    const issues = list.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ConfigurationError(issues.join('; '));
  }
  const projects = new Set<string>();
  return list.data.map(({ destination, projectId: named, serviceKey, ...settings }, index) => {
    const projectId = named ?? SERVICE_KEY.exec(serviceKey ?? '')?.[1];
    if (projectId === undefined) throw new ConfigurationError(`${index}.projectId: is missing`);
    if (projects.has(projectId)) {
      throw new ConfigurationError(`${index}.projectId: appears twice in the list`);
    }
    projects.add(projectId);
    return { ...settings, projectId, destination: destinationOf(destination, index, now) };
  });
}

/** Caches the configuration, because busy projects start the adapter every few seconds. */
export function keepConfiguration(
  read: () => Promise<string>,
  now: () => number,
): (mayBeKept: boolean) => Promise<string> {
  let kept: { readonly text: string; readonly readAt: number } | undefined;
  return async (mayBeKept) => {
    if (mayBeKept && kept !== undefined && now() - kept.readAt < MINUTE) return kept.text;
    const readAt = now();
    kept = { text: await read(), readAt };
    return kept.text;
  };
}
