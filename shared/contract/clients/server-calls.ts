/** The calls of `@canvass-surveys/server`. Made of the route table by `npm run clients`. */

import type { Send } from './send.ts';

/** Why the service refuses (docs/contract.md §4.1). */
export type ErrorCode =
  | 'invalid_request'
  | 'rating_out_of_range'
  | 'ambiguous_erase'
  | 'export_too_large'
  | 'invalid_key'
  | 'invalid_identity'
  | 'invalid_token'
  | 'token_expired'
  | 'token_mismatch'
  | 'not_permitted'
  | 'origin_not_allowed'
  | 'project_suspended'
  | 'not_found'
  | 'sign_in_not_found'
  | 'survey_not_found'
  | 'respondent_not_found'
  | 'response_not_found'
  | 'token_used'
  | 'revision_conflict'
  | 'rate_limited'
  | 'internal_error'
  | 'temporarily_unavailable';

/** What is wrong with a field. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

type Binding = {
  surveyId: string;
  slug: string;
  /** Opaque, single-use show-token. */
  showToken: string;
  sessionId: string;
  traceId?: string;
  observationId?: string;
  taskType?: string;
};

type Link = {
  ok: true;
  url: string;
  /** Opaque, single-use show-token. */
  showToken: string;
  /** ISO 8601 UTC with milliseconds. */
  issuedAt: string;
  /** ISO 8601 UTC with milliseconds. */
  expiresAt: string;
  surveyId: string;
  respondentId: string;
  sessionId: string | null;
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

type NoLink = {
  ok: false;
  reason: 'not_active' | 'unbound' | 'suppressed' | 'history_too_long' | 'quiet_period' | 'monthly_cap' | 'shown_often' | 'survey_maximum' | 'project_quota';
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

type PendingScore = {
  id: string;
  surveyId: string;
  surveySlug: string;
  surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
  scale: {
    min: number;
    max: number;
  };
  sessionId: string | null;
  traceId: string | null;
  observationId: string | null;
  taskType: string | null;
  respondentId: string;
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  state: 'pending' | 'failed';
  attempts: number;
  lastError: string | null;
  /** 0 until the answer is changed. */
  revision: number;
  revisedAt: string | null;
  triedAt: string | null;
  withdrawn: false;
  rating: number;
  text: string | null;
  reasons: string[] | null;
};

type WithdrawnScore = {
  id: string;
  surveyId: string;
  surveySlug: string;
  surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
  scale: {
    min: number;
    max: number;
  };
  sessionId: string | null;
  traceId: string | null;
  observationId: string | null;
  taskType: string | null;
  respondentId: string;
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  state: 'pending' | 'failed';
  attempts: number;
  lastError: string | null;
  /** 0 until the answer is changed. */
  revision: number;
  revisedAt: string | null;
  triedAt: string | null;
  withdrawn: true;
  rating: null;
  text: null;
  reasons: null;
};

type ResultScore = {
  metric: 'nps';
  value: number;
  low: number;
  high: number;
  confidence: number;
  promoters: number;
  passives: number;
  detractors: number;
} | {
  metric: 'csat';
  value: number;
  low: number;
  high: number;
  confidence: number;
  mean: number;
} | {
  metric: 'ces';
  value: number;
  low: number;
  high: number;
  confidence: number;
  agree: number;
} | {
  metric: 'pmf';
  value: number;
  low: number;
  high: number;
  confidence: number;
} | {
  metric: 'thumbs';
  value: number;
  low: number;
  high: number;
  confidence: number;
};

type ScoreDifference = {
  value: number;
  low: number;
  high: number;
};

type Comment = {
  id: string;
  rating: number;
  text: string | null;
  followUpRequested: boolean | null;
  contact: string | null;
  reasons: string[] | null;
  respondentId: string;
  verified: boolean;
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  traits: Record<string, string | number | boolean | null> | null;
  taskType: string | null;
  sessionId: string | null;
  traceId: string | null;
  source: 'sdk' | 'import';
  /** ISO 8601 UTC with milliseconds. */
  at: string;
};

type Contact = {
  id: string;
  rating: number;
  text: string | null;
  followUpRequested: boolean | null;
  contact: string | null;
  reasons: string[] | null;
  respondentId: string;
  verified: boolean;
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  traits: Record<string, string | number | boolean | null> | null;
  taskType: string | null;
  sessionId: string | null;
  traceId: string | null;
  source: 'sdk' | 'import';
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  survey: {
    id: string;
    slug: string;
  };
  handled: {
    /** ISO 8601 UTC with milliseconds. */
    at: string;
    by: string;
    note: string | null;
  } | null;
};

export type MintTokensInput = {
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  respondentId: string;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  sessionId: string;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  observationId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  traceId?: string | undefined;
  /** At most 64 bytes of UTF-8, no lone surrogates. */
  taskType?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveyId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveySlug?: string | undefined;
  /** Whether an answer of the kind `model-requested` may use the tokens. */
  allowModelRequested?: boolean | undefined;
};

export type MintTokensReply = {
  tokens: Record<string, string>;
  /** By slug. */
  bindings: Record<string, Binding>;
  suppression: string[];
  /** ISO 8601 UTC with milliseconds. */
  issuedAt: string;
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

export type DeferredAskLinkInput = {
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  respondentId: string;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveyId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveySlug?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  sessionId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  observationId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  traceId?: string | undefined;
  /** At most 64 bytes of UTF-8, no lone surrogates. */
  taskType?: string | undefined;
  /** From 1s to 30d; unless said as long as the project says, usually 7d. */
  expiresIn?: string | undefined;
};

export type DeferredAskLinkReply = Link | NoLink;

export type PendingScoresQuery = {
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** Whether scores whose delivery failed are listed too. */
  includeFailed?: boolean | undefined;
  /** Whether withdrawn scores are listed too, which have to be deleted where they were delivered. */
  includeWithdrawn?: boolean | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
};

export type PendingScoresReply = {
  scores: (PendingScore | WithdrawnScore)[];
  nextCursor?: string;
};

export type AckScoresInput = {
  results: ({
    id: string;
    /** `trying`: a push begins. The others: what became of it. */
    state: 'trying' | 'delivered' | 'failed';
    error?: string | null | undefined;
    revision?: number | null | undefined;
  })[];
};

export type AckScoresReply = {
  ok: true;
  updated: number;
};

export type ExportResponsesQuery = {
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  respondentId?: string;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  email?: string;
  surveySlug?: string;
  /** First day, UTC. */
  from?: string;
  /** Last day, UTC, inclusive. */
  to?: string;
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
};

export type ExportResponsesReply = {
  projectId: string;
  /** ISO 8601 UTC with milliseconds. */
  exportedAt: string;
  count: number;
  responses: ({
    id: string;
    surveyId: string;
    surveySlug: string | null;
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    rating: number | null;
    text: string | null;
    followUpRequested: boolean | null;
    contact: string | null;
    reasons: string[] | null;
    respondentId: string;
    identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
    /** Whether a server or a signed token named the respondent, not the page. */
    verified: boolean;
    traits: Record<string, string | number | boolean | null> | null;
    sessionId: string | null;
    traceId: string | null;
    observationId: string | null;
    taskType: string | null;
    linked: boolean;
    scoreState: 'pending' | 'failed' | 'delivered' | null;
    source: 'sdk' | 'import';
    /** ISO 8601 UTC with milliseconds. */
    at: string;
    /** 0 until the answer is changed. */
    revision: number;
    revisedAt: string | null;
    withdrawn: boolean;
    handled: {
      /** ISO 8601 UTC with milliseconds. */
      at: string;
      by?: string;
      note: string | null;
    } | null;
  })[];
  dismissals: ({
    id: string;
    surveyId: string;
    surveySlug: string | null;
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    respondentId: string;
    /** Whether a server or a signed token named the respondent, not the page. */
    verified: boolean;
    /** ISO 8601 UTC with milliseconds. */
    at: string;
  })[];
  /** Of a person: what was on their screen. */
  shows?: ({
    surveyId: string;
    surveySlug: string | null;
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    /** ISO 8601 UTC with milliseconds. */
    at: string;
  })[];
  nextCursor?: string;
};

export type EraseQuery =
  | { readonly respondentId: string; readonly email?: never; readonly surveySlug?: never; readonly account?: never }
  | { readonly respondentId?: never; readonly email: string; readonly surveySlug?: never; readonly account?: never }
  | { readonly respondentId: string; readonly email: string; readonly surveySlug?: never; readonly account?: never }
  | { readonly respondentId?: never; readonly email?: never; readonly surveySlug: string; readonly account?: never }
  | { readonly respondentId?: never; readonly email?: never; readonly surveySlug?: never; readonly account: true | 'true' };

export type EraseReply = {
  ok: true;
  mode: 'respondent' | 'survey' | 'account';
  respondentIds?: string[];
  responsesDeleted?: number;
  dismissalsDeleted?: number;
  suppressionRetained?: number;
  surveySlug?: string;
  note?: string;
};

export type ResultsQuery = {
  /** First day, UTC; 90 days up to `to` unless said, and at most 400. */
  from?: string | undefined;
  /** Last day, UTC, included; today unless said. */
  to?: string | undefined;
  /** Buckets of `series`; by the length of the span unless said. */
  by?: 'day' | 'week' | 'month' | undefined;
  /** One of the survey's segments: without `value` a breakdown by its values. */
  segment?: string | undefined;
  /** One of its values: the answers of that one alone. `other` for values that are not declared, `null` for none. */
  value?: string | undefined;
  /** With the span of the same length before, in `previous`. */
  compare?: 'previous' | undefined;
  /** Another value of the segment, with which that of `value` is compared, in `against`. */
  against?: string | undefined;
} & (
  | { readonly surveySlug: string }
  | { readonly surveyId: string }
);

export type ResultsReply = {
  survey: {
    id: string;
    slug: string;
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    question: string;
    scale: {
      min: number;
      max: number;
    };
  };
  from: string;
  to: string;
  responses: number;
  distribution: {
    rating: number;
    count: number;
  }[];
  score: ResultScore | null;
  imported: number | null;
  modelRequested: number | null;
  dismissals: number | null;
  shows: number | null;
  responseRate: number | null;
  comments: number | null;
  followUpsRequested: number | null;
  reasons: {
    code: string;
    label: string;
    count: number;
  }[] | null;
  series: ({
    from: string;
    to: string;
    responses: number;
    distribution: {
      rating: number;
      count: number;
    }[];
    score: ResultScore | null;
    dismissals: number | null;
    shows: number | null;
  })[];
  segments?: ({
    value: string | null;
    responses: number;
    distribution: {
      rating: number;
      count: number;
    }[];
    score: ResultScore | null;
  })[];
  previous?: {
    from: string;
    to: string;
    responses: number;
    score: ResultScore | null;
    difference: ScoreDifference | null;
  };
  against?: {
    value: string | null;
    responses: number;
    score: ResultScore | null;
    difference: ScoreDifference | null;
  };
};

export type CommentsQuery = {
  /** First day, UTC; 90 days up to `to` unless said, and at most 400. */
  from?: string | undefined;
  /** Last day, UTC, included; today unless said. */
  to?: string | undefined;
  /** Lowest rating, included. */
  ratingMin?: number | undefined;
  /** Highest rating, included. */
  ratingMax?: number | undefined;
  /** Whether responses without text are left out, as they are unless said. */
  withText?: boolean | undefined;
  /** One of the survey's segments, of which `value` is one. */
  segment?: string | undefined;
  /** One of its values: the answers of that one alone. `other` for values that are not declared, `null` for none. */
  value?: string | undefined;
  /** Code of a reason: responses that name it. */
  reason?: string | undefined;
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
} & (
  | { readonly surveySlug: string }
  | { readonly surveyId: string }
);

export type CommentsReply = {
  comments: Comment[];
  nextCursor?: string;
};

export type SurveysReply = {
  surveys: ({
    id: string;
    slug: string;
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    question: string;
    scale: {
      min: number;
      max: number;
    };
    status: 'draft' | 'active' | 'paused' | 'archived';
    responses: number;
    segments: string[];
  })[];
  project: {
    id: string;
    /** What the people who are asked know it by. */
    name: string;
    accent: string | null;
  };
};

export type ContactsQuery = {
  /** This or `surveyId`; of all surveys unless said. */
  surveySlug?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveyId?: string | undefined;
  /** Those whom nobody has seen to (`open`) unless said. */
  state?: 'open' | 'handled' | 'all' | undefined;
  /** First day on which they answered, UTC. */
  from?: string | undefined;
  /** Last day, UTC, included. */
  to?: string | undefined;
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
};

export type ContactsReply = {
  contacts: Contact[];
  nextCursor?: string;
};

export type HandleContactInput = {
  /** Of the response. */
  id: string;
  /** `false` opens it again. */
  handled: boolean;
  /** For colleagues; an empty one takes the one before away. A lone surrogate is replaced. */
  note?: string | undefined;
};

export type HandleContactReply = {
  ok: true;
  id: string;
  handled: boolean;
};

/** A call for each route that a secret key opens. */
export interface Calls<Options> {
  /**
   * Mint session-bound show-tokens, from a server. Empty `tokens` means that the respondent is gated; that is not
   * an error. `bindings` are the same tokens by slug, as `bind` in the browser takes them. Never call this from a
   * browser. Repeated after a reply that was lost, it issues other tokens; nothing is stored by either.
   */
  mintTokens(input: MintTokensInput, options?: Options): Promise<MintTokensReply>;
  /**
   * A link on which a respondent answers later, from a server. `{ok: false, reason}` means that the respondent may
   * not be asked; that is not an error. The link is a page with a form; `showToken` may be submitted as well,
   * without session values, which it carries itself. Repeated after a reply that was lost, it makes another link;
   * nothing is stored by either.
   */
  deferredAskLink(input: DeferredAskLinkInput, options?: Options): Promise<DeferredAskLinkReply>;
  /**
   * Linked responses whose scores wait for delivery, oldest first. Every page but the last is full and has
   * `nextCursor`. A cursor belongs to one sweep: acking while paging neither skips nor repeats; a new sweep starts
   * without one. Items carry personal data. Repeated after a reply that was lost, it reads again.
   */
  pendingScores(query?: PendingScoresQuery, options?: Options): Promise<PendingScoresReply>;
  /**
   * Report per score whether it was delivered. Ids that are unknown or of another project are ignored without
   * error. `delivered` is final for the revision that was pushed; an ack of an older one leaves the newer pending.
   * The same id twice: the last one wins. Repeated after a reply that was lost, it says the same again; `updated`
   * counts what still changed, and `attempts` of a failed one may count twice.
   */
  ackScores(input: AckScoresInput, options?: Options): Promise<AckScoresReply>;
  /**
   * Export responses and dismissals: of one person, of one survey, or of the whole project. Filters combine:
   * `respondentId` and `email` are one person, `surveySlug`, `from` and `to` narrow. A parameter that is not listed
   * here is refused. Without `limit` and `cursor` the whole result comes in one reply, gzip-encoded when accepted;
   * one that cannot fit is `export_too_large`. A page may hold fewer rows than `limit`, even none; the last one has
   * no `nextCursor`. Repeated after a reply that was lost, it reads again. 90 s by default. A filter that is there
   * without a value is a `TypeError`.
   */
  exportResponses(query?: ExportResponsesQuery, options?: Options): Promise<ExportResponsesReply>;
  /**
   * Erase a respondent, a survey or the whole account. Exactly one mode: `respondentId` and/or `email`,
   * `surveySlug` alone, or `account`. Anything else, a parameter that is not listed here too, is `ambiguous_erase`
   * and erases nothing. A survey or account purge goes on after the reply. With `account` the key must have the
   * scope `account`. Repeated after a reply that was lost, it counts nothing twice; of the account it is
   * `invalid_key`, since its keys are revoked as soon as it began. 90 s by default. A filter that is there without
   * a value is a `TypeError`.
   */
  erase(query: EraseQuery, options?: Options): Promise<EraseReply>;
  /**
   * What was answered to a survey: numbers over a span of days. Model-requested responses stand beside the
   * headline, never in it; imported ones are in it. Days are UTC. Numbers are not rounded. Repeated after a reply
   * that was lost, it reads again.
   */
  results(query: ResultsQuery, options?: Options): Promise<ResultsReply>;
  /**
   * What people wrote, newest first. With a filter a page may hold fewer than `limit`, even none, and still have
   * `nextCursor`. Items carry personal data. Repeated after a reply that was lost, it reads again.
   */
  comments(query: CommentsQuery, options?: Options): Promise<CommentsReply>;
  /**
   * The surveys of the project, those that are not asked now too, with how many responses each has. Repeated after
   * a reply that was lost, it reads again.
   */
  surveys(options?: Options): Promise<SurveysReply>;
  /**
   * People who asked to be contacted, newest first. With or without words. Of one survey a page may hold fewer than
   * `limit`, even none, and still have `nextCursor`. Items carry personal data. Repeated after a reply that was
   * lost, it reads again.
   */
  contacts(query?: ContactsQuery, options?: Options): Promise<ContactsReply>;
  /**
   * Notes that somebody has seen to a wish to be contacted, or opens it again. The same again changes nothing: who
   * said so first, and when, is kept. A revision of the answer that carries the wish opens it again. Repeated after
   * a reply that was lost, it changes nothing, unless the answer was changed in between.
   */
  handleContact(input: HandleContactInput, options?: Options): Promise<HandleContactReply>;
}

export function createCalls<Options>(send: Send<Options>): Calls<Options> {
  return {
    mintTokens: (body, options) =>
      send({ method: 'POST', path: '/v1/sdk/tokens', replyField: 'tokens' }, { body }, options),
    deferredAskLink: (body, options) =>
      send({ method: 'POST', path: '/v1/sdk/deferred-ask-link', replyField: 'ok' }, { body }, options),
    pendingScores: (query, options) =>
      send({ method: 'GET', path: '/v1/sdk/pending-scores', replyField: 'scores' }, { query }, options),
    ackScores: (body, options) =>
      send({ method: 'POST', path: '/v1/sdk/pending-scores/ack', replyField: 'updated' }, { body }, options),
    exportResponses: (query, options) =>
      send({ method: 'GET', path: '/v1/privacy/export', replyField: 'projectId', isLong: true, hasFilters: true }, { query }, options),
    erase: (query, options) =>
      send({ method: 'DELETE', path: '/v1/privacy/erase', replyField: 'mode', isLong: true, hasFilters: true }, { query }, options),
    results: (query, options) =>
      send({ method: 'GET', path: '/v1/results', replyField: 'survey' }, { query }, options),
    comments: (query, options) =>
      send({ method: 'GET', path: '/v1/results/comments', replyField: 'comments' }, { query }, options),
    surveys: (options) =>
      send({ method: 'GET', path: '/v1/surveys', replyField: 'surveys' }, {}, options),
    contacts: (query, options) =>
      send({ method: 'GET', path: '/v1/contacts', replyField: 'contacts' }, { query }, options),
    handleContact: ({ id, ...body }, options) =>
      send({ method: 'PUT', path: `/v1/contacts/${encodeURIComponent(id)}`, replyField: 'id' }, { body }, options),
  };
}
