import type { Endpoint, Given, Send } from '../../shared/contract/clients/send.ts';
import type {
  AckScoresReply,
  AckScoresRequest,
  CreatePreviewReply,
  CreatePreviewRequest,
} from '../../shared/contract/clients/wire-types.ts';
import type {
  CommentsPage,
  CommentsQuery,
  ContactsPage,
  ContactsQuery,
  DeferredAskLinkInput,
  DeferredAskLinkReply,
  DefinitionsPage,
  EraseQuery,
  EraseReply,
  ExportQuery,
  ExportReply,
  HandleContactInput,
  HandleContactReply,
  MintTokensInput,
  MintTokensReply,
  OverviewQuery,
  OverviewReply,
  PendingScoresPage,
  PendingScoresQuery,
  PutSurveyDefinitionsInput,
  PutSurveyDefinitionsReply,
  Results,
  ResultsQuery,
  SurveyDefinitionsQuery,
  SurveysReply,
} from './contract-types.ts';

/** Surveys by slug, as `canvass survey types` generates them from a survey file. */
export type AnySurveys = Record<string, { readonly type: string; readonly reasons: string }>;

/** Slugs of the surveys; any text if the surveys are not typed. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;

type Slugged<Input, Surveys extends AnySurveys> = Omit<Input, 'surveySlug'> & {
  /** Slug of a survey. Defaults to all surveys of the project. */
  surveySlug?: SlugOf<Surveys> | undefined;
};

/** The calls. The client repeats a call whose reply was lost only if that is safe; each call describes the effect. */
export interface Calls<Options, Surveys extends AnySurveys = AnySurveys> {
  /**
   * Issues show-tokens for a respondent, bound to a session. Empty `tokens` mean that the person may not be asked,
   * which is not an error; `none` has the reasons. `bindings` are the same tokens by slug, for `bind` in the browser. A
   * repeated call issues other tokens; neither call stores anything.
   */
  mintTokens(
    input: Slugged<MintTokensInput, Surveys>,
    options?: Options,
  ): Promise<MintTokensReply<SlugOf<Surveys>>>;
  /**
   * Creates a link on which a respondent answers later. `{ok: false, reason}` means that the person may not be asked,
   * which is not an error. A server may also submit `showToken` itself, without session values. A repeated call creates
   * another link; neither call stores anything.
   */
  deferredAskLink(
    input: Slugged<DeferredAskLinkInput, Surveys>,
    options?: Options,
  ): Promise<DeferredAskLinkReply>;
  /**
   * Lists scores that wait for delivery, oldest first. Every page but the last is full and has `nextCursor`.
   * Acknowledging between two pages neither skips nor repeats a score. Items contain personal data. The call changes
   * nothing.
   */
  pendingScores(query?: PendingScoresQuery, options?: Options): Promise<PendingScoresPage>;
  /**
   * Reports for each score whether it was delivered. Unknown ids are ignored. `delivered` is final for the revision
   * that was pushed; a newer revision stays pending. A repeated call has the same result; `updated` counts only scores
   * that changed this time, and `attempts` of a failed score can increase twice.
   */
  ackScores(input: Given<AckScoresRequest>, options?: Options): Promise<AckScoresReply>;
  /**
   * Exports responses and dismissals of one person, of one survey, or of the whole project. `respondentId` and `email`
   * select one person; `surveySlug`, `from` and `to` narrow the export. Without `limit` and `cursor` the reply contains
   * everything, or the call is refused with `export_too_large`. A page may contain fewer rows than `limit`, or none;
   * the last one has no `nextCursor`. The deadline defaults to 90 s. A filter without a value is a `TypeError`. The
   * call changes nothing.
   */
  exportResponses(query?: ExportQuery, options?: Options): Promise<ExportReply>;
  /**
   * Erases a respondent, a survey, or everything of the project. A purge of a survey or a project continues after the
   * reply. `account` needs a key with the scope `account`. The deadline defaults to 90 s. A filter without a value is a
   * `TypeError`. A repeated call counts nothing twice; with `account`, it is refused with `invalid_key`, because the
   * first call revokes all keys.
   */
  erase(query: EraseQuery, options?: Options): Promise<EraseReply>;
  /**
   * Reads the results of a survey over a period. Days are UTC, and numbers are not rounded. The score includes imported
   * responses and excludes those that a model requested. The call changes nothing.
   */
  results(query: ResultsQuery, options?: Options): Promise<Results>;
  /**
   * Lists what people wrote, newest first. With a filter, a page may contain fewer items than `limit`, or none, and
   * still have `nextCursor`. Items contain personal data. The call changes nothing.
   */
  comments(query: CommentsQuery, options?: Options): Promise<CommentsPage>;
  /** Lists the surveys of the project in any status, with the number of their responses. The call changes nothing. */
  surveys(options?: Options): Promise<SurveysReply>;
  /**
   * Lists people who asked to be contacted, newest first. For one survey, a page may contain fewer items than `limit`,
   * or none, and still have `nextCursor`. Items contain personal data. The call changes nothing.
   */
  contacts(query?: ContactsQuery, options?: Options): Promise<ContactsPage>;
  /**
   * Marks a request to be contacted as handled, or opens it again. Marking it twice keeps the first name and time. When
   * the person changes the answer and still asks to be contacted, the request opens again. A repeated call changes
   * nothing unless the answer was changed in between.
   */
  handleContact(input: HandleContactInput, options?: Options): Promise<HandleContactReply>;
  /**
   * Reads the surveys of the project in the format of a survey file, and who changed them last. All pages are of one
   * revision: after a change, the next page is refused with `surveys_changed`. The call changes nothing.
   */
  surveyDefinitions(query?: SurveyDefinitionsQuery, options?: Options): Promise<DefinitionsPage>;
  /**
   * Creates and changes surveys, all or none. Surveys that the request does not contain stay as they are. A change is
   * refused with `surveys_changed` when the project is not at `revision`. A repeated call changes nothing more, or is
   * refused if someone else changed the surveys in between.
   */
  putSurveyDefinitions(
    input: PutSurveyDefinitionsInput,
    options?: Options,
  ): Promise<PutSurveyDefinitionsReply>;
  /**
   * Summarizes every survey over the last 28 days: status, score, trend, responses, and people who wait to be
   * contacted. A page may contain fewer items than `limit` and still have `nextCursor`. The call changes nothing.
   */
  overview(query?: OverviewQuery, options?: Options): Promise<OverviewReply>;
  /**
   * Stores a draft of a survey for an hour and returns a token that shows it: `?canvass-preview=…` on a page with the
   * browser client. Nobody can answer a preview. A repeated call creates another preview.
   */
  previewSurvey(input: Given<CreatePreviewRequest>, options?: Options): Promise<CreatePreviewReply>;
}

