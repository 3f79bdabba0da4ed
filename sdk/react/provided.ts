import type { Canvass } from '@canvass-surveys/browser';
import { createContext, useContext } from 'react';

/** What a provider gives to the components within it. */
export interface Provided {
  readonly canvass: Canvass | undefined;
  /** Who the page says the person is; empty where nobody is signed in. */
  readonly userId: string;
}

export const ProvidedContext = createContext<Provided | undefined>(undefined);

/** @throws where no provider is around the component; `wants` names what needs one */
export function useProvided(wants: string): Provided {
  const provided = useContext(ProvidedContext);
  if (!provided) throw new Error(`${wants} has no <CanvassProvider> around it.`);
  return provided;
}
