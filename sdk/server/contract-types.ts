/** What the client's calls take and answer, by name: as the route table has it, and parts of that. */

import type {
  CommentsReply,
  ContactsReply,
  ExportResponsesQuery,
  ExportResponsesReply,
  ResultsReply,
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
  PendingScoresQuery,
  ResultsQuery,
  SurveysReply,
} from '../../shared/contract/clients/server-calls.ts';
export type {
  AckResult,
  PendingScore,
  PendingScoresPage,
  StandingScore,
} from '../../shared/delivery/score-service.ts';
export type ExportQuery = ExportResponsesQuery;
export type ExportReply = ExportResponsesReply;
export type Results = ResultsReply;
export type CommentsPage = CommentsReply;
export type Comment = CommentsPage['comments'][number];
export type ContactsPage = ContactsReply;
export type Contact = ContactsPage['contacts'][number];
