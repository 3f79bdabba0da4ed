/** What the client's calls take and answer, by name: as the route table has it, and parts of that. */

import type {
  CommentsReply,
  ContactsReply,
  ExportResponsesQuery,
  ExportResponsesReply,
  ResultsReply,
  SurveyDefinitionsReply,
} from '../../shared/contract/clients/server-calls.ts';

export type {
  AckScoresReply,
  CommentsQuery,
  ContactsQuery,
  DeferredAskLinkInput,
  DeferredAskLinkReply,
  EraseQuery,
  EraseReply,
  HandleContactInput,
  HandleContactReply,
  MintTokensInput,
  MintTokensReply,
  OverviewQuery,
  OverviewReply,
  PendingScoresQuery,
  PutSurveyDefinitionsInput,
  PutSurveyDefinitionsReply,
  ResultsQuery,
  SurveyDefinitionsQuery,
  SurveysReply,
} from '../../shared/contract/clients/server-calls.ts';
export type {
  AckResult,
  PendingScore,
  PendingScoresPage,
  StandingScore,
} from '../../shared/delivery/score-service.ts';
/** What `exportResponses` takes. */
export type ExportQuery = ExportResponsesQuery;
/** What `exportResponses` resolves to. */
export type ExportReply = ExportResponsesReply;
/** What `results` resolves to. */
export type Results = ResultsReply;
/** What `comments` resolves to. */
export type CommentsPage = CommentsReply;
/** One answer with its words and its person. */
export type Comment = CommentsPage['comments'][number];
/** What `contacts` resolves to. */
export type ContactsPage = ContactsReply;
/** Somebody who asked to be contacted. */
export type Contact = ContactsPage['contacts'][number];
export type DefinitionsPage = SurveyDefinitionsReply;
