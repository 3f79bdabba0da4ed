import type { Canvass } from '@canvass-surveys/browser';
import { createContext, useContext } from 'react';

export interface Provided {
  readonly canvass: Canvass | undefined;
  /** Empty if nobody is signed in. */
  readonly userId: string;
}

export const ProvidedContext = createContext<Provided | undefined>(undefined);

/** @throws outside of a provider; the message names `wants` */
export function useProvided(wants: string): Provided {
  const provided = useContext(ProvidedContext);
  if (!provided) throw new Error(`${wants} has no <CanvassProvider> around it.`);
  return provided;
}
