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
  | 'preview_not_found'
  | 'survey_not_found'
  | 'respondent_not_found'
  | 'response_not_found'
  | 'token_used'
  | 'revision_conflict'
  | 'surveys_changed'
  | 'rate_limited'
  | 'internal_error'
  | 'temporarily_unavailable';

/** What is wrong with a field. */
export interface Issue {
  /** Where it is, such as `traits.plan`. */
  readonly path: string;
  /** What must be otherwise. */
  readonly message: string;
}

/** A token with all that it attests, as the SDK's `bind` takes it. */
type Binding = {
  /** Id of the survey. */
  surveyId: string;
  /** Name of the survey in code. */
  slug: string;
  /** Opaque, single-use show-token. */
  showToken: string;
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string;
  /** What the token attests of the trace; null where it is bound to none. */
  traceId?: string;
  /** What the token attests of the observation; null where it is bound to none. */
  observationId?: string;
  /** What the turn was about, as your server said. */
  taskType?: string;
};

type Link = {
  /** True: it was done. */
  ok: true;
  /** Address to open. */
  url: string;
  /** Opaque, single-use show-token. */
  showToken: string;
  /** ISO 8601 UTC with milliseconds. */
  issuedAt: string;
  /** ISO 8601 UTC with milliseconds. */
  expiresAt: string;
  /** Id of the survey. */
  surveyId: string;
  /** Who answered, as your side names the person. */
  respondentId: string;
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string | null;
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

/** The respondent may not be asked, and why. */
type NoLink = {
  /** True: it was done. */
  ok: false;
  /** Why there is no link. */
  reason: 'not_active' | 'unbound' | 'suppressed' | 'history_too_long' | 'quiet_period' | 'monthly_cap' | 'shown_often' | 'survey_maximum' | 'project_quota';
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

/** A linked response that waits for delivery; of its session values those that its token attests. */
type PendingScore = {
  /** Of the thing that it stands in. */
  id: string;
  /** Id of the survey. */
  surveyId: string;
  /** Name of the survey in code. */
  surveySlug: string;
  /** Which kind of question it is. */
  surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
  /** Lowest and highest rating. */
  scale: {
    /** Lowest rating. */
    min: number;
    /** Highest rating. */
    max: number;
  };
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string | null;
  /** What the token attests of the trace; null where it is bound to none. */
  traceId: string | null;
  /** What the token attests of the observation; null where it is bound to none. */
  observationId: string | null;
  /** Who answered, as your side names the person. */
  respondentId: string;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  /** Whether it waits, or failed. */
  state: 'pending' | 'failed';
  /** How often delivery was tried. */
  attempts: number;
  /** Why delivery failed last. */
  lastError: string | null;
  /** 0 until the answer is changed. */
  revision: number;
  /** When the person changed it last; null where it is as given. */
  revisedAt: string | null;
  /** When delivery was tried last. */
  triedAt: string | null;
  /** Whether the person took it back. */
  withdrawn: false;
  /** On the survey's scale. */
  rating: number;
  /** Words of the person; null without. */
  text: string | null;
  /** Codes of what the person chose, in the order of the survey. */
  reasons: string[] | null;
  /** How the person was known. */
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** What the turn was about, as your server said. */
  taskType: string | null;
  /** What your server said of the turn. */
  labels: Record<string, string> | null;
  /** Where the person answered: slack, mail, voice. */
  channel: string | null;
};

/** A withdrawn response, only with `includeWithdrawn`: delete it where it was delivered. */
type WithdrawnScore = {
  /** Of the thing that it stands in. */
  id: string;
  /** Id of the survey. */
  surveyId: string;
  /** Name of the survey in code. */
  surveySlug: string;
  /** Which kind of question it is. */
  surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
  /** Lowest and highest rating. */
  scale: {
    /** Lowest rating. */
    min: number;
    /** Highest rating. */
    max: number;
  };
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string | null;
  /** What the token attests of the trace; null where it is bound to none. */
  traceId: string | null;
  /** What the token attests of the observation; null where it is bound to none. */
  observationId: string | null;
  /** Who answered, as your side names the person. */
  respondentId: string;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  /** Whether it waits, or failed. */
  state: 'pending' | 'failed';
  /** How often delivery was tried. */
  attempts: number;
  /** Why delivery failed last. */
  lastError: string | null;
  /** 0 until the answer is changed. */
  revision: number;
  /** When the person changed it last; null where it is as given. */
  revisedAt: string | null;
  /** When delivery was tried last. */
  triedAt: string | null;
  /** Whether the person took it back. */
  withdrawn: true;
  /** On the survey's scale. */
  rating: null;
  /** Words of the person; null without. */
  text: null;
  /** Codes of what the person chose, in the order of the survey. */
  reasons: null;
  /** How the person was known. */
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** What the turn was about, as your server said. */
  taskType: string | null;
  /** What your server said of the turn. */
  labels: Record<string, string> | null;
  /** Where the person answered: slack, mail, voice. */
  channel: string | null;
};

/** The figure of the survey's type with its interval of 95 %; percentages from 0 to 100. */
type ResultScore = {
  /** Which figure it is, by the type of the survey. */
  metric: 'nps';
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** How sure the interval is, percent. */
  confidence: number;
  /** Ratings 9 and 10. */
  promoters: number;
  /** Ratings 7 and 8. */
  passives: number;
  /** Ratings 0 to 6. */
  detractors: number;
} | {
  /** Which figure it is, by the type of the survey. */
  metric: 'csat';
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** How sure the interval is, percent. */
  confidence: number;
  /** Average rating. */
  mean: number;
} | {
  /** Which figure it is, by the type of the survey. */
  metric: 'ces';
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** How sure the interval is, percent. */
  confidence: number;
  /** Percentage of the ratings that agree. */
  agree: number;
} | {
  /** Which figure it is, by the type of the survey. */
  metric: 'pmf';
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** How sure the interval is, percent. */
  confidence: number;
} | {
  /** Which figure it is, by the type of the survey. */
  metric: 'thumbs';
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
  /** How sure the interval is, percent. */
  confidence: number;
};

/** The score of the reply less this one, with its interval of 95 %. */
type ScoreDifference = {
  /** The figure; of a segment, its value. */
  value: number;
  /** Lower end of the interval. */
  low: number;
  /** Upper end of the interval. */
  high: number;
};

/** A response with the words and the person it is from. */
type Comment = {
  /** Of the thing that it stands in. */
  id: string;
  /** On the survey's scale. */
  rating: number;
  /** Words of the person; null without. */
  text: string | null;
  /** Whether the person wants to be contacted; null where they were not asked. */
  followUpRequested: boolean | null;
  /** Where to reach the person, as they said it. */
  contact: string | null;
  /** Codes of what the person chose, in the order of the survey. */
  reasons: string[] | null;
  /** What the page said of the person. */
  traits: Record<string, string | number | boolean | null> | null;
  /** How the person was known. */
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** What the turn was about, as your server said. */
  taskType: string | null;
  /** What your server said of the turn. */
  labels: Record<string, string> | null;
  /** Where the person answered: slack, mail, voice. */
  channel: string | null;
  /** Who answered, as your side names the person. */
  respondentId: string;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string | null;
  /** What the token attests of the trace; null where it is bound to none. */
  traceId: string | null;
  /** Where it came from. */
  source: 'sdk' | 'import';
  /** ISO 8601 UTC with milliseconds. */
  at: string;
};

/** A person who asked to be contacted, and their answer. */
type Contact = {
  /** Of the thing that it stands in. */
  id: string;
  /** On the survey's scale. */
  rating: number;
  /** Words of the person; null without. */
  text: string | null;
  /** Whether the person wants to be contacted; null where they were not asked. */
  followUpRequested: boolean | null;
  /** Where to reach the person, as they said it. */
  contact: string | null;
  /** Codes of what the person chose, in the order of the survey. */
  reasons: string[] | null;
  /** What the page said of the person. */
  traits: Record<string, string | number | boolean | null> | null;
  /** How the person was known. */
  identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
  /** What the turn was about, as your server said. */
  taskType: string | null;
  /** What your server said of the turn. */
  labels: Record<string, string> | null;
  /** Where the person answered: slack, mail, voice. */
  channel: string | null;
  /** Who answered, as your side names the person. */
  respondentId: string;
  /** Whether a server or a signed token named the respondent, not the page. */
  verified: boolean;
  /** What the token attests of the session; null where it is bound to none. */
  sessionId: string | null;
  /** What the token attests of the trace; null where it is bound to none. */
  traceId: string | null;
  /** Where it came from. */
  source: 'sdk' | 'import';
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  /** What was asked. */
  survey: {
    /** Of the thing that it stands in. */
    id: string;
    /** Name of the survey in code. */
    slug: string;
  };
  /** Who saw to the person, and what came of it; null while nobody has. */
  handled: {
    /** ISO 8601 UTC with milliseconds. */
    at: string;
    /** Who did it: a name, or the id of a key. */
    by: string;
    /** What else happened, in words. */
    note: string | null;
  } | null;
};

/** What `mintTokens` takes. */
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
  /** What the server knows of the turn, such as its model, prompt or arm; sealed in the token. At most 4, named as ^[a-z][a-z0-9-]{0,31}$, with values of 1 to 64 bytes; any other is dropped and named. */
  labels?: Record<string, string> | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveyId?: string | undefined;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  surveySlug?: string | undefined;
  /** Whether an answer of the kind `model-requested` may use the tokens. */
  allowModelRequested?: boolean | undefined;
};

/** What `mintTokens` resolves to. */
export type MintTokensReply = {
  /** Show-tokens by the id of their survey. */
  tokens: Record<string, string>;
  /** By slug. */
  bindings: Record<string, Binding>;
  /** What keeps the person from being asked. */
  suppression: string[];
  /** ISO 8601 UTC with milliseconds. */
  issuedAt: string;
  /** Paths of what was sent and not kept, such as `traits.orgs`. */
  dropped?: string[];
};

/** What `deferredAskLink` takes. */
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
  /** What the server knows of the turn, such as its model, prompt or arm; sealed in the token. At most 4, named as ^[a-z][a-z0-9-]{0,31}$, with values of 1 to 64 bytes; any other is dropped and named. */
  labels?: Record<string, string> | undefined;
  /** From 1s to 30d; unless said as long as the project says, usually 7d. */
  expiresIn?: string | undefined;
};

