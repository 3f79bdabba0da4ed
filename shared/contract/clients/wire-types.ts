/** Requests and replies of the service. Written by `npm run clients` from b8c087d360b5fda6. */

export interface components {
  schemas: {
    /** Why the service refuses a request. */
    ErrorCode:
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
    BootstrapRequest: {
      /** The project's publishable key; in the query or in the body, if in both then equal. */
      key?: string;
      /** The id by which the page knows the person. At most 256 bytes of UTF-8, no lone surrogates. */
      userId?: string;
      /** Not read. Clients apply targeting. */
      traits?: unknown;
      /** JWT that says who the person is, signed for the project; read where the project requires identity. */
      userToken?: string;
      /** What this client knows besides `nps`, `csat`, `ces` and `pmf`, separated by commas: `thumbs`, `pages`, `events`. */
      types?: string;
      /** From `POST /v1/surveys/previews`. Bootstrap returns only that draft. */
      preview?: string;
    };
    SurveyReason: {
      /** The name of the reason in code. */
      code: string;
      /** The text that people read. */
      label: string;
    };
    SurveyEvent: {
      /** The name of the event in the page. */
      event: string;
      /** How long after the event the survey appears, such as `2s`. Replaces `delayMs`. */
      after?: string;
      /** How often it must happen in a visit. Defaults to 1. */
      times?: number;
    };
    TraitValue: string | number | boolean | null;
    TargetingRule: {
      /** The name of the trait. */
      trait: string;
      /** How the trait is compared with `value`. */
      op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
      /** The value that the trait is compared with: a list for `in`, true or false for `exists`. */
      value?: components['schemas']['TraitValue'] | components['schemas']['TraitValue'][];
    };
    EndLabels: {
      /** Label of the lowest rating. */
      low: string;
      /** Label of the highest rating. */
      high: string;
    };
    ThanksLink: {
      /** The text of the link. */
      label: string;
      /** The address that the link opens. */
      url: string;
    };
    Thanks: {
      /** The text that people read. */
      text: string;
      /** A link below the text. */
      link?: components['schemas']['ThanksLink'];
    };
    SurveyWords: {
      /** Label of the button that sends the answer. */
      send?: string;
      /** Label of the button that dismisses the survey. */
      close?: string;
      /** Label of the checkbox that asks to be contacted. */
      contact?: string;
      /** Label of the field for an address. */
      contactAddress?: string;
      /** Meanings of the ratings, lowest first: one for each rating, or one for each end. */
      values?: string[];
    };
    SurveyTexts: {
      /** The question that people are asked. */
      question?: string;
      /** The question about the rating, asked after it. The answer is text. */
      followUpQuestion?: string;
      /** Labels of the two ends of the scale. */
      endLabels?: components['schemas']['EndLabels'];
      /** Labels by code. */
      reasons?: {
        [key: string]: string;
      };
      /** What people see after they answer. By default, the widget's own thanks. */
      thanks?: components['schemas']['Thanks'];
      /** Texts that replace the widget's own. */
      words?: components['schemas']['SurveyWords'];
    };
    Scale: {
      /** The lowest rating. */
      min: number;
      /** The highest rating. */
      max: number;
    };
    /** An active survey; targeting and sampling are applied by clients. */
    Survey: {
      /** The type of question, which determines the scale and the score. */
      type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
      /** Id of the survey. */
      id: string;
      /** The name of the survey in code. */
      slug: string;
      /** The question that people are asked. */
      question: string;
      /** The question about the rating, asked after it. The answer is text. */
      followUpQuestion?: string;
      /** Reasons for a low rating that people can choose, asked together with the follow-up question. */
      reasons?: components['schemas']['SurveyReason'][];
      /** How the survey appears on a page. */
      presentation: 'corner' | 'inline' | 'banner';
      /** The corner of the page in which the survey appears. Defaults to `bottom-right`. */
      corner?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
      /** `auto`: the survey appears by itself. `manual`: the page calls `show()`. */
      trigger: 'auto' | 'manual';
      /** Milliseconds before an `auto` survey may appear. */
      delayMs?: number;
      /** Path patterns, one of which must match: `*` matches one segment, `**` any rest. */
      pages?: string[];
      /** The event in the page that an `auto` survey waits for. */
      on?: components['schemas']['SurveyEvent'];
      /** The percentage of people who are asked. By default, all. */
      samplePercent?: number;
      /** The audience: rules about the traits of a person, all of which must hold. */
      targeting?: components['schemas']['TargetingRule'][];
      /** Labels of the two ends of the scale. */
      endLabels?: components['schemas']['EndLabels'];
      /** Whether the survey shows the name of its maker. */
      showBadge?: boolean;
      /** Surveys with a higher priority are asked first. Defaults to 0. */
      priority?: number;
      /** What people see after they answer. By default, the widget's own thanks. */
      thanks?: components['schemas']['Thanks'];
      /** Texts that replace the widget's own. */
      words?: components['schemas']['SurveyWords'];
      /** Texts in other languages, by language tag. */
      locales?: {
        [key: string]: components['schemas']['SurveyTexts'];
      };
      /** The lowest and the highest rating. */
      scale: components['schemas']['Scale'];
      /** How often one person may be asked: by default never again (`never`), after a duration such as `90d`, once per `session`, or once per `observation`. Answers and dismissals may have a duration each. */
      repeat?:
        | string
        | {
            /** The time after an answer, such as `90d`. */
            answered?: string;
            /** The time after a dismissal, such as `14d`. */
            dismissed?: string;
          };
    };
    BootstrapReply: {
      /** The active surveys, in the order in which they are asked. */
      surveys: components['schemas']['Survey'][];
      /** Present for a preview. Show it, and send nothing. */
      preview?: true;
      /** Ids of surveys that this person has answered or dismissed and may not be asked again yet. */
      suppression: string[];
      /** Show-tokens by the id of their survey. */
      showTokens?: {
        [key: string]: string;
      };
      /** Present if the project records no impressions. Send none. */
      impressions?: false;
    };
    SubmitResponseRequest: {
      /** Opaque, single-use show-token. */
      showToken: string;
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId: string;
      /** The rating, on the survey's scale. */
      rating: number;
      /** Free text; of a longer one 5000 characters are kept. A lone surrogate is replaced. */
      text?: string;
      /** Whether the person asks to be contacted. */
      followUpRequested?: boolean;
      /** Where to reach a person who is not identified. At most 256 bytes of UTF-8, no lone surrogates. */
      contact?: string;
      /** Codes of the survey's reasons for a low rating, any number; an unknown one is dropped, and all with another rating. */
      reasons?: string[];
      /** The id by which the page knows the person. At most 256 bytes of UTF-8, no lone surrogates. */
      userId?: string;
      /** Of these the first 50 that fit into 4096 bytes as JSON are kept; nested ones as JSON text. */
      traits?: {
        [key: string]: unknown;
      };
      /** The project's publishable key; in the query or in the body, if in both then equal. */
      key?: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId?: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
      /** What the turn was about. At most 64 bytes of UTF-8, no lone surrogates. */
      taskType?: string;
      /** How the page knows the person. */
      identityKind?: 'identified' | 'anon-device' | 'anon-conversation' | 'model-requested';
      /** Through which a server got the answer, such as `slack`. A page's is dropped. */
      channel?: string;
    };
    RecordedReply: {
      /** Always true. */
      ok: true;
      /** Id of the response or the dismissal. */
      id: string;
      /** When it was stored. ISO 8601 UTC with milliseconds. */
      at: string;
      /** Fields with addresses or numbers that are not stored. */
      redacted?: 'text'[];
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
    };
    SubmitDismissalRequest: {
      /** Opaque, single-use show-token. */
      showToken: string;
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId: string;
      /** The id by which the page knows the person. Who the page takes the person for; the token's respondent counts. */
      userId: string;
      /** The project's publishable key; in the query or in the body, if in both then equal. */
      key?: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId?: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
    };
    SubmitImpressionRequest: {
      /** Opaque, single-use show-token. */
      showToken: string;
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId: string;
      /** The project's publishable key; in the query or in the body, if in both then equal. */
      key?: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId?: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
    };
    SubmitImpressionReply: {
      /** Always true. */
      ok: true;
      /** When it was stored. ISO 8601 UTC with milliseconds. */
      at: string;
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
    };
    ReviseResponseRequest: {
      /** Opaque, single-use show-token. */
      showToken: string;
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId: string;
      /** The last one known + 1; the first is 1. */
      revision: number;
      /** The rating, on the survey's scale. */
      rating?: number;
      /** In place of `rating`: withdraws the answer. */
      withdraw?: boolean;
      /** Free text; of a longer one 5000 characters are kept. A lone surrogate is replaced. */
      text?: string;
      /** Whether the person asks to be contacted. */
      followUpRequested?: boolean;
      /** Where to reach a person who is not identified. At most 256 bytes of UTF-8, no lone surrogates. */
      contact?: string;
      /** Codes of the survey's reasons for a low rating, any number; an unknown one is dropped, and all with another rating. */
      reasons?: string[];
      /** The id by which the page knows the person. At most 256 bytes of UTF-8, no lone surrogates. */
      userId?: string;
      /** The project's publishable key; in the query or in the body, if in both then equal. */
      key?: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId?: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
    };
    RevisedReply: {
      /** Always true. */
      ok: true;
      /** Id of the response or the dismissal. */
      id: string;
      /** When it was stored. ISO 8601 UTC with milliseconds. */
      at: string;
      /** Fields with addresses or numbers that are not stored. */
      redacted?: 'text'[];
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
      /** The number of changes of the answer. */
      revision: number;
    };
    MintTokensRequest: {
      /** The id of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      respondentId: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
      /** What the turn was about. At most 64 bytes of UTF-8, no lone surrogates. */
      taskType?: string;
      /** What the server knows of the turn, such as its model, prompt or arm; sealed in the token. At most 4, named as ^[a-z][a-z0-9-]{0,31}$, with values of 1 to 64 bytes; any other is dropped and named. */
      labels?: {
        [key: string]: string;
      };
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId?: string;
      /** Slug of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveySlug?: string;
      /** Whether an answer of the kind `model-requested` may use the tokens. */
      allowModelRequested?: boolean;
    };
    /** A token with all that it attests, as the SDK's `bind` takes it. */
    Binding: {
      /** Id of the survey. */
      surveyId: string;
      /** Slug of the survey. */
      slug: string;
      /** Opaque, single-use show-token. */
      showToken: string;
      /** Id of the session. */
      sessionId: string;
      /** Id of the trace. */
      traceId?: string;
      /** Id of the observation in the trace. */
      observationId?: string;
      /** What the turn was about. */
      taskType?: string;
    };
    MintTokensReply: {
      /** Show-tokens by the id of their survey. */
      tokens: {
        [key: string]: string;
      };
      /** By slug. */
      bindings: {
        [key: string]: components['schemas']['Binding'];
      };
      /** Ids of surveys that this person has answered or dismissed and may not be asked again yet. */
      suppression: string[];
      /** When the token was issued. ISO 8601 UTC with milliseconds. */
      issuedAt: string;
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
    };
    DeferredAskLinkRequest: {
      /** The id of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      respondentId: string;
      /** Id of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId?: string;
      /** Slug of the survey. At most 256 bytes of UTF-8, no lone surrogates. */
      surveySlug?: string;
      /** Id of the session. At most 256 bytes of UTF-8, no lone surrogates. */
      sessionId?: string;
      /** Id of the observation in the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      observationId?: string;
      /** Id of the trace. At most 256 bytes of UTF-8, no lone surrogates. */
      traceId?: string;
      /** What the turn was about. At most 64 bytes of UTF-8, no lone surrogates. */
      taskType?: string;
      /** What the server knows of the turn, such as its model, prompt or arm; sealed in the token. At most 4, named as ^[a-z][a-z0-9-]{0,31}$, with values of 1 to 64 bytes; any other is dropped and named. */
      labels?: {
        [key: string]: string;
      };
      /** How long the link works: 1s to 30d. Defaults to the token lifetime of the project, usually 7d. */
      expiresIn?: string;
    };
    Link: {
      /** True: there is a link. */
      ok: true;
      /** The address of the page on which the person answers. */
      url: string;
      /** Opaque, single-use show-token. */
      showToken: string;
      /** When the token was issued. ISO 8601 UTC with milliseconds. */
      issuedAt: string;
      /** When the token expires. ISO 8601 UTC with milliseconds. */
      expiresAt: string;
      /** Id of the survey. */
      surveyId: string;
      /** The id of the person. */
      respondentId: string;
      /** Id of the session; null if the request named none. */
      sessionId: string | null;
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
    };
    /** The respondent may not be asked, and why. */
    NoLink: {
      /** False: the person may not be asked. */
      ok: false;
      /** Why the person may not be asked. */
      reason:
        | 'not_active'
        | 'unbound'
        | 'suppressed'
        | 'history_too_long'
        | 'quiet_period'
        | 'monthly_cap'
        | 'shown_often'
        | 'survey_maximum'
        | 'project_quota';
      /** Paths of fields that were not kept, such as `traits.orgs`. */
      dropped?: string[];
    };
    DeferredAskLinkReply: components['schemas']['Link'] | components['schemas']['NoLink'];
    ListPendingScoresQuery: {
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** Whether to list scores whose delivery failed as well. */
      includeFailed?: boolean;
      /** Whether to list withdrawn scores as well, which must be deleted where they were delivered. */
      includeWithdrawn?: boolean;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
    };
    /** A linked response that waits for delivery. It has the session values that its token attests. */
    PendingScore: {
      /** Id of the response. */
      id: string;
      /** Id of the survey. */
      surveyId: string;
      /** Slug of the survey. */
      surveySlug: string;
      /** The type of question. */
      surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
      /** The lowest and the highest rating. */
      scale: components['schemas']['Scale'];
      /** Id of the session; null if the token does not name one. */
      sessionId: string | null;
      /** Id of the trace; null if the token does not name one. */
      traceId: string | null;
      /** Id of the observation in the trace; null if the token does not name one. */
      observationId: string | null;
      /** The id of the person. */
      respondentId: string;
      /** Whether a server or a signed token named the respondent, not the page. */
      verified: boolean;
      /** When the person answered. ISO 8601 UTC with milliseconds. */
      at: string;
      /** Whether delivery is still pending or has failed. */
      state: 'pending' | 'failed';
      /** The number of failed deliveries. */
      attempts: number;
      /** Why the last delivery failed; null if none failed. */
      lastError: string | null;
      /** 0 until the answer is changed. */
      revision: number;
      /** When the answer was last changed; null if it never was. ISO 8601 UTC with milliseconds. */
      revisedAt: string | null;
      /** When the last delivery of any revision began; null if none did. */
      triedAt: string | null;
      /** Whether the person withdrew the answer. */
      withdrawn: false;
      /** The rating, on the survey's scale. */
      rating: number;
      /** What the person wrote; null if nothing. */
      text: string | null;
      /** Codes of the reasons for the rating; null without any. */
      reasons: string[] | null;
      /** How the person was identified. */
      identityKind: ('identified' | 'anon-device' | 'anon-conversation' | 'model-requested') | null;
      /** What the turn was about; null if not given. */
      taskType: string | null;
      /** What the server stated about the turn; null if nothing. Of the turn, as the token attests them. */
      labels: {
        [key: string]: string;
      } | null;
      /** How the answer reached the server; null for answers from a page. Where the server received the answer, such as `slack`. */
      channel: string | null;
    };
    /** A withdrawn response, listed only with `includeWithdrawn`. Delete it where it was delivered. */
    WithdrawnScore: {
      /** Id of the response. */
      id: string;
      /** Id of the survey. */
      surveyId: string;
      /** Slug of the survey. */
      surveySlug: string;
      /** The type of question. */
      surveyType: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
      /** The lowest and the highest rating. */
      scale: components['schemas']['Scale'];
      /** Id of the session; null if the token does not name one. */
      sessionId: string | null;
      /** Id of the trace; null if the token does not name one. */
      traceId: string | null;
      /** Id of the observation in the trace; null if the token does not name one. */
      observationId: string | null;
      /** The id of the person. */
      respondentId: string;
      /** Whether a server or a signed token named the respondent, not the page. */
      verified: boolean;
      /** When the person answered. ISO 8601 UTC with milliseconds. */
      at: string;
      /** Whether delivery is still pending or has failed. */
      state: 'pending' | 'failed';
      /** The number of failed deliveries. */
      attempts: number;
      /** Why the last delivery failed; null if none failed. */
      lastError: string | null;
      /** 0 until the answer is changed. */
      revision: number;
      /** When the answer was last changed; null if it never was. ISO 8601 UTC with milliseconds. */
      revisedAt: string | null;
      /** When the last delivery of any revision began; null if none did. */
      triedAt: string | null;
      /** Whether the person withdrew the answer. */
      withdrawn: true;
      /** Null: the answer is withdrawn. */
      rating: null;
      /** Null: the answer is withdrawn. */
      text: null;
      /** Null: the answer is withdrawn. */
      reasons: null;
      /** How the person was identified. */
      identityKind: ('identified' | 'anon-device' | 'anon-conversation' | 'model-requested') | null;
      /** What the turn was about; null if not given. */
      taskType: string | null;
      /** What the server stated about the turn; null if nothing. Of the turn, as the token attests them. */
      labels: {
        [key: string]: string;
      } | null;
      /** How the answer reached the server; null for answers from a page. Where the server received the answer, such as `slack`. */
      channel: string | null;
    };
    ListPendingScoresReply: {
      /** Scores that wait for delivery, oldest first. */
      scores: (components['schemas']['PendingScore'] | components['schemas']['WithdrawnScore'])[];
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    AckScoresRequest: {
      /** What became of each score. */
      results: {
        /** Id of the response. */
        id: string;
        /** `trying`: a delivery begins. The others: its result. */
        state: 'trying' | 'delivered' | 'failed';
        /** Why the delivery failed. Why it failed; a lone surrogate is replaced. */
        error?: string | null;
        /** The revision that was delivered. Without it, an answer that was changed in the last ten minutes stays pending. */
        revision?: number | null;
      }[];
    };
    AckScoresReply: {
      /** Always true. */
      ok: true;
      /** The number of scores whose state changed. */
      updated: number;
    };
    ExportResponsesQuery: {
      /** The id of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      respondentId?: string;
      /** An e-mail address among the traits of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      email?: string;
      /** Slug of the survey. */
      surveySlug?: string;
      /** First day, UTC. */
      from?: string;
      /** Last day, UTC, inclusive. */
      to?: string;
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
    };
    ExportResponsesReply: {
      /** Id of the project. */
      projectId: string;
      /** When the export was made. ISO 8601 UTC with milliseconds. */
      exportedAt: string;
      /** By slug: answers before that day are gone. Absent where none of any survey are. */
      completeFrom?: {
        [key: string]: string;
      };
      /** The number of responses in this reply. */
      count: number;
      /** The responses. */
      responses: {
        /** Id of the response. */
        id: string;
        /** Id of the survey. */
        surveyId: string;
        /** Slug of the survey. */
        surveySlug: string | null;
        /** The type of question. */
        surveyType: ('nps' | 'csat' | 'ces' | 'pmf' | 'thumbs') | null;
        /** The rating, on the survey's scale. null once the answer is withdrawn. */
        rating: number | null;
        /** What the person wrote; null if nothing. */
        text: string | null;
        /** Whether the person asks to be contacted; null if they were not asked. */
        followUpRequested: boolean | null;
        /** The address or number that the person left; null if none. */
        contact: string | null;
        /** Codes of the reasons for the rating; null without any. */
        reasons: string[] | null;
        /** The traits of the person; null if none. Flat; at most 4096 bytes as JSON. */
        traits: {
          [key: string]: components['schemas']['TraitValue'];
        } | null;
        /** How the person was identified. */
        identityKind: ('identified' | 'anon-device' | 'anon-conversation' | 'model-requested') | null;
        /** What the turn was about; null if not given. */
        taskType: string | null;
        /** What the server stated about the turn; null if nothing. Of the turn, as the token attests them. */
        labels: {
          [key: string]: string;
        } | null;
        /** How the answer reached the server; null for answers from a page. Where the server received the answer, such as `slack`. */
        channel: string | null;
        /** The id of the person. */
        respondentId: string;
        /** Whether a server or a signed token identified the person. Whether a server or a signed token named the respondent, not the page. */
        verified: boolean;
        /** Id of the session; null if the token does not name one. */
        sessionId: string | null;
        /** Id of the trace; null if the token does not name one. */
        traceId: string | null;
        /** Id of the observation in the trace; null if the token does not name one. */
        observationId: string | null;
        /** Whether the answer is bound to a session, so that its score can be delivered. */
        linked: boolean;
        /** The state of the delivery of its score; null if it has none. */
        scoreState: ('pending' | 'failed' | 'delivered') | null;
        /** Where the response comes from. */
        source: 'sdk' | 'import';
        /** When the person answered. ISO 8601 UTC with milliseconds. */
        at: string;
        /** 0 until the answer is changed. */
        revision: number;
        /** When the answer was last changed; null if it never was. ISO 8601 UTC with milliseconds. */
        revisedAt: string | null;
        /** Whether the person withdrew the answer. */
        withdrawn: boolean;
        /** Who saw to the wish to be contacted; `by` is not in the export of a person. */
        handled: {
          /** When. ISO 8601 UTC with milliseconds. */
          at: string;
          /** The name of a person, or the id of a key. */
          by?: string;
          /** A note for colleagues; null if none. */
          note: string | null;
        } | null;
      }[];
      /** The dismissals. */
      dismissals: {
        /** Id of the dismissal. */
        id: string;
        /** Id of the survey. */
        surveyId: string;
        /** Slug of the survey. */
        surveySlug: string | null;
        /** The type of question. */
        surveyType: ('nps' | 'csat' | 'ces' | 'pmf' | 'thumbs') | null;
        /** The id of the person. */
        respondentId: string;
        /** Whether a server or a signed token named the respondent, not the page. */
        verified: boolean;
        /** When the person dismissed the survey. ISO 8601 UTC with milliseconds. */
        at: string;
      }[];
      /** In the export of a person: their impressions. */
      shows?: {
        /** Id of the survey. */
        surveyId: string;
        /** Slug of the survey. */
        surveySlug: string | null;
        /** The type of question. */
        surveyType: ('nps' | 'csat' | 'ces' | 'pmf' | 'thumbs') | null;
        /** When the survey was on the screen. ISO 8601 UTC with milliseconds. */
        at: string;
      }[];
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    EraseQuery: {
      /** The id of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      respondentId?: string;
      /** An e-mail address among the traits of the person. At most 256 bytes of UTF-8, no lone surrogates. */
      email?: string;
      /** Slug of the survey. */
      surveySlug?: string;
      /** Erases everything of the project and revokes its keys. */
      account?: 'true';
    };
    EraseReply: {
      /** Always true. */
      ok: true;
      /** What was erased. */
      mode: 'respondent' | 'survey' | 'account';
      /** The ids under which the person was found. */
      respondentIds?: string[];
      /** The number of deleted responses. */
      responsesDeleted?: number;
      /** The number of deleted dismissals. */
      dismissalsDeleted?: number;
      /** The number of surveys that the person still is not asked again. */
      suppressionRetained?: number;
      /** Slug of the erased survey. */
      surveySlug?: string;
      /** What happens after the reply. */
      note?: string;
    };
    GetResultsQuery: {
      /** Either this or `surveyId`. */
      surveySlug?: string;
      /** Either this or `surveySlug`. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId?: string;
      /** The first day, UTC. Defaults to 90 days up to `to`; at most 400. */
      from?: string;
      /** The last day, UTC, inclusive. Defaults to today. */
      to?: string;
      /** The buckets of `series`. The default depends on the length of the period. */
      by?: 'day' | 'week' | 'month';
      /** One of the survey's segments. Without `value`, the reply has a breakdown by its values. */
      segment?: string;
      /** A value of the segment, to read only its responses. `other` for undeclared values, `null` for no value. */
      value?: string;
      /** Compares with the preceding period of the same length, in `previous`. */
      compare?: 'previous';
      /** Another value of the segment, which `value` is compared with in `against`. */
      against?: string;
    };
    /** The figure of the survey's type with its interval of 95 %; percentages from 0 to 100. */
    ResultScore:
      | {
          /** Which score it is, by the type of the survey. */
          metric: 'nps';
          /** The score. */
          value: number;
          /** The lower end of the interval. */
          low: number;
          /** The upper end of the interval. */
          high: number;
          /** The confidence level of the interval, in percent. */
          confidence: number;
          /** The number of ratings of 9 or 10. */
          promoters: number;
          /** The number of ratings of 7 or 8. */
          passives: number;
          /** The number of ratings of 0 to 6. */
          detractors: number;
        }
      | {
          /** Which score it is, by the type of the survey. */
          metric: 'csat';
          /** The score. */
          value: number;
          /** The lower end of the interval. */
          low: number;
          /** The upper end of the interval. */
          high: number;
          /** The confidence level of the interval, in percent. */
          confidence: number;
          /** The mean rating. */
          mean: number;
        }
      | {
          /** Which score it is, by the type of the survey. */
          metric: 'ces';
          /** The score. */
          value: number;
          /** The lower end of the interval. */
          low: number;
          /** The upper end of the interval. */
          high: number;
          /** The confidence level of the interval, in percent. */
          confidence: number;
          /** The percentage of ratings of 5 to 7. */
          agree: number;
        }
      | {
          /** Which score it is, by the type of the survey. */
          metric: 'pmf';
          /** The score. */
          value: number;
          /** The lower end of the interval. */
          low: number;
          /** The upper end of the interval. */
          high: number;
          /** The confidence level of the interval, in percent. */
          confidence: number;
        }
      | {
          /** Which score it is, by the type of the survey. */
          metric: 'thumbs';
          /** The score. */
          value: number;
          /** The lower end of the interval. */
          low: number;
          /** The upper end of the interval. */
          high: number;
          /** The confidence level of the interval, in percent. */
          confidence: number;
        };
    /** The score of the reply less this one, with its interval of 95 %. */
    ScoreDifference: {
      /** The difference. */
      value: number;
      /** The lower end of the interval. */
      low: number;
      /** The upper end of the interval. */
      high: number;
    };
    GetResultsReply: {
      /** The survey. */
      survey: {
        /** The type of question. */
        type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
        /** Id of the survey. */
        id: string;
        /** Slug of the survey. */
        slug: string;
        /** The question that people are asked. */
        question: string;
        /** The lowest and the highest rating. */
        scale: components['schemas']['Scale'];
      };
      /** The first day, UTC. */
      from: string;
      /** The last day, UTC, inclusive. */
      to: string;
      /** The smallest number of ratings that is shown separately. Only for callers who may not read comments. */
      smallestCell?: number;
      /** The last day of the last complete week. Numbers exclude later answers. */
      shownTo?: string;
      /** Answers before this day, UTC, were deleted; their numbers stay. Null if none were deleted. */
      completeFrom: string | null;
      /** The number of responses. */
      responses: number;
      /** The number of responses for each rating, lowest first. */
      distribution: {
        /** The rating. */
        rating: number;
        /** The number of responses with this rating. */
        count: number;
      }[];
      /** The score with its interval; null without responses. */
      score: components['schemas']['ResultScore'] | null;
      /** The number of imported responses among `responses`; null if not counted. */
      imported: number | null;
      /** The number of responses that a model requested, which no other number includes; null if not counted. */
      modelRequested: number | null;
      /** The number of people who dismissed the survey; null if not counted. */
      dismissals: number | null;
      /** How often the survey was on a screen; null if not recorded. */
      shows: number | null;
      /** Responses divided by shows, 0 to 1, without imported responses; null if shows are unknown. */
      responseRate: number | null;
      /** The number of responses with text; null if not counted. */
      comments: number | null;
      /** The number of people who ask to be contacted; null if not counted. */
      followUpsRequested: number | null;
      /** The number of responses for each reason; null if not counted. */
      reasons:
        | {
            /** The name of the reason in code. */
            code: string;
            /** The text that people read. */
            label: string;
            /** The number of responses with this reason. */
            count: number;
          }[]
        | null;
      /** The period in buckets, oldest first. */
      series: {
        /** The first day, UTC. */
        from: string;
        /** The last day, UTC, inclusive. */
        to: string;
        /** The number of responses. */
        responses: number;
        /** The number of responses for each rating, lowest first. */
        distribution: {
          /** The rating. */
          rating: number;
          /** The number of responses with this rating. */
          count: number;
        }[];
        /** The score with its interval; null without responses. */
        score: components['schemas']['ResultScore'] | null;
        /** The number of people who dismissed the survey; null if not counted. */
        dismissals: number | null;
        /** How often the survey was on a screen; null if not recorded. */
        shows: number | null;
        /** Some of its days are only shown together with others, or not at all. */
        withheld?: true;
      }[];
      /** The responses for each value of the segment. */
      segments?: {
        /** The value of the segment; null for responses without one. */
        value: string | null;
        /** The number of responses. */
        responses: number;
        /** The number of responses for each rating, lowest first. */
        distribution: {
          /** The rating. */
          rating: number;
          /** The number of responses with this rating. */
          count: number;
        }[];
        /** The score with its interval; null without responses. */
        score: components['schemas']['ResultScore'] | null;
      }[];
      /** The period of the same length before this one. */
      previous?: {
        /** The first day, UTC. */
        from: string;
        /** The last day, UTC, inclusive. */
        to: string;
        /** The number of responses. */
        responses: number;
        /** The score with its interval; null without responses. */
        score: components['schemas']['ResultScore'] | null;
        /** The score of the reply minus this score; null if either is missing. */
        difference: components['schemas']['ScoreDifference'] | null;
      };
      /** The other value of the segment. */
      against?: {
        /** The other value; null for responses without one. */
        value: string | null;
        /** The number of responses. */
        responses: number;
        /** The score with its interval; null without responses. */
        score: components['schemas']['ResultScore'] | null;
        /** The score of the reply minus this score; null if either is missing. */
        difference: components['schemas']['ScoreDifference'] | null;
      };
    };
    ListCommentsQuery: {
      /** Either this or `surveyId`. */
      surveySlug?: string;
      /** Either this or `surveySlug`. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId?: string;
      /** The first day, UTC. Defaults to 90 days up to `to`; at most 400. */
      from?: string;
      /** The last day, UTC, inclusive. Defaults to today. */
      to?: string;
      /** Lowest rating, included. */
      ratingMin?: number;
      /** Highest rating, included. */
      ratingMax?: number;
      /** Whether responses without text are left out. Defaults to true. */
      withText?: boolean;
      /** One of the survey's segments, to which `value` belongs. */
      segment?: string;
      /** A value of the segment, to read only its responses. `other` for undeclared values, `null` for no value. */
      value?: string;
      /** The code of a reason, to read only responses with it. */
      reason?: string;
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
    };
    /** A response with the words and the person it is from. */
    Comment: {
      /** Id of the response. */
      id: string;
      /** The rating, on the survey's scale. */
      rating: number;
      /** What the person wrote; null if nothing. */
      text: string | null;
      /** Whether the person asks to be contacted; null if they were not asked. */
      followUpRequested: boolean | null;
      /** The address or number that the person left; null if none. */
      contact: string | null;
      /** Codes of the reasons for the rating; null without any. */
      reasons: string[] | null;
      /** The traits of the person; null if none. Flat; at most 4096 bytes as JSON. */
      traits: {
        [key: string]: components['schemas']['TraitValue'];
      } | null;
      /** How the person was identified. */
      identityKind: ('identified' | 'anon-device' | 'anon-conversation' | 'model-requested') | null;
      /** What the turn was about; null if not given. */
      taskType: string | null;
      /** What the server stated about the turn; null if nothing. Of the turn, as the token attests them. */
      labels: {
        [key: string]: string;
      } | null;
      /** How the answer reached the server; null for answers from a page. Where the server received the answer, such as `slack`. */
      channel: string | null;
      /** The id of the person. */
      respondentId: string;
      /** Whether a server or a signed token identified the person. */
      verified: boolean;
      /** Id of the session; null if the token does not name one. */
      sessionId: string | null;
      /** Id of the trace; null if the token does not name one. */
      traceId: string | null;
      /** Where the response comes from. */
      source: 'sdk' | 'import';
      /** When the person answered. ISO 8601 UTC with milliseconds. */
      at: string;
    };
    ListCommentsReply: {
      /** Responses, newest first. */
      comments: components['schemas']['Comment'][];
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    ListSurveysQuery: Record<string, never>;
    ListSurveysReply: {
      /** The surveys, in the order in which they are asked. */
      surveys: {
        /** The type of question. */
        type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
        /** Id of the survey. */
        id: string;
        /** Slug of the survey. */
        slug: string;
        /** The question that people are asked. */
        question: string;
        /** The lowest and the highest rating. */
        scale: components['schemas']['Scale'];
        /** Whether the survey is shown. */
        status: 'draft' | 'active' | 'paused' | 'archived';
        /** The number of responses. */
        responses: number;
        /** How long answers are kept, such as `35d` or `13mo`; null if forever. */
        keeps: string | null;
        /** Answers before this day, UTC, were deleted; their numbers stay. Null if none were deleted. */
        completeFrom: string | null;
        /** Names of the breakdowns that results have. */
        segments: string[];
        /** What each declared segment is made of, by name. */
        segmentSources: {
          [key: string]: 'trait' | 'label' | 'taskType' | 'channel';
        };
        /** The declared values of each segment. `other` and `null` can be requested as well. */
        segmentValues: {
          [key: string]: string[];
        };
        /** The reasons that the survey lists, followed by earlier ones, whose label is their code. */
        reasons: {
          /** The name of the reason in code. */
          code: string;
          /** The text that people read. */
          label: string;
        }[];
      }[];
      /** The project of the key. */
      project: {
        /** Id of the project. */
        id: string;
        /** The name that people who are asked see. */
        name: string;
        /** The color of the project, `#rrggbb`; null for the default. */
        accent: string | null;
      };
    };
    ListContactsQuery: {
      /** This or `surveyId`. Defaults to all surveys. */
      surveySlug?: string;
      /** Either this or `surveySlug`. At most 256 bytes of UTF-8, no lone surrogates. */
      surveyId?: string;
      /** Which people to list. Defaults to `open`: those whom nobody has contacted yet. */
      state?: 'open' | 'handled' | 'all';
      /** The first day on which they answered, UTC. */
      from?: string;
      /** The last day, UTC, inclusive. */
      to?: string;
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
    };
    /** A person who asked to be contacted, and their answer. */
    Contact: {
      /** Id of the response. */
      id: string;
      /** The rating, on the survey's scale. */
      rating: number;
      /** What the person wrote; null if nothing. */
      text: string | null;
      /** Whether the person asks to be contacted; null if they were not asked. */
      followUpRequested: boolean | null;
      /** The address or number that the person left; null if none. */
      contact: string | null;
      /** Codes of the reasons for the rating; null without any. */
      reasons: string[] | null;
      /** The traits of the person; null if none. Flat; at most 4096 bytes as JSON. */
      traits: {
        [key: string]: components['schemas']['TraitValue'];
      } | null;
      /** How the person was identified. */
      identityKind: ('identified' | 'anon-device' | 'anon-conversation' | 'model-requested') | null;
      /** What the turn was about; null if not given. */
      taskType: string | null;
      /** What the server stated about the turn; null if nothing. Of the turn, as the token attests them. */
      labels: {
        [key: string]: string;
      } | null;
      /** How the answer reached the server; null for answers from a page. Where the server received the answer, such as `slack`. */
      channel: string | null;
      /** The id of the person. */
      respondentId: string;
      /** Whether a server or a signed token identified the person. */
      verified: boolean;
      /** Id of the session; null if the token does not name one. */
      sessionId: string | null;
      /** Id of the trace; null if the token does not name one. */
      traceId: string | null;
      /** Where the response comes from. */
      source: 'sdk' | 'import';
      /** When the person answered. ISO 8601 UTC with milliseconds. */
      at: string;
      /** The survey that the person answered. */
      survey: {
        /** Id of the survey. */
        id: string;
        /** Slug of the survey. */
        slug: string;
      };
      /** Who handled the request to be contacted; null while nobody has. */
      handled: {
        /** When. ISO 8601 UTC with milliseconds. */
        at: string;
        /** The name of a person, or the id of a key. */
        by: string;
        /** A note for colleagues; null if none. */
        note: string | null;
      } | null;
    };
    ListContactsReply: {
      /** People who asked to be contacted, newest first. */
      contacts: components['schemas']['Contact'][];
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    HandleContactRequest: {
      /** Id of the response. */
      id: string;
      /** Whether the request is handled. `false` opens it again. */
      handled: boolean;
      /** A note for colleagues. An empty one deletes the earlier note. A lone surrogate is replaced. */
      note?: string;
    };
    HandleContactReply: {
      /** Always true. */
      ok: true;
      /** Id of the response. */
      id: string;
      /** Whether the request is handled now. */
      handled: boolean;
    };
    ListDefinitionsQuery: {
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
      /** Whether the reply contains the last changes. */
      log?: boolean;
    };
    ListDefinitionsReply: {
      /** The role of the caller. An editor may change surveys. */
      role: 'viewer' | 'editor';
      /** Whether the caller may read what people wrote, and contacts. */
      comments: boolean;
      /** The number of changes of the surveys of the project, as one set. */
      revision: number;
      /** Slugs of all surveys, in the order in which they are asked. */
      order: string[];
      /** The surveys of the page, as a survey file writes them. */
      surveys: components['schemas']['WrittenSurvey'][];
      /** Where the change was made: `apply` (command line) or `console`. */
      source: 'apply' | 'console';
      /** The id of a key, an e-mail address, or `operator`. Null if not recorded, and for reader keys without `comments`. */
      changedBy: string | null;
      /** When the surveys were last changed. ISO 8601 UTC with milliseconds. */
      changedAt: string | null;
      /** The id and the last change of each survey of the page, by slug. */
      lastChanges: {
        [key: string]: {
          /** Id of the survey. */
          id: string;
          /** Where the change was made: `apply` (command line) or `console`. */
          source: 'apply' | 'console';
          /** The id of a key, an e-mail address, or `operator`. Null if not recorded, and for reader keys without `comments`. */
          changedBy: string | null;
          /** When the survey was last changed. ISO 8601 UTC with milliseconds. */
          changedAt: string | null;
        };
      };
      /** With `log`: the changes of the last 10 revisions, newest first. */
      log?: {
        /** The number of changes of the surveys of the project, as one set. */
        revision: number;
        /** Where the change was made: `apply` (command line) or `console`. */
        source: 'apply' | 'console';
        /** The id of a key, an e-mail address, or `operator`. Null if not recorded, and for reader keys without `comments`. */
        changedBy: string | null;
        /** When the change was made. ISO 8601 UTC with milliseconds. */
        changedAt: string | null;
        /** The surveys that changed. */
        surveys: {
          /** Slug of the survey. */
          slug: string;
          /** Whether the survey was created or updated. */
          action: 'created' | 'updated';
          /** The fields that changed. As a survey file names them. */
          fields: string[];
        }[];
        /** Whether the order of the surveys changed. */
        reordered: boolean;
      }[];
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    WrittenLink: {
      /** The text of the link. */
      label: string;
      /** The address that the link opens. */
      url: string;
    };
    WrittenThanks: {
      /** The text that people read. */
      text: string;
      /** A link below the text. */
      link?: components['schemas']['WrittenLink'];
    };
    WrittenTexts: {
      /** The question that people are asked. */
      question?: string;
      /** The question about the rating, asked after it. The answer is text. */
      followUpQuestion?: string;
      /** Labels of the two ends of the scale. */
      endLabels?: components['schemas']['EndLabels'];
      /** Labels by code. */
      reasons?: {
        [key: string]: string;
      };
      /** What people see after they answer. By default, the widget's own thanks. */
      thanks?: components['schemas']['WrittenThanks'];
      /** Texts that replace the widget's own. */
      words?: components['schemas']['SurveyWords'];
    };
    WrittenSurvey: {
      /** The type of question, which determines the scale and the score. */
      type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
      /** The name of the survey in code. */
      slug: string;
      /** The question that people are asked. */
      question: string;
      /** The question about the rating, asked after it. The answer is text. */
      followUpQuestion?: string;
      /** Reasons for a low rating that people can choose, asked together with the follow-up question. */
      reasons?: components['schemas']['SurveyReason'][];
      /**
       * How the survey appears on a page. Defaults to `corner`.
       * @default corner
       */
      presentation?: 'corner' | 'inline' | 'banner';
      /** The corner of the page in which the survey appears. Defaults to `bottom-right`. */
      corner?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
      /**
       * `auto`, the default: the survey appears by itself. `manual`: the page calls `show()`.
       * @default auto
       */
      trigger?: 'auto' | 'manual';
      /** Milliseconds before an `auto` survey may appear. */
      delayMs?: number;
      /** Path patterns, one of which must match: `*` matches one segment, `**` any rest. */
      pages?: string[];
      /** The event in the page that an `auto` survey waits for. */
      on?: components['schemas']['SurveyEvent'];
      /** The percentage of people who are asked. By default, all. */
      samplePercent?: number;
      /** The audience: rules about the traits of a person, all of which must hold. */
      targeting?: components['schemas']['TargetingRule'][];
      /** Labels of the two ends of the scale. */
      endLabels?: components['schemas']['EndLabels'];
      /** Whether the survey shows the name of its maker. */
      showBadge?: boolean;
      /** Surveys with a higher priority are asked first. Defaults to 0. */
      priority?: number;
      /** What people see after they answer. By default, the widget's own thanks. */
      thanks?: components['schemas']['WrittenThanks'];
      /** Texts that replace the widget's own. */
      words?: components['schemas']['SurveyWords'];
      /** Texts in other languages, by language tag. */
      locales?: {
        [key: string]: components['schemas']['WrittenTexts'];
      };
      /**
       * Whether the survey is shown. Defaults to `active`.
       * @default active
       */
      status?: 'draft' | 'active' | 'paused' | 'archived';
      /** When the survey starts: a day in UTC, or a timestamp with its zone. */
      startsAt?: string;
      /** When the survey ends: a day in UTC, or a timestamp with its zone. */
      endsAt?: string;
      /** How often one person may be asked: `session`, `observation`, or the time after an answer or a dismissal. By default, never again. */
      repeat?:
        | ('session' | 'observation')
        | string
        | {
            /** The time after an answer, such as `90d`. */
            answered?: string;
            /** The time after a dismissal, such as `14d`. */
            dismissed?: string;
          };
      /** Limits of this survey, in addition to the project's. */
      limits?: {
        /** The number of responses after which the survey ends. */
        maxResponses?: number;
        /** The time that must pass after any other survey, such as `7d`, instead of the project's. 0 for none. */
        quietPeriod?: string | 0;
        /** Whether the survey is also shown to people in a quiet period. */
        ignoreQuietPeriod?: boolean;
      };
      /** Breakdowns of the results, by name. */
      segments?: {
        [key: string]: unknown;
      };
      /** How long answers are kept, such as `13mo`. By default, the project's retention. */
      retention?: string;
    };
    PutDefinitionsRequest: {
      /** The number of changes of the surveys of the project, as one set. */
      revision: number;
      /** The surveys to create or to change. */
      surveys: components['schemas']['WrittenSurvey'][];
      /** Slugs of the surveys that are asked first, in this order. */
      order?: string[];
      /** Whether to check the request only, without storing anything. */
      dryRun?: boolean;
    };
    PutDefinitionsReply: {
      /** The number of changes of the surveys of the project, as one set. */
      revision: number;
      /** Slugs of new surveys. */
      created: string[];
      /** Slugs of changed surveys. */
      updated: string[];
      /** Slugs of surveys that already were as requested. */
      unchanged: string[];
      /** The changes of each survey. */
      changes: {
        /** Slug of the survey. */
        slug: string;
        /** Whether the survey was created or updated. */
        action: 'created' | 'updated';
        /** The fields that changed. */
        fields: {
          /** The field as a survey file writes it, such as `limits.quietPeriod`. */
          field: string;
          /** The value before the change; null if there was none. */
          before: unknown;
          /** The value after the change; null if there is none. */
          after: unknown;
        }[];
      }[];
      /** Whether the order of the surveys changed. */
      reordered: boolean;
    };
    GetOverviewQuery: {
      /** Most items of the page; a larger one is capped. */
      limit?: number;
      /** The `nextCursor` of the page before, for the same query. */
      cursor?: string;
    };
    GetOverviewReply: {
      /** The first day of the period, UTC. */
      from: string;
      /** Today, UTC, inclusive. With a `smallestCell`, the last Sunday. */
      to: string;
      /** The surveys, in the order in which they are asked. */
      surveys: {
        /** The type of question. */
        type: 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
        /** Id of the survey. */
        id: string;
        /** Slug of the survey. */
        slug: string;
        /** The question that people are asked. */
        question: string;
        /** Whether the survey is shown. */
        status: 'draft' | 'active' | 'paused' | 'archived';
        /** The number of responses. */
        responses: number;
        /** The score with its interval; null without responses. */
        score: components['schemas']['ResultScore'] | null;
        /** The period in four parts of seven days, oldest first. */
        trend: {
          /** The first day, UTC. */
          from: string;
          /** The last day, UTC, inclusive. */
          to: string;
          /** The number of responses. */
          responses: number;
          /** The score with its interval; null without responses. */
          score: components['schemas']['ResultScore'] | null;
        }[];
        /** The number of responses of all time. */
        allResponses: number;
        /** The number of people who wait to be contacted. */
        openContacts: number;
      }[];
      /** Whether more people wait to be contacted than were counted. */
      openContactsCapped: boolean;
      /** The smallest number of ratings that is shown separately. Only for callers who may not read comments. */
      smallestCell?: number;
      /** The cursor of the next page. Absent on the last page. */
      nextCursor?: string;
    };
    CreatePreviewRequest: {
      /** The draft, as a survey file writes it. */
      survey: components['schemas']['WrittenSurvey'];
    };
    CreatePreviewReply: {
      /** Add it to a page’s address: `?canvass-preview=…`. */
      preview: string;
      /** When the preview ends. ISO 8601 UTC with milliseconds. */
      expiresAt: string;
    };
  };
}
export type ErrorCode = components['schemas']['ErrorCode'];
export type BootstrapRequest = components['schemas']['BootstrapRequest'];
export type SurveyReason = components['schemas']['SurveyReason'];
export type SurveyEvent = components['schemas']['SurveyEvent'];
export type TraitValue = components['schemas']['TraitValue'];
export type TargetingRule = components['schemas']['TargetingRule'];
export type EndLabels = components['schemas']['EndLabels'];
export type ThanksLink = components['schemas']['ThanksLink'];
export type Thanks = components['schemas']['Thanks'];
export type SurveyWords = components['schemas']['SurveyWords'];
export type SurveyTexts = components['schemas']['SurveyTexts'];
export type Scale = components['schemas']['Scale'];
export type Survey = components['schemas']['Survey'];
export type BootstrapReply = components['schemas']['BootstrapReply'];
export type SubmitResponseRequest = components['schemas']['SubmitResponseRequest'];
export type RecordedReply = components['schemas']['RecordedReply'];
export type SubmitDismissalRequest = components['schemas']['SubmitDismissalRequest'];
export type SubmitImpressionRequest = components['schemas']['SubmitImpressionRequest'];
export type SubmitImpressionReply = components['schemas']['SubmitImpressionReply'];
export type ReviseResponseRequest = components['schemas']['ReviseResponseRequest'];
export type RevisedReply = components['schemas']['RevisedReply'];
export type MintTokensRequest = components['schemas']['MintTokensRequest'];
export type Binding = components['schemas']['Binding'];
export type MintTokensReply = components['schemas']['MintTokensReply'];
export type DeferredAskLinkRequest = components['schemas']['DeferredAskLinkRequest'];
export type Link = components['schemas']['Link'];
export type NoLink = components['schemas']['NoLink'];
export type DeferredAskLinkReply = components['schemas']['DeferredAskLinkReply'];
export type ListPendingScoresQuery = components['schemas']['ListPendingScoresQuery'];
export type PendingScore = components['schemas']['PendingScore'];
export type WithdrawnScore = components['schemas']['WithdrawnScore'];
export type ListPendingScoresReply = components['schemas']['ListPendingScoresReply'];
export type AckScoresRequest = components['schemas']['AckScoresRequest'];
export type AckScoresReply = components['schemas']['AckScoresReply'];
export type ExportResponsesQuery = components['schemas']['ExportResponsesQuery'];
export type ExportResponsesReply = components['schemas']['ExportResponsesReply'];
export type EraseQuery = components['schemas']['EraseQuery'];
export type EraseReply = components['schemas']['EraseReply'];
export type GetResultsQuery = components['schemas']['GetResultsQuery'];
export type ResultScore = components['schemas']['ResultScore'];
export type ScoreDifference = components['schemas']['ScoreDifference'];
export type GetResultsReply = components['schemas']['GetResultsReply'];
export type ListCommentsQuery = components['schemas']['ListCommentsQuery'];
export type Comment = components['schemas']['Comment'];
export type ListCommentsReply = components['schemas']['ListCommentsReply'];
export type ListSurveysQuery = components['schemas']['ListSurveysQuery'];
export type ListSurveysReply = components['schemas']['ListSurveysReply'];
export type ListContactsQuery = components['schemas']['ListContactsQuery'];
export type Contact = components['schemas']['Contact'];
export type ListContactsReply = components['schemas']['ListContactsReply'];
export type HandleContactRequest = components['schemas']['HandleContactRequest'];
export type HandleContactReply = components['schemas']['HandleContactReply'];
export type ListDefinitionsQuery = components['schemas']['ListDefinitionsQuery'];
export type ListDefinitionsReply = components['schemas']['ListDefinitionsReply'];
export type WrittenLink = components['schemas']['WrittenLink'];
export type WrittenThanks = components['schemas']['WrittenThanks'];
export type WrittenTexts = components['schemas']['WrittenTexts'];
export type WrittenSurvey = components['schemas']['WrittenSurvey'];
export type PutDefinitionsRequest = components['schemas']['PutDefinitionsRequest'];
export type PutDefinitionsReply = components['schemas']['PutDefinitionsReply'];
export type GetOverviewQuery = components['schemas']['GetOverviewQuery'];
export type GetOverviewReply = components['schemas']['GetOverviewReply'];
export type CreatePreviewRequest = components['schemas']['CreatePreviewRequest'];
export type CreatePreviewReply = components['schemas']['CreatePreviewReply'];
