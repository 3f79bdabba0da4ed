import type { Canvass } from '@canvass-surveys/browser';
import { createContext, useContext } from 'react';

export { notAsked } from '../browser/client/not-asked.ts';

export interface Provided {
  readonly canvass: Canvass | undefined;
  /** Empty if nobody is signed in. */
  readonly userId: string;
}

export const ProvidedContext = createContext<Provided | undefined>(undefined);

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
