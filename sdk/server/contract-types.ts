/** What the client's calls take and answer, by name. */

import type { Endpoints, Inputs, Replies } from './route-types.ts';

export type EndpointOf<Name extends keyof Endpoints> = Endpoints[Name];

export type MintTokensInput = Inputs['mintTokens'];
export type MintTokensReply = Replies['mintTokens'];
export type DeferredAskLinkInput = Inputs['deferredAskLink'];
export type DeferredAskLinkReply = Replies['deferredAskLink'];
export type PendingScoresQuery = Inputs['listPendingScores'];
export type PendingScoresPage = Replies['listPendingScores'];
/** A score to push, or with `includeWithdrawn` one to delete where it was delivered. */
export type PendingScore = PendingScoresPage['scores'][number];
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
export type AckResult = Inputs['ackScores']['results'][number];
export type AckScoresReply = Replies['ackScores'];
export type ExportQuery = Inputs['exportResponses'];
export type ExportReply = Replies['exportResponses'];

type OneSurvey<Fields> = Omit<Fields, 'surveySlug' | 'surveyId'> &
  ({ readonly surveySlug: string } | { readonly surveyId: string });
/** Of one survey, by its slug or its id. */
export type ResultsQuery = OneSurvey<Inputs['getResults']>;
export type Results = Replies['getResults'];
/** Of one survey, by its slug or its id. */
export type CommentsQuery = OneSurvey<Inputs['listComments']>;
export type CommentsPage = Replies['listComments'];
export type Comment = CommentsPage['comments'][number];
export type SurveysReply = Replies['listSurveys'];
type EraseFields = Inputs['erase'];
type Erase<Field extends keyof EraseFields> = Required<Pick<EraseFields, Field>>;
/** Exactly one mode: a person by id, e-mail or both, a survey, or the whole account. */
export type EraseQuery =
  | Erase<'respondentId'>
  | Erase<'email'>
  | Erase<'respondentId' | 'email'>
  | Erase<'surveySlug'>
  | Erase<'account'>;
export type EraseReply = Replies['erase'];