/** What `deferredAskLink` resolves to. */
export type DeferredAskLinkReply = Link | NoLink;

/** What `pendingScores` takes. */
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

/** What `pendingScores` resolves to. */
export type PendingScoresReply = {
  /** Scores that wait to be delivered. */
  scores: (PendingScore | WithdrawnScore)[];
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `ackScores` takes. */
export type AckScoresInput = {
  /** Results of delivery, one for each score. */
  results: ({
    /** Of the thing that it stands in. */
    id: string;
    /** `trying`: a push begins. The others: what became of it. */
    state: 'trying' | 'delivered' | 'failed';
    /** Why it could not be delivered. */
    error?: string | null | undefined;
    /** How often it was changed. */
    revision?: number | null | undefined;
  })[];
};

/** What `ackScores` resolves to. */
export type AckScoresReply = {
  /** True: it was done. */
  ok: true;
  /** How many scores changed their state. */
  updated: number;
};

/** What `exportResponses` takes. */
export type ExportResponsesQuery = {
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  respondentId?: string;
  /** At most 256 bytes of UTF-8, no lone surrogates. */
  email?: string;
  /** Name of the survey in code. */
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

/** What `exportResponses` resolves to. */
export type ExportResponsesReply = {
  /** Id of the project. */
  projectId: string;
  /** ISO 8601 UTC with milliseconds. */
  exportedAt: string;
  /** By slug: answers before that day are gone. Absent where none of any survey are. */
  completeFrom?: Record<string, string>;
  /** How many. */
  count: number;
  /** Answers; the list of them, or how many. */
  responses: ({
    /** Of the thing that it stands in. */
    id: string;
    /** Id of the survey. */
    surveyId: string;
    /** Name of the survey in code. */
    surveySlug: string | null;
    /** Which kind of question it is. */
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    /** On the survey's scale. */
    rating: number | null;
    /** Words of the person; null without. */
    text: string | null;
    /** Whether the person wants to be contacted; null where they were not asked. */
    followUpRequested: boolean | null;
    /** Where to reach the person, as they said it. */
    contact: string | null;
    /** Codes of what the person chose, in the order of the survey. */
    reasons: string[] | null;
    /** What the page said of the person. */
    traits: Record<string, string | number | boolean | null> | null;
    /** How the person was known. */
    identityKind: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested' | null;
    /** What the turn was about, as your server said. */
    taskType: string | null;
    /** What your server said of the turn. */
    labels: Record<string, string> | null;
    /** Where the person answered: slack, mail, voice. */
    channel: string | null;
    /** Who answered, as your side names the person. */
    respondentId: string;
    /** Whether a server or a signed token named the respondent, not the page. */
    verified: boolean;
    /** What the token attests of the session; null where it is bound to none. */
    sessionId: string | null;
    /** What the token attests of the trace; null where it is bound to none. */
    traceId: string | null;
    /** What the token attests of the observation; null where it is bound to none. */
    observationId: string | null;
    /** Whether it is bound to a session. */
    linked: boolean;
    /** What became of its score; null where it has none. */
    scoreState: 'pending' | 'failed' | 'delivered' | null;
    /** Where it came from. */
    source: 'sdk' | 'import';
    /** ISO 8601 UTC with milliseconds. */
    at: string;
    /** 0 until the answer is changed. */
    revision: number;
    /** When the person changed it last; null where it is as given. */
    revisedAt: string | null;
    /** Whether the person took it back. */
    withdrawn: boolean;
    /** Who saw to the person, and what came of it; null while nobody has. */
    handled: {
      /** ISO 8601 UTC with milliseconds. */
      at: string;
      /** Who did it: a name, or the id of a key. */
      by?: string;
      /** What else happened, in words. */
      note: string | null;
    } | null;
  })[];
  /** Of those who were asked, who did not want to answer. */
  dismissals: ({
    /** Of the thing that it stands in. */
    id: string;
    /** Id of the survey. */
    surveyId: string;
    /** Name of the survey in code. */
    surveySlug: string | null;
    /** Which kind of question it is. */
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    /** Who answered, as your side names the person. */
    respondentId: string;
    /** Whether a server or a signed token named the respondent, not the page. */
    verified: boolean;
    /** ISO 8601 UTC with milliseconds. */
    at: string;
  })[];
  /** Of a person: what was on their screen. */
  shows?: ({
    /** Id of the survey. */
    surveyId: string;
    /** Name of the survey in code. */
    surveySlug: string | null;
    /** Which kind of question it is. */
    surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | null;
    /** ISO 8601 UTC with milliseconds. */
    at: string;
  })[];
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `erase` takes. */
export type EraseQuery =
  | {
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly respondentId: string;
    readonly email?: never;
    readonly surveySlug?: never;
    readonly account?: never;
  }
  | {
    readonly respondentId?: never;
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly email: string;
    readonly surveySlug?: never;
    readonly account?: never;
  }
  | {
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly respondentId: string;
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly email: string;
    readonly surveySlug?: never;
    readonly account?: never;
  }
  | {
    readonly respondentId?: never;
    readonly email?: never;
    /** Name of the survey in code. */
    readonly surveySlug: string;
    readonly account?: never;
  }
  | {
    readonly respondentId?: never;
    readonly email?: never;
    readonly surveySlug?: never;
    /** Everything of the project: it is purged. */
    readonly account: true | 'true';
  };

/** What `erase` resolves to. */
export type EraseReply = {
  /** True: it was done. */
  ok: true;
  /** What was erased. */
  mode: 'respondent' | 'survey' | 'account';
  /** The ids under which the person was found. */
  respondentIds?: string[];
  /** How many answers were deleted. */
  responsesDeleted?: number;
  /** How many dismissals were deleted. */
  dismissalsDeleted?: number;
  /** Whether the person is still not asked again. */
  suppressionRetained?: number;
  /** Name of the survey in code. */
  surveySlug?: string;
  /** What else happened, in words. */
  note?: string;
};

/** What `results` takes. */
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
  | {
    /** Either this or `surveyId`. */
    readonly surveySlug: string;
  }
  | {
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly surveyId: string;
  }
);

/** What `results` resolves to. */
export type ResultsReply = {
  /** What was asked. */
  survey: {
    /** Of the thing that it stands in. */
    id: string;
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Lowest and highest rating. */
    scale: {
      /** Lowest rating. */
      min: number;
      /** Highest rating. */
      max: number;
    };
  };
  /** First day, UTC. */
  from: string;
  /** Last day, UTC, included. */
  to: string;
  /** Of replies to callers who may not read comments: fewer ratings than these are shown together with others. */
  smallestCell?: number;
  /** Last day of the last week that is over: no later answer is in the numbers. */
  shownTo?: string;
  /** Answers before this day, UTC, are gone, and their numbers stay; null: none are. */
  completeFrom: string | null;
  /** Answers; the list of them, or how many. */
  responses: number;
  /** How many answers each rating has, lowest first. */
  distribution: {
    /** On the survey's scale. */
    rating: number;
    /** How many. */
    count: number;
  }[];
  /** Figure with its interval; null without answers. */
  score: ResultScore | null;
  /** Of them, imported ones. */
  imported: number | null;
  /** Answers that a model asked for; they are in no other figure. */
  modelRequested: number | null;
  /** Of those who were asked, who did not want to answer. */
  dismissals: number | null;
  /** How often it was on a screen; null where that is not recorded. */
  shows: number | null;
  /** Answers of those who were shown it, 0 to 1; null where shows are not known. */
  responseRate: number | null;
  /** Answers with words; the list of them, or how many. */
  comments: number | null;
  /** People who want to be contacted. */
  followUpsRequested: number | null;
  /** Codes of what the person chose, in the order of the survey. */
  reasons: {
    /** Name of the reason in code. */
    code: string;
    /** What people read. */
    label: string;
    /** How many. */
    count: number;
  }[] | null;
  /** The span in buckets, oldest first. */
  series: ({
    /** First day, UTC. */
    from: string;
    /** Last day, UTC, included. */
    to: string;
    /** Answers; the list of them, or how many. */
    responses: number;
    /** How many answers each rating has, lowest first. */
    distribution: {
      /** On the survey's scale. */
      rating: number;
      /** How many. */
      count: number;
    }[];
    /** Figure with its interval; null without answers. */
    score: ResultScore | null;
    /** Of those who were asked, who did not want to answer. */
    dismissals: number | null;
    /** How often it was on a screen; null where that is not recorded. */
    shows: number | null;
    /** Some of its days are shown together with others alone, or not at all. */
    withheld?: true;
  })[];
  /** Parts of the answers, by what was declared. */
  segments?: ({
    /** The figure; of a segment, its value. */
    value: string | null;
    /** Answers; the list of them, or how many. */
    responses: number;
    /** How many answers each rating has, lowest first. */
    distribution: {
      /** On the survey's scale. */
      rating: number;
      /** How many. */
      count: number;
    }[];
    /** Figure with its interval; null without answers. */
    score: ResultScore | null;
  })[];
  /** The span of the same length before. */
  previous?: {
    /** First day, UTC. */
    from: string;
    /** Last day, UTC, included. */
    to: string;
    /** Answers; the list of them, or how many. */
    responses: number;
    /** Figure with its interval; null without answers. */
    score: ResultScore | null;
    /** Of the two scores, with its interval. */
    difference: ScoreDifference | null;
  };
  /** All other answers, or those of one other value, to compare with. */
  against?: {
    /** The figure; of a segment, its value. */
    value: string | null;
    /** Answers; the list of them, or how many. */
    responses: number;
    /** Figure with its interval; null without answers. */
    score: ResultScore | null;
    /** Of the two scores, with its interval. */
    difference: ScoreDifference | null;
  };
};

/** What `comments` takes. */
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
  | {
    /** Either this or `surveyId`. */
    readonly surveySlug: string;
  }
  | {
    /** At most 256 bytes of UTF-8, no lone surrogates. */
    readonly surveyId: string;
  }
);

/** What `comments` resolves to. */
export type CommentsReply = {
  /** Answers with words; the list of them, or how many. */
  comments: Comment[];
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `surveys` resolves to. */
export type SurveysReply = {
  /** Of the project, in the order in which they are asked. */
  surveys: ({
    /** Of the thing that it stands in. */
    id: string;
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Lowest and highest rating. */
    scale: {
      /** Lowest rating. */
      min: number;
      /** Highest rating. */
      max: number;
    };
    /** Whether it is asked now. */
    status: 'draft' | 'active' | 'paused' | 'archived';
    /** Answers; the list of them, or how many. */
    responses: number;
    /** How long answers stay; null: for ever. */
    keeps: string | null;
    /** Answers before this day, UTC, are gone, and their numbers stay; null: none are. */
    completeFrom: string | null;
    /** Parts of the answers, by what was declared. */
    segments: string[];
    /** What the declared ones are of, by name. */
    segmentSources: Record<string, 'trait' | 'label' | 'taskType' | 'channel'>;
    /** The declared values of each; `other` and `null` can be asked for, too. */
    segmentValues: Record<string, string[]>;
    /** That it lists, and then those that it had before, whose label is their code. */
    reasons: {
      /** Name of the reason in code. */
      code: string;
      /** What people read. */
      label: string;
    }[];
  })[];
  /** The project of the key. */
  project: {
    /** Of the thing that it stands in. */
    id: string;
    /** What the people who are asked know it by. */
    name: string;
    /** Its colour, `#rrggbb`. */
    accent: string | null;
  };
};

/** What `contacts` takes. */
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

/** What `contacts` resolves to. */
export type ContactsReply = {
  /** People who asked to be contacted. */
  contacts: Contact[];
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `handleContact` takes. */
export type HandleContactInput = {
  /** Of the response. */
  id: string;
  /** `false` opens it again. */
  handled: boolean;
  /** For colleagues; an empty one takes the one before away. A lone surrogate is replaced. */
  note?: string | undefined;
};

/** What `handleContact` resolves to. */
export type HandleContactReply = {
  /** True: it was done. */
  ok: true;
  /** Of the thing that it stands in. */
  id: string;
  /** Who saw to the person, and what came of it; null while nobody has. */
  handled: boolean;
};

/** What `surveyDefinitions` takes. */
export type SurveyDefinitionsQuery = {
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
  /** Whether the last changes are told as well. */
  log?: boolean | undefined;
};

/** What `surveyDefinitions` resolves to. */
export type SurveyDefinitionsReply = {
  /** Of the caller: an editor may change surveys. */
  role: 'viewer' | 'editor';
  /** Whether the caller is shown what people wrote, and contacts. */
  comments: boolean;
  /** How often the surveys of the project were changed, as one set. */
  revision: number;
  /** Slugs of all surveys, as they are asked. */
  order: string[];
  /** Of the project, in the order in which they are asked. */
  surveys: ({
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Asked for words after the rating. */
    followUpQuestion?: string;
    /** Codes of what the person chose, in the order of the survey. */
    reasons?: {
      /** Name of the reason in code. */
      code: string;
      /** What people read. */
      label: string;
    }[];
    /** How it is shown. */
    presentation?: 'corner' | 'inline' | 'banner';
    /** Where it appears. */
    corner?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
    /** Whether it appears by itself. */
    trigger?: 'auto' | 'manual';
    /** Milliseconds before it may appear by itself. */
    delayMs?: number;
    /** Patterns of paths, one of which must fit: `*` is a part, `**` any rest. */
    pages?: string[];
    /** What an `auto` survey waits for, as the page tells it. */
    on?: {
      /** Name of what happens in the page. */
      event: string;
      /** A duration, `2s`, in place of `delayMs`. */
      after?: string;
      /** How often it has to happen in a visit; once unless said. */
      times?: number;
    };
    /** How many of a hundred people are asked. */
    samplePercent?: number;
    /** Whom it is for: all of these hold. */
    targeting?: ({
      /** Its name. */
      trait: string;
      /** How the trait is compared. */
      op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
      /** The figure; of a segment, its value. */
      value?: string | number | boolean | null | (string | number | boolean | null)[];
    })[];
    /** Words at both ends of the scale. */
    endLabels?: {
      /** Lower end of the interval. */
      low: string;
      /** Upper end of the interval. */
      high: string;
    };
    /** Whether it says who makes it. */
    showBadge?: boolean;
    /** Higher is asked first; 0 unless said. */
    priority?: number;
    /** What follows an answer. */
    thanks?: {
      /** Words of the person; null without. */
      text: string;
      /** Where the thanks lead. */
      link?: {
        /** What people read. */
        label: string;
        /** Address to open. */
        url: string;
      };
    };
    /** In place of the widget’s own. */
    words?: {
      /** Sends the answer. */
      send?: string;
      /** Says no. */
      close?: string;
      /** Where to reach the person, as they said it. */
      contact?: string;
      /** Label of the field for an address. */
      contactAddress?: string;
      /** Meanings of the ratings, lowest first. */
      values?: string[];
    };
    /** Its texts in other languages. */
    locales?: Record<string, {
      /** What people are asked. */
      question?: string;
      /** Asked for words after the rating. */
      followUpQuestion?: string;
      /** Words at both ends of the scale. */
      endLabels?: {
        /** Lower end of the interval. */
        low: string;
        /** Upper end of the interval. */
        high: string;
      };
      /** Labels by code. */
      reasons?: Record<string, string>;
      /** What follows an answer. */
      thanks?: {
        /** Words of the person; null without. */
        text: string;
        /** Where the thanks lead. */
        link?: {
          /** What people read. */
          label: string;
          /** Address to open. */
          url: string;
        };
      };
      /** In place of the widget’s own. */
      words?: {
        /** Sends the answer. */
        send?: string;
        /** Says no. */
        close?: string;
        /** Where to reach the person, as they said it. */
        contact?: string;
        /** Label of the field for an address. */
        contactAddress?: string;
        /** Meanings of the ratings, lowest first. */
        values?: string[];
      };
    }>;
    /** Whether it is asked now. */
    status?: 'draft' | 'active' | 'paused' | 'archived';
    /** Asked from then on. */
    startsAt?: string;
    /** No longer asked from then on. */
    endsAt?: string;
    /** How often one person may be asked. */
    repeat?: 'session' | 'observation' | string | {
      /** After an answer, such as `90d`. */
      answered?: string;
      /** After a dismissal, such as `14d`. */
      dismissed?: string;
    };
    /** What it adds to the limits of the project. */
    limits?: {
      /** No longer asked after so many. */
      maxResponses?: number;
      /** Nothing is asked so long after an answer, such as `7d`. */
      quietPeriod?: string | 0;
      /** Whether it is asked in a quiet period as well. */
      ignoreQuietPeriod?: boolean;
    };
    /** Parts of the answers, by what was declared. */
    segments?: Record<string, unknown>;
    /** How long its answers stay; left out: as long as those of the project. */
    retention?: string;
  })[];
  /** `apply`, the command line, or `console`. */
  source: 'apply' | 'console';
  /** Who; null where that was not noted. */
  changedBy: string | null;
  /** When; null where that was not noted. */
  changedAt: string | null;
  /** Of each survey of the page, by slug: its id, and its own last change. */
  lastChanges: Record<string, {
    /** Of the thing that it stands in. */
    id: string;
    /** `apply`, the command line, or `console`. */
    source: 'apply' | 'console';
    /** Who; null where that was not noted. */
    changedBy: string | null;
    /** When; null where that was not noted. */
    changedAt: string | null;
  }>;
  /** With `log`: the changes of the last 10 revisions, newest first. */
  log?: ({
    /** How often the surveys of the project were changed, as one set. */
    revision: number;
    /** `apply`, the command line, or `console`. */
    source: 'apply' | 'console';
    /** Who; null where that was not noted. */
    changedBy: string | null;
    /** When; null where that was not noted. */
    changedAt: string | null;
    /** Of the project, in the order in which they are asked. */
    surveys: ({
      /** Name of the survey in code. */
      slug: string;
      /** What became of the survey. */
      action: 'created' | 'updated';
      /** As a file names them. */
      fields: string[];
    })[];
    /** Whether the order of asking changes. */
    reordered: boolean;
  })[];
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `putSurveyDefinitions` takes. */
export type PutSurveyDefinitionsInput = {
  /** How often the surveys of the project were changed, as one set. */
  revision: number;
  /** Of the project, in the order in which they are asked. */
  surveys: ({
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Asked for words after the rating. */
    followUpQuestion?: string | undefined;
    /** Codes of what the person chose, in the order of the survey. */
    reasons?: {
      /** Name of the reason in code. */
      code: string;
      /** What people read. */
      label: string;
    }[] | undefined;
    /** How it is shown. */
    presentation?: 'corner' | 'inline' | 'banner' | undefined;
    /** Where it appears. */
    corner?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left' | undefined;
    /** Whether it appears by itself. */
    trigger?: 'auto' | 'manual' | undefined;
    /** Milliseconds before it may appear by itself. */
    delayMs?: number | undefined;
    /** Patterns of paths, one of which must fit: `*` is a part, `**` any rest. */
    pages?: string[] | undefined;
    /** What an `auto` survey waits for, as the page tells it. */
    on?: {
      /** Name of what happens in the page. */
      event: string;
      /** A duration, `2s`, in place of `delayMs`. */
      after?: string | undefined;
      /** How often it has to happen in a visit; once unless said. */
      times?: number | undefined;
    } | undefined;
    /** How many of a hundred people are asked. */
    samplePercent?: number | undefined;
    /** Whom it is for: all of these hold. */
    targeting?: ({
      /** Its name. */
      trait: string;
      /** How the trait is compared. */
      op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
      /** The figure; of a segment, its value. */
      value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
    })[] | undefined;
    /** Words at both ends of the scale. */
    endLabels?: {
      /** Lower end of the interval. */
      low: string;
      /** Upper end of the interval. */
      high: string;
    } | undefined;
    /** Whether it says who makes it. */
    showBadge?: boolean | undefined;
    /** Higher is asked first; 0 unless said. */
    priority?: number | undefined;
    /** What follows an answer. */
    thanks?: {
      /** Words of the person; null without. */
      text: string;
      /** Where the thanks lead. */
      link?: {
        /** What people read. */
        label: string;
        /** Address to open. */
        url: string;
      } | undefined;
    } | undefined;
    /** In place of the widget’s own. */
    words?: {
      /** Sends the answer. */
      send?: string | undefined;
      /** Says no. */
      close?: string | undefined;
      /** Where to reach the person, as they said it. */
      contact?: string | undefined;
      /** Label of the field for an address. */
      contactAddress?: string | undefined;
      /** Meanings of the ratings, lowest first. */
      values?: string[] | undefined;
    } | undefined;
    /** Its texts in other languages. */
    locales?: Record<string, {
      /** What people are asked. */
      question?: string | undefined;
      /** Asked for words after the rating. */
      followUpQuestion?: string | undefined;
      /** Words at both ends of the scale. */
      endLabels?: {
        /** Lower end of the interval. */
        low: string;
        /** Upper end of the interval. */
        high: string;
      } | undefined;
      /** Labels by code. */
      reasons?: Record<string, string> | undefined;
      /** What follows an answer. */
      thanks?: {
        /** Words of the person; null without. */
        text: string;
        /** Where the thanks lead. */
        link?: {
          /** What people read. */
          label: string;
          /** Address to open. */
          url: string;
        } | undefined;
      } | undefined;
      /** In place of the widget’s own. */
      words?: {
        /** Sends the answer. */
        send?: string | undefined;
        /** Says no. */
        close?: string | undefined;
        /** Where to reach the person, as they said it. */
        contact?: string | undefined;
        /** Label of the field for an address. */
        contactAddress?: string | undefined;
        /** Meanings of the ratings, lowest first. */
        values?: string[] | undefined;
      } | undefined;
    }> | undefined;
    /** Whether it is asked now. */
    status?: 'draft' | 'active' | 'paused' | 'archived' | undefined;
    /** Asked from then on. */
    startsAt?: string | undefined;
    /** No longer asked from then on. */
    endsAt?: string | undefined;
    /** How often one person may be asked. */
    repeat?: 'session' | 'observation' | string | {
      /** After an answer, such as `90d`. */
      answered?: string | undefined;
      /** After a dismissal, such as `14d`. */
      dismissed?: string | undefined;
    } | undefined;
    /** What it adds to the limits of the project. */
    limits?: {
      /** No longer asked after so many. */
      maxResponses?: number | undefined;
      /** Nothing is asked so long after an answer, such as `7d`. */
      quietPeriod?: string | 0 | undefined;
      /** Whether it is asked in a quiet period as well. */
      ignoreQuietPeriod?: boolean | undefined;
    } | undefined;
    /** Parts of the answers, by what was declared. */
    segments?: Record<string, unknown> | undefined;
    /** How long its answers stay; left out: as long as those of the project. */
    retention?: string | undefined;
  })[];
  /** Slugs that are asked first, in this order. */
  order?: string[] | undefined;
  /** Nothing is stored. */
  dryRun?: boolean | undefined;
};

/** What `putSurveyDefinitions` resolves to. */
export type PutSurveyDefinitionsReply = {
  /** How often the surveys of the project were changed, as one set. */
  revision: number;
  /** Slugs of new surveys. */
  created: string[];
  /** How many scores changed their state. */
  updated: string[];
  /** Slugs of surveys that are so already. */
  unchanged: string[];
  /** What changes, survey by survey. */
  changes: ({
    /** Name of the survey in code. */
    slug: string;
    /** What became of the survey. */
    action: 'created' | 'updated';
    /** What changes of it. */
    fields: {
      /** As a file writes it: `limits.quietPeriod`. */
      field: string;
      /** As it was; null where there was none. */
      before: unknown;
      /** As it is then; null where there is none. */
      after: unknown;
    }[];
  })[];
  /** Whether the order of asking changes. */
  reordered: boolean;
};

/** What `overview` takes. */
export type OverviewQuery = {
  /** Most items of the page; a larger one is capped. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before, for the same query. */
  cursor?: string | undefined;
};

/** What `overview` resolves to. */
export type OverviewReply = {
  /** First day of the span, UTC. */
  from: string;
  /** Today, UTC, included; to who may not read comments the last Sunday, where there is a `smallestCell`. */
  to: string;
  /** Of the project, in the order in which they are asked. */
  surveys: ({
    /** Of the thing that it stands in. */
    id: string;
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Whether it is asked now. */
    status: 'draft' | 'active' | 'paused' | 'archived';
    /** Answers; the list of them, or how many. */
    responses: number;
    /** Figure with its interval; null without answers. */
    score: ResultScore | null;
    /** The span in four parts of seven days, oldest first. */
    trend: ({
      /** First day, UTC. */
      from: string;
      /** Last day, UTC, included. */
      to: string;
      /** Answers; the list of them, or how many. */
      responses: number;
      /** Figure with its interval; null without answers. */
      score: ResultScore | null;
    })[];
    /** Of all time. */
    allResponses: number;
    /** People who wait to be contacted. */
    openContacts: number;
  })[];
  /** Whether more people wait than were counted. */
  openContactsCapped: boolean;
  /** Of replies to callers who may not read comments: fewer ratings than these are shown together with others. */
  smallestCell?: number;
  /** Asks for the next page; absent on the last. */
  nextCursor?: string;
};

/** What `previewSurvey` takes. */
export type PreviewSurveyInput = {
  /** What was asked. */
  survey: {
    /** Name of the survey in code. */
    slug: string;
    /** Which kind of question it is. */
    type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
    /** What people are asked. */
    question: string;
    /** Asked for words after the rating. */
    followUpQuestion?: string | undefined;
    /** Codes of what the person chose, in the order of the survey. */
    reasons?: {
      /** Name of the reason in code. */
      code: string;
      /** What people read. */
      label: string;
    }[] | undefined;
    /** How it is shown. */
    presentation?: 'corner' | 'inline' | 'banner' | undefined;
    /** Where it appears. */
    corner?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left' | undefined;
    /** Whether it appears by itself. */
    trigger?: 'auto' | 'manual' | undefined;
    /** Milliseconds before it may appear by itself. */
    delayMs?: number | undefined;
    /** Patterns of paths, one of which must fit: `*` is a part, `**` any rest. */
    pages?: string[] | undefined;
    /** What an `auto` survey waits for, as the page tells it. */
    on?: {
      /** Name of what happens in the page. */
      event: string;
      /** A duration, `2s`, in place of `delayMs`. */
      after?: string | undefined;
      /** How often it has to happen in a visit; once unless said. */
      times?: number | undefined;
    } | undefined;
    /** How many of a hundred people are asked. */
    samplePercent?: number | undefined;
    /** Whom it is for: all of these hold. */
    targeting?: ({
      /** Its name. */
      trait: string;
      /** How the trait is compared. */
      op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
      /** The figure; of a segment, its value. */
      value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
    })[] | undefined;
    /** Words at both ends of the scale. */
    endLabels?: {
      /** Lower end of the interval. */
      low: string;
      /** Upper end of the interval. */
      high: string;
    } | undefined;
    /** Whether it says who makes it. */
    showBadge?: boolean | undefined;
    /** Higher is asked first; 0 unless said. */
    priority?: number | undefined;
    /** What follows an answer. */
    thanks?: {
      /** Words of the person; null without. */
      text: string;
      /** Where the thanks lead. */
      link?: {
        /** What people read. */
        label: string;
        /** Address to open. */
        url: string;
      } | undefined;
    } | undefined;
    /** In place of the widget’s own. */
    words?: {
      /** Sends the answer. */
      send?: string | undefined;
      /** Says no. */
      close?: string | undefined;
      /** Where to reach the person, as they said it. */
      contact?: string | undefined;
      /** Label of the field for an address. */
      contactAddress?: string | undefined;
      /** Meanings of the ratings, lowest first. */
      values?: string[] | undefined;
    } | undefined;
    /** Its texts in other languages. */
    locales?: Record<string, {
      /** What people are asked. */
      question?: string | undefined;
      /** Asked for words after the rating. */
      followUpQuestion?: string | undefined;
      /** Words at both ends of the scale. */
      endLabels?: {
        /** Lower end of the interval. */
        low: string;
        /** Upper end of the interval. */
        high: string;
      } | undefined;
      /** Labels by code. */
      reasons?: Record<string, string> | undefined;
      /** What follows an answer. */
      thanks?: {
        /** Words of the person; null without. */
        text: string;
        /** Where the thanks lead. */
        link?: {
          /** What people read. */
          label: string;
          /** Address to open. */
          url: string;
        } | undefined;
      } | undefined;
      /** In place of the widget’s own. */
      words?: {
        /** Sends the answer. */
        send?: string | undefined;
        /** Says no. */
        close?: string | undefined;
        /** Where to reach the person, as they said it. */
        contact?: string | undefined;
        /** Label of the field for an address. */
        contactAddress?: string | undefined;
        /** Meanings of the ratings, lowest first. */
        values?: string[] | undefined;
      } | undefined;
    }> | undefined;
    /** Whether it is asked now. */
    status?: 'draft' | 'active' | 'paused' | 'archived' | undefined;
    /** Asked from then on. */
    startsAt?: string | undefined;
    /** No longer asked from then on. */
    endsAt?: string | undefined;
    /** How often one person may be asked. */
    repeat?: 'session' | 'observation' | string | {
      /** After an answer, such as `90d`. */
      answered?: string | undefined;
      /** After a dismissal, such as `14d`. */
      dismissed?: string | undefined;
    } | undefined;
    /** What it adds to the limits of the project. */
    limits?: {
      /** No longer asked after so many. */
      maxResponses?: number | undefined;
      /** Nothing is asked so long after an answer, such as `7d`. */
      quietPeriod?: string | 0 | undefined;
      /** Whether it is asked in a quiet period as well. */
      ignoreQuietPeriod?: boolean | undefined;
    } | undefined;
    /** Parts of the answers, by what was declared. */
    segments?: Record<string, unknown> | undefined;
    /** How long its answers stay; left out: as long as those of the project. */
    retention?: string | undefined;
  };
};

/** What `previewSurvey` resolves to. */
export type PreviewSurveyReply = {
  /** For the query of a page’s address: `?canvass-preview=…`. */
  preview: string;
  /** ISO 8601 UTC with milliseconds. */
  expiresAt: string;
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
  /**
   * The surveys of the project as a survey file writes them, and who changed them last. All pages are of one
   * revision: where it has changed since the first, the next is refused with 409 `surveys_changed`. Repeated after
   * a reply that was lost, it reads again.
   */
  surveyDefinitions(query?: SurveyDefinitionsQuery, options?: Options): Promise<SurveyDefinitionsReply>;
  /**
   * Creates and changes surveys, all or none of them. Of surveys that are not named nothing changes. What already
   * is so is 200 at any revision; anything else is 409 `surveys_changed` where the project is at another than
   * `revision`. Repeated after a reply that was lost, it changes nothing more, unless somebody else changed the
   * surveys in between: then it is refused.
   */
  putSurveyDefinitions(input: PutSurveyDefinitionsInput, options?: Options): Promise<PutSurveyDefinitionsReply>;
  /**
   * Every survey in a line: status, score, trend, responses, people who wait to be contacted. Of the last 28 days.
   * A page may hold fewer than `limit` where many answers were counted, and still have `nextCursor`. Repeated after
   * a reply that was lost, it reads again.
   */
  overview(query?: OverviewQuery, options?: Options): Promise<OverviewReply>;
  /**
   * A token with which a page shows a survey as it would be, for an hour. Of a survey as a survey file writes it,
   * which is stored apart from all others. With the token, `?canvass-preview=…` of a page with the client,
   * bootstrap answers that draft alone; nobody can answer it. Repeated after a reply that was lost, it makes
   * another preview.
   */
  previewSurvey(input: PreviewSurveyInput, options?: Options): Promise<PreviewSurveyReply>;
}

/** The calls, sent as it is said. */
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
    surveyDefinitions: (query, options) =>
      send({ method: 'GET', path: '/v1/surveys/definitions', replyField: 'role' }, { query }, options),
    putSurveyDefinitions: (body, options) =>
      send({ method: 'PUT', path: '/v1/surveys/definitions', replyField: 'revision' }, { body }, options),
    overview: (query, options) =>
      send({ method: 'GET', path: '/v1/overview', replyField: 'from' }, { query }, options),
    previewSurvey: (body, options) =>
      send({ method: 'POST', path: '/v1/surveys/previews', replyField: 'preview' }, { body }, options),
  };
}
