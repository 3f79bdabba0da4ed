import type { Canvass } from '@canvass-surveys/browser';
import { createContext, useContext } from 'react';

export { notAsked } from '../browser/client/not-asked.ts';

export interface Provided {
  readonly canvass: Canvass | undefined;
  /** Empty if nobody is signed in. */
  readonly userId: string;
}

export const ProvidedContext = createContext<Provided | undefined>(undefined);

interface Lease {
  readonly canvass: Canvass;
  /** Whether an earlier provider used the client. */
  isUsed: boolean;
  timer?: ReturnType<typeof setTimeout>;
  readonly end: () => void;
}

const SHARED_MS = 1_000;

/** Clients without a provider, by their options. */
const idle = new Map<string, Lease>();

/**
 * A client that is younger than a second and has asked no survey outlives its provider for a second, so that providers
 * that mount and unmount in quick succession send one request.
 */
export function leaseClient(options: string, create: () => Canvass): Lease {
  const known = idle.get(options);
  if (known) {
    idle.delete(options);
    clearTimeout(known.timer);
    known.isUsed = true;
    return known;
  }
  const canvass = create();
  let until = Date.now() + SHARED_MS;
  const destroyIdle = () => {
    if (idle.get(options) !== lease) return;
    idle.delete(options);
    canvass.destroy();
  };
  const lease: Lease = {
    canvass,
    isUsed: false,
    end() {
      idle.get(options)?.canvass.destroy();
      idle.set(options, lease);
      if (Date.now() < until) lease.timer = setTimeout(destroyIdle, SHARED_MS);
      else destroyIdle();
    },
  };
  canvass.on('ask', () => {
    until = 0;
    destroyIdle();
  });
  return lease;
}

/** @throws outside of a provider; the error names `wants` */
export function useProvided(wants: string): Provided {
  const provided = useContext(ProvidedContext);
  if (!provided) throw new Error(`${wants} has no <CanvassProvider> around it.`);
  return provided;
}

export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // The value is not JSON, so it is not sent either.
    return '';
  }
}

/** Encodes each trait separately, so that one that is not JSON does not hide changes of others. */
export function jsonOfTraits(traits: object | null | undefined): string {
  const known = traits ?? {};
  return jsonOf(Object.keys(known).map((name) => jsonOf({ toJSON: () => [name, Reflect.get(known, name)] })));
}