/** Exports and erasures. */
const WIDE = { isLong: true, hasFilters: true } as const;

export function createCalls<Options>(send: Send<Options>): Calls<Options> {
  type Query = object | undefined;
  const read =
    (method: 'GET' | 'DELETE', path: string, replyField: string, more: Partial<Endpoint> = {}) =>
    <Reply>(query: Query, options?: Options) =>
      send<Reply>({ method, path, replyField, ...more }, { query }, options);
  const write =
    (method: 'POST' | 'PUT', path: string, replyField: string) =>
    <Reply>(body: object, options?: Options) =>
      send<Reply>({ method, path, replyField }, { body }, options);
  return {
    mintTokens: write('POST', '/v1/sdk/tokens', 'tokens'),
    deferredAskLink: write('POST', '/v1/sdk/deferred-ask-link', 'ok'),
    pendingScores: read('GET', '/v1/sdk/pending-scores', 'scores'),
    ackScores: write('POST', '/v1/sdk/pending-scores/ack', 'updated'),
    exportResponses: read('GET', '/v1/privacy/export', 'projectId', WIDE),
    erase: read('DELETE', '/v1/privacy/erase', 'mode', WIDE),
    results: read('GET', '/v1/results', 'survey'),
    comments: read('GET', '/v1/results/comments', 'comments'),
    surveys: (options) => send({ method: 'GET', path: '/v1/surveys', replyField: 'surveys' }, {}, options),
    contacts: read('GET', '/v1/contacts', 'contacts'),
    handleContact: ({ id, ...body }, options) =>
      write('PUT', `/v1/contacts/${encodeURIComponent(id)}`, 'id')(body, options),
    surveyDefinitions: read('GET', '/v1/surveys/definitions', 'role'),
    putSurveyDefinitions: write('PUT', '/v1/surveys/definitions', 'revision'),
    overview: read('GET', '/v1/overview', 'from'),
    previewSurvey: write('POST', '/v1/surveys/previews', 'preview'),
  };
}
