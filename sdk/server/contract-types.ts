/** Requests and replies of the client's calls, by name. */

import type { Given } from '../../shared/contract/clients/send.ts';
import type * as wire from '../../shared/contract/clients/wire-types.ts';

export type {
  AckScoresReply,
  Comment,
  Contact,
  DeferredAskLinkReply,
  EraseReply,
  ExportResponsesReply as ExportReply,
  GetOverviewReply as OverviewReply,
  GetResultsReply as Results,
  HandleContactReply,
  ListCommentsReply as CommentsPage,
  ListContactsReply as ContactsPage,
  ListDefinitionsReply as DefinitionsPage,
  ListSurveysReply as SurveysReply,
  MintTokensReply,
  PutDefinitionsReply as PutSurveyDefinitionsReply,
} from '../../shared/contract/clients/wire-types.ts';
export type {
  AckResult,
  PendingScore,
  PendingScoresPage,
  PendingScoresQuery,
  StandingScore,
} from '../../shared/delivery/score-service.ts';

/** Exactly one of two fields that name a survey. */
type OfSurvey<Query> = Omit<Query, 'surveyId' | 'surveySlug'> &
  (
    | { readonly surveySlug: string; readonly surveyId?: undefined }
    | { readonly surveyId: string; readonly surveySlug?: undefined }
  );

/** Some of the fields that select what is erased. No other may be present, not even as `undefined`. */
type Selection<Fields, Name extends keyof Fields> = {
  readonly [Chosen in Name]-?: Fields[Chosen];
} & { readonly [Other in Exclude<keyof Fields, Name>]?: never };

/** A flag that a query carries as text. */
type Erasable = Omit<wire.EraseQuery, 'account'> & {
  /** Erases everything of the project and revokes its keys. */
  readonly account?: true | 'true';
};

/** What `mintTokens` takes. */
export type MintTokensInput = Given<wire.MintTokensRequest>;
/** What `deferredAskLink` takes. */
export type DeferredAskLinkInput = Given<wire.DeferredAskLinkRequest>;
/** What `exportResponses` takes. A filter without a value would export more, so `undefined` is not allowed. */
export type ExportQuery = Omit<wire.ExportResponsesQuery, 'limit' | 'cursor'> &
  Given<Pick<wire.ExportResponsesQuery, 'limit' | 'cursor'>>;
/** What `erase` takes: exactly one mode. */
export type EraseQuery =
  | Selection<Erasable, 'respondentId'>
  | Selection<Erasable, 'email'>
  | Selection<Erasable, 'respondentId' | 'email'>
  | Selection<Erasable, 'surveySlug'>
  | Selection<Erasable, 'account'>;
/** What `results` takes. */
export type ResultsQuery = OfSurvey<Given<wire.GetResultsQuery>>;
/** What `comments` takes. */
export type CommentsQuery = OfSurvey<Given<wire.ListCommentsQuery>>;
/** What `contacts` takes. */
export type ContactsQuery = Given<wire.ListContactsQuery>;
/** What `handleContact` takes. */
export type HandleContactInput = Given<wire.HandleContactRequest>;
/** What `surveyDefinitions` takes. */
export type SurveyDefinitionsQuery = Given<wire.ListDefinitionsQuery>;
/** What `putSurveyDefinitions` takes. */
export type PutSurveyDefinitionsInput = Given<wire.PutDefinitionsRequest>;
/** What `overview` takes. */
export type OverviewQuery = Given<wire.GetOverviewQuery>;
