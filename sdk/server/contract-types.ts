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

/** Reply of `mintTokens`. */
export type MintTokensReply<Slug extends string = string> = Omit<
  wire.MintTokensReply,
  'bindings' | 'none'
> & {
  /** Bindings by survey slug. A survey that may not be asked has none. */
  bindings: { [Named in Slug]?: wire.MintTokensReply['bindings'][string] };
  /**
   * Why there is no binding, by survey slug: `unknown_survey`, or the first rule that fails, as in `survey why`. Absent
   * if empty, and from older services.
   */
  none?: { [Named in Slug]?: NonNullable<wire.MintTokensReply['none']>[string] };
};

/** Input of `mintTokens`. */
export type MintTokensInput = Given<wire.MintTokensRequest>;
/** Input of `deferredAskLink`. */
export type DeferredAskLinkInput = Given<wire.DeferredAskLinkRequest>;
/** Input of `exportResponses`. A filter without a value would export more, so `undefined` is not allowed. */
export type ExportQuery = Omit<wire.ExportResponsesQuery, 'limit' | 'cursor'> &
  Given<Pick<wire.ExportResponsesQuery, 'limit' | 'cursor'>>;
/** Input of `erase`: exactly one mode. */
export type EraseQuery =
  | Selection<Erasable, 'respondentId'>
  | Selection<Erasable, 'email'>
  | Selection<Erasable, 'respondentId' | 'email'>
  | Selection<Erasable, 'surveySlug'>
  | Selection<Erasable, 'account'>;
/** Input of `results`. */
export type ResultsQuery = OfSurvey<Given<wire.GetResultsQuery>>;
/** Input of `comments`. */
export type CommentsQuery = OfSurvey<Given<wire.ListCommentsQuery>>;
/** Input of `contacts`. */
export type ContactsQuery = Given<wire.ListContactsQuery>;
/** Input of `handleContact`. */
export type HandleContactInput = Given<wire.HandleContactRequest>;
/** Input of `surveyDefinitions`. */
export type SurveyDefinitionsQuery = Given<wire.ListDefinitionsQuery>;
/** Input of `putSurveyDefinitions`. */
export type PutSurveyDefinitionsInput = Given<wire.PutDefinitionsRequest>;
/** Input of `overview`. */
export type OverviewQuery = Given<wire.GetOverviewQuery>;
