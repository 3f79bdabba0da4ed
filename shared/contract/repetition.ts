import type { routes } from './routes.ts';

type Routes = typeof routes;
type Opened = {
  [Name in keyof Routes]: Routes[Name] extends { readonly key: 'secret' } ? Name : never;
}[keyof Routes];

/**
 * What a server's call does when its client repeats it after a reply that was lost. All of them may be repeated; the
 * clients say this of each call in their documentation.
 */
export const REPETITION: Readonly<Record<Opened, string>> = {
  mintTokens: 'issues other tokens; nothing is stored by either',
  deferredAskLink: 'makes another link; nothing is stored by either',
  listPendingScores: 'reads again',
  ackScores: 'says the same again; `updated` counts what still changed',
  exportResponses: 'reads again',
  erase:
    'counts nothing twice; of the account it is `invalid_key`, since its keys are revoked as soon as it began',
  getResults: 'reads again',
  listComments: 'reads again',
  listSurveys: 'reads again',
};
