/** The contract as the client's types: inferred from the route table, so that drift does not compile. */

import type * as z from 'zod/mini';
import type { routes } from '../../shared/contract/routes.ts';

type Routes = typeof routes;

/** Method and path that a client must send for a route. */
export type EndpointOf<Name extends keyof Routes> = Pick<Routes[Name], 'method' | 'path'>;

type InputOf<Name extends keyof Routes> = Routes[Name] extends {
  readonly input: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : never;

type ReplyOf<Name extends keyof Routes> = Routes[Name]['success'] extends {
  readonly schema: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : never;

export type MintTokensInput = InputOf<'mintTokens'>;
export type MintTokensReply = ReplyOf<'mintTokens'>;
export type DeferredAskLinkInput = InputOf<'deferredAskLink'>;
export type DeferredAskLinkReply = ReplyOf<'deferredAskLink'>;
export type PendingScoresQuery = InputOf<'listPendingScores'>;
export type PendingScoresPage = ReplyOf<'listPendingScores'>;
/** A score to push, or with `includeWithdrawn` one to delete where it was delivered. */
export type PendingScore = PendingScoresPage['scores'][number];
export type StandingScore = Extract<PendingScore, { readonly withdrawn: false }>;
export type AckResult = InputOf<'ackScores'>['results'][number];
export type AckScoresReply = ReplyOf<'ackScores'>;
export type ExportQuery = InputOf<'exportResponses'>;
export type ExportReply = ReplyOf<'exportResponses'>;

type OneSurvey<Fields> = Omit<Fields, 'surveySlug' | 'surveyId'> &
  ({ readonly surveySlug: string } | { readonly surveyId: string });
/** Of one survey, by its slug or its id. */
export type ResultsQuery = OneSurvey<InputOf<'getResults'>>;
export type Results = ReplyOf<'getResults'>;
/** Of one survey, by its slug or its id. */
export type CommentsQuery = OneSurvey<InputOf<'listComments'>>;
export type CommentsPage = ReplyOf<'listComments'>;
export type Comment = CommentsPage['comments'][number];
export type SurveysReply = ReplyOf<'listSurveys'>;
type EraseFields = InputOf<'erase'>;
type Erase<Field extends keyof EraseFields> = Required<Pick<EraseFields, Field>>;
/** Exactly one mode: a person by id, e-mail or both, a survey, or the whole account. */
export type EraseQuery =
  | Erase<'respondentId'>
  | Erase<'email'>
  | Erase<'respondentId' | 'email'>
  | Erase<'surveySlug'>
  | Erase<'account'>;
export type EraseReply = ReplyOf<'erase'>;
