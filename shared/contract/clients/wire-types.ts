/** In the package, the output of `typescriptTypes` replaces these types. */

import type * as z from 'zod/mini';
import type { routes } from '../routes.ts';

export type { ErrorCode } from '../errors.ts';

type Routes = typeof routes;
type Opened = {
  [Name in keyof Routes]: Routes[Name] extends { readonly key: 'secret' } ? Name : never;
}[keyof Routes];
type Input<Name extends Opened> = z.output<ReturnType<Routes[Name]['input']>>;
type Reply<Name extends Opened> = z.output<ReturnType<Routes[Name]['success']['schema']>>;

export type MintTokensRequest = Input<'mintTokens'>;
export type MintTokensReply = Reply<'mintTokens'>;
export type DeferredAskLinkRequest = Input<'deferredAskLink'>;
export type DeferredAskLinkReply = Reply<'deferredAskLink'>;
export type ListPendingScoresQuery = Input<'listPendingScores'>;
export type ListPendingScoresReply = Reply<'listPendingScores'>;
export type AckScoresRequest = Input<'ackScores'>;
export type AckScoresReply = Reply<'ackScores'>;
export type ExportResponsesQuery = Input<'exportResponses'>;
export type ExportResponsesReply = Reply<'exportResponses'>;
export type EraseQuery = Input<'erase'>;
export type EraseReply = Reply<'erase'>;
export type GetResultsQuery = Input<'getResults'>;
export type GetResultsReply = Reply<'getResults'>;
export type ListCommentsQuery = Input<'listComments'>;
export type ListCommentsReply = Reply<'listComments'>;
export type Comment = ListCommentsReply['comments'][number];
export type ListSurveysReply = Reply<'listSurveys'>;
export type ListContactsQuery = Input<'listContacts'>;
export type ListContactsReply = Reply<'listContacts'>;
export type Contact = ListContactsReply['contacts'][number];
export type HandleContactRequest = Input<'handleContact'>;
export type HandleContactReply = Reply<'handleContact'>;
export type ListDefinitionsQuery = Input<'listDefinitions'>;
export type ListDefinitionsReply = Reply<'listDefinitions'>;
export type PutDefinitionsRequest = z.input<ReturnType<Routes['putDefinitions']['input']>>;
export type PutDefinitionsReply = Reply<'putDefinitions'>;
export type GetOverviewQuery = Input<'getOverview'>;
export type GetOverviewReply = Reply<'getOverview'>;
export type CreatePreviewRequest = z.input<ReturnType<Routes['createPreview']['input']>>;
export type CreatePreviewReply = Reply<'createPreview'>;
