/** What the client's calls take and answer, by name. */

import type { Inputs, Replies } from './route-types.ts';

/** An optional field may also be there as `undefined`: with `exactOptionalPropertyTypes` it otherwise could not. */
type OrUndefined<Fields> = {
  [Name in keyof Fields]: Record<never, never> extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name];
};

export type MintTokensInput = OrUndefined<Inputs['mintTokens']>;
export type MintTokensReply = Replies['mintTokens'];
export type DeferredAskLinkInput = OrUndefined<Inputs['deferredAskLink']>;
export type DeferredAskLinkReply = Replies['deferredAskLink'];
export type PendingScoresQuery = OrUndefined<Inputs['listPendingScores']>;
export type PendingScoresPage = Replies['listPendingScores'];
/** A score to push, or with `includeWithdrawn` one to delete where it was delivered. */
export type PendingScore = PendingScoresPage['scores'][number];
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
export type AckResult = OrUndefined<Inputs['ackScores']['results'][number]>;
export type AckScoresReply = Replies['ackScores'];
type Paging = 'limit' | 'cursor';
/** A filter is given or left out; one that is there as `undefined` is refused, since it would export more than was meant. */
export type ExportQuery = Omit<Inputs['exportResponses'], Paging> &
  OrUndefined<Pick<Inputs['exportResponses'], Paging>>;
export type ExportReply = Replies['exportResponses'];

type OneSurvey<Fields> = OrUndefined<Omit<Fields, 'surveySlug' | 'surveyId'>> &
  ({ readonly surveySlug: string } | { readonly surveyId: string });
/** Of one survey, by its slug or its id. */
export type ResultsQuery = OneSurvey<Inputs['getResults']>;
export type Results = Replies['getResults'];
/** Of one survey, by its slug or its id. */
export type CommentsQuery = OneSurvey<Inputs['listComments']>;
export type CommentsPage = Replies['listComments'];
export type Comment = CommentsPage['comments'][number];
export type SurveysReply = Replies['listSurveys'];

type EraseFields = Omit<Inputs['erase'], 'account'> & { readonly account?: true | 'true' };
/** These fields, and no others: another that is `undefined` by mistake would erase something else. */
type Erase<Field extends keyof EraseFields> = Required<Pick<EraseFields, Field>> & {
  readonly [Other in Exclude<keyof EraseFields, Field>]?: never;
};
/** Exactly one mode: a person by id, e-mail or both, a survey, or the whole account. */
export type EraseQuery =
  | Erase<'respondentId'>
  | Erase<'email'>
  | Erase<'respondentId' | 'email'>
  | Erase<'surveySlug'>
  | Erase<'account'>;
export type EraseReply = Replies['erase'];
