/** Functions bundle the schemas without these descriptions. */

import { EVENT_TYPES } from '../../domain/happening.ts';

type Words = Readonly<Record<string, string>>;

const within = (field: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [`${field}.${name}`, text]));

const QUESTION: Words = {
  text: 'The question that people are asked.',
  endLabels: 'The labels of the two ends of a `scale`.',
};

const TEXTS: Words = {
  ...within('questions', { ...QUESTION, choices: 'The labels of the choices, by code.' }),
  question: 'The question that people are asked.',
  followUpQuestion: 'The question that follows the rating. People answer it with text.',
  endLabels: 'The labels of the two ends of the scale.',
  words: "Texts that replace the widget's own labels.",
};

const THANKS: Words = {
  '': 'The thanks after an answer.',
  text: 'The text that people see.',
  link: 'A link below the text.',
};

const SURVEY: Words = {
  ...TEXTS,
  slug: 'The slug of the survey: a unique name within the project, for use in code.',
  type: 'The type of question, which determines the scale and the score.',
  presentation: 'How the survey appears on a page.',
  corner: 'The corner of the page in which the survey appears. Defaults to `bottom-right`.',
  trigger:
    '`auto`: the survey appears by itself. `manual`: the page calls `show()`. `person`: the person opens it.',
  delayMs: 'The number of milliseconds before an `auto` survey can appear.',
  samplePercent: 'The percentage of people who are shown the survey. Defaults to 100.',
  targeting: "The audience of the survey, as rules about a person's traits. All rules must match.",
  showBadge: 'Whether the survey shows the line “Powered by Canvass”.',
  locales: 'The texts in other languages, by language tag.',
  ...within('questions', { ...QUESTION, id: 'The id of the question. It never changes.' }),
};

const SESSION: Words = {
  sessionId: 'The id of the session.',
  observationId: 'The id of the observation in the trace.',
  traceId: 'The id of the trace.',
  taskType: 'The kind of task that the person was asked about, such as `refund`.',
};

const STORED_SESSION: Words = {
  sessionId: 'The id of the session; `null` if there is none.',
  observationId: 'The id of the observation in the trace; `null` if there is none.',
  traceId: 'The id of the trace; `null` if there is none.',
  taskType: 'The kind of task that the person was asked about, such as `refund`; `null` if there is none.',
  labels: 'The labels that the server gave the turn, such as its model; `null` if there are none.',
  channel: 'The channel through which a server received the answer; `null` for answers from a page.',
};

const SURVEY_OF_ROW: Words = {
  surveyId: 'The id of the survey.',
  surveySlug: 'The slug of the survey.',
  surveyType: 'The type of the survey.',
};

const CHOICE: Words = { code: 'The code of the choice.', label: 'The text that people see.' };

const SURVEY_OF_RESULTS: Words = {
  id: 'The id of the survey.',
  slug: 'The slug of the survey.',
  type: 'The type of the survey.',
  question: 'The question that people are asked.',
  scale: 'The lowest and highest rating of the scale.',
  ...within('choices', CHOICE),
};

const NEXT_CURSOR: Words = { nextCursor: 'The cursor for the next page. Absent on the last page.' };

const ANSWER: Words = {
  rating: "The rating, on the survey's scale.",
  text: 'The text that the person wrote; `null` if there is none.',
  followUpRequested: 'Whether the person asked to be contacted; `null` if they were not asked.',
  contact: 'The e-mail address or telephone number that the person left; `null` if there is none.',
};

const RESPONDENT: Words = {
  respondentId: 'The id of the person.',
  identityKind: 'How the person was identified.',
};

const COMMENT: Words = {
  ...ANSWER,
  ...RESPONDENT,
  ...STORED_SESSION,
  id: 'The id of the response.',
  traits: 'The traits of the person; `null` if there are none.',
  source: 'How the response was stored: `sdk`, or `import` for imported responses.',
  at: 'The time at which the answer was stored.',
};

const SCORE_TO_DELIVER: Words = {
  ...ANSWER,
  ...RESPONDENT,
  ...STORED_SESSION,
  ...SURVEY_OF_ROW,
  id: 'The id of the response.',
  scale: 'The lowest and highest rating of the scale.',
  at: 'The time at which the answer was stored.',
  state: 'Whether delivery is still pending or has failed.',
  attempts: 'The number of failed deliveries, for all revisions.',
  lastError: 'The error of the last failed delivery of this revision; `null` if none failed.',
  revisedAt: 'The time of the last change; `null` if the answer was never changed.',
  withdrawn: 'Whether the person withdrew the answer.',
};

const INTERVAL: Words = {
  value: 'The value.',
  low: 'The lower end of the interval.',
  high: 'The upper end of the interval.',
};

const RATED: Words = {
  responses: 'The number of responses.',
  distribution: 'The number of responses for each rating, lowest first.',
  'distribution.rating': 'The rating.',
  'distribution.count': 'The number of responses with this rating.',
  score:
    'The score with its interval; `null` if there are no responses, and for surveys of the types `choice` and `open`.',
};

const COMPARED: Words = {
  responses: 'The number of responses.',
  score:
    'The score with its interval; `null` if there are no responses, and for surveys of the types `choice` and `open`.',
  difference: 'The score of the reply minus this score; `null` if either is missing.',
  ...within('differences', { ...INTERVAL, code: 'The code of the choice.' }),
};

const SHOWN: Words = {
  dismissals: 'The number of dismissals; `null` if they are not counted.',
  shows: 'The number of impressions; `null` if none were reported, or if they are not counted.',
};

const PERIOD: Words = { from: 'The first day, in UTC.', to: 'The last day, in UTC, inclusive.' };

const REASON: Words = { code: 'The code of the reason.', label: 'The text that people see.' };

const STORED: Words = {
  ok: 'Always true.',
  id: 'The id of the response or dismissal.',
  at: 'The time at which it was stored.',
};

const CHANGES: Words = {
  slug: 'The slug of the survey.',
  action: 'Whether the survey was created or updated.',
  fields: 'The fields that changed.',
};

const PRESENTED: Words = {
  ...SESSION,
  surveyId: 'The id of the survey.',
  userId: 'The id by which the page knows the person.',
};

const GIVEN_ANSWER: Words = {
  ...PRESENTED,
  rating: "The rating, on the survey's scale.",
  followUpRequested: 'Whether the person asked to be contacted.',
  contact: 'An e-mail address or telephone number at which the person can be reached.',
  identityKind: 'How the page knows the person.',
};

const ISSUED_FOR: Words = {
  ...SESSION,
  respondentId: 'The id of the person.',
  surveyId: 'The id of the survey.',
  surveySlug: 'The slug of the survey.',
};

const SELECTION: Words = {
  respondentId: 'The id of the person.',
  email: 'The e-mail address of the person.',
  surveySlug: 'The slug of the survey.',
};

const EXPIRES: Words = {
  issuedAt: 'The time at which the token was issued.',
  expiresAt: 'The time at which the token expires.',
};

const SCORE: Words = {
  metric: 'The metric, which depends on the type of the survey.',
  value: 'The score.',
  low: 'The lower end of the interval.',
  high: 'The upper end of the interval.',
  confidence: 'The confidence level of the interval, in percent.',
  promoters: 'The number of ratings of 9 or 10.',
  passives: 'The number of ratings of 7 or 8.',
  detractors: 'The number of ratings of 0 to 6.',
  mean: 'The mean rating.',
  agree: 'The percentage of ratings of 5 to 7.',
};

const EVENT: Words = {
  source: 'Always `canvass`.',
  'detail-type': 'The type of the event.',
  detail: 'The data of the event.',
  ...within('detail', {
    ...SURVEY_OF_ROW,
    ...RESPONDENT,
    ...STORED_SESSION,
    version: 'The version of the event format.',
    at: 'The time of the event.',
    projectId: 'The id of the project.',
    source: 'The source of the response or of the change.',
    followUpRequested: 'Whether the person asked to be contacted; `null` if they were not asked.',
    contact: 'The e-mail address or telephone number that the person left; `null` if there is none.',
    dismissals: 'The number of dismissals.',
    surveys: 'The surveys that the event describes.',
    'surveys.surveyId': 'The id of the survey.',
    'surveys.surveySlug': 'The slug of the survey.',
    'surveys.surveyType': 'The type of the survey.',
    'surveys.question': 'The question that people are asked.',
    'surveys.score': 'The score of the week, with its interval.',
    'surveys.action': 'Whether the survey was created or updated.',
    reordered: 'Whether the order of the surveys changed.',
  }),
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [type.replaceAll(' ', ''), EVENT])),
  ServiceError: {
    'issues.path': 'The field as a dotted path, such as `traits.plan`.',
    'issues.message': 'The problem with the field.',
  },
  ConsoleSignInReply: {
    project: 'The project.',
    'project.id': 'The id of the project.',
    'project.name': 'The name of the project.',
    'project.accent': 'The accent color of the project, as `#rrggbb`; `null` for the default.',
    issuer: "The issuer of the project's OpenID provider.",
    clientId: "The console's client id at the provider.",
    authorizationEndpoint: 'The authorization endpoint of the provider.',
    tokenEndpoint: 'The token endpoint of the provider.',
  },
  TraitValue: { '': 'A value of a trait.' },
  TargetingRule: {
    '': 'A rule of the audience. All rules must match.',
    trait: 'The name of the trait.',
    op: 'The operator by which the trait is compared with `value`.',
    value: 'The value that the trait is compared with: a list for `in`, `true` or `false` for `exists`.',
  },
  EndLabels: {
    '': 'The meanings of the ends of the scale.',
    low: 'The label of the lowest rating.',
    high: 'The label of the highest rating.',
  },
  ThanksLink: {
    '': 'A link below the thanks.',
    label: 'The text of the link.',
    url: 'The URL that the link opens.',
  },
  Thanks: THANKS,
  FollowUp: {
    '': 'The follow-up question for some ratings.',
    question: 'The question, which people answer with text.',
  },
  RatingThanks: THANKS,
  SurveyWords: {
    '': "Texts that replace the widget's own.",
    send: 'The label of the button that sends the answer.',
    close: 'The label of the button that dismisses the survey.',
    contact: 'The label of the checkbox with which people ask to be contacted.',
    contactAddress: 'The label of the field in which people enter a contact address.',
    values:
      'The meanings of the ratings, lowest first: one for each rating, or one for each end of the scale.',
  },
  SurveyReason: { ...REASON, '': 'A reason for a low rating.' },
  SurveyEvent: { '': 'The event of the page for which a survey waits.' },
  SurveyTexts: { ...TEXTS, '': 'The texts of a survey in another language.' },
  WrittenLink: {
    '': 'A link below the thanks.',
    label: 'The text of the link.',
    url: 'The URL that the link opens.',
  },
  WrittenThanks: THANKS,
  WrittenRatingThanks: THANKS,
  WrittenTexts: { ...TEXTS, '': 'The texts of a survey in another language.' },
  Scale: { '': 'The inclusive bounds of a rating.', min: 'The lowest rating.', max: 'The highest rating.' },
  Survey: {
    ...SURVEY,
    choices: 'The choices of a survey of type `choice`, in the order in which people see them.',
    ...within('choices', { ...CHOICE, rating: 'The rating to send for this choice, which never changes.' }),
    id: 'The id of the survey.',
    scale: 'The lowest and highest rating of the scale.',
    'repeat.answered': 'The time before a person who answered can be asked again, such as `90d`.',
    'repeat.dismissed':
      'The time before a person who dismissed the survey can be asked again, such as `14d`.',
  },
  WrittenSurvey: {
    ...SURVEY,
    '': 'A survey as a survey file contains it.',
    ...within('choices', CHOICE),
    presentation: 'How the survey appears on a page. Defaults to `corner`.',
    trigger:
      '`auto`, the default: the survey appears by itself. `manual`: the page calls `show()`. `person`: the person opens it.',
    status: 'The status of the survey. Only `active` surveys are shown. Defaults to `active`.',
    startsAt: 'The time at which the survey starts: a day in UTC, or a timestamp with its time zone.',
    endsAt: 'The time at which the survey ends: a day in UTC, or a timestamp with its time zone.',
    repeat:
      'How often one person can be asked: once per `session`, once per `observation`, or again after a duration. By default, people are asked once.',
    'repeat.answered': 'The time before a person who answered can be asked again, such as `90d`.',
    'repeat.dismissed':
      'The time before a person who dismissed the survey can be asked again, such as `14d`.',
    reasons:
      'The reasons for a low rating that people can choose. They are shown with the follow-up question.',
    limits: "The limits of this survey, in addition to the project's.",
    'limits.maxResponses': 'The number of responses after which the survey ends.',
    'limits.quietPeriod':
      "The time that must pass after a person answered or dismissed any survey, such as `7d`. Replaces the project's quiet period. 0 means none.",
    'limits.ignoreQuietPeriod': 'Whether the survey is also shown to people in a quiet period.',
    segments: 'The breakdowns of the results, by name: a list of values, or the values with their source.',
    ...within('segments', {
      from: 'The source of the values. Defaults to the trait with the name of the breakdown.',
      values: 'The values that are counted separately.',
    }),
    retention: "The retention period of the answers, such as `13mo`. Defaults to the project's.",
  },
  BootstrapRequest: { userId: 'The id by which the page knows the person.' },
  BootstrapReply: {
    surveys: 'The active surveys, in the order in which they are shown.',
    suppression: 'The ids of surveys that the person answered or dismissed and may not be shown again yet.',
    showTokens: 'The show-tokens, by the id of their survey.',
  },
  SubmitResponseRequest: GIVEN_ANSWER,
  ReviseResponseRequest: GIVEN_ANSWER,
  SubmitDismissalRequest: PRESENTED,
  SubmitImpressionRequest: PRESENTED,
  RecordedReply: STORED,
  RevisedReply: { ...STORED, revision: 'The number of times that the answer was changed.' },
  SubmitImpressionReply: STORED,
  MintTokensRequest: ISSUED_FOR,
  MintTokensReply: {
    ...EXPIRES,
    tokens: 'The show-tokens, by the id of their survey.',
    suppression: 'The ids of surveys that the person answered or dismissed and may not be shown again yet.',
    none: 'Why there is no token, by the slug of the survey. An unknown survey is listed as the request named it. If the request names no survey, inactive ones are not listed. Absent if empty.',
  },
  Binding: { ...SESSION, surveyId: 'The id of the survey.', slug: 'The slug of the survey.' },
  DeferredAskLinkRequest: ISSUED_FOR,
  Link: {
    '': 'The link, and the show-token that it contains.',
    ...EXPIRES,
    ok: 'Always true.',
    url: 'The URL of the page on which the person can answer.',
    surveyId: 'The id of the survey.',
    respondentId: 'The id of the person.',
    sessionId: 'The id of the session; `null` if the request named none.',
  },
  NoLink: {
    ok: 'Always false.',
    reason: 'The reason why the person may not be asked.',
    none: 'The same reason in the form of `MintTokensReply`, by the slug of the survey.',
  },
  AnswerLinkRequest: GIVEN_ANSWER,
  PendingScore: SCORE_TO_DELIVER,
  WithdrawnScore: {
    ...SCORE_TO_DELIVER,
    rating: 'Always `null`, because the answer was withdrawn.',
    text: 'Always `null`, because the answer was withdrawn.',
    choice: 'Always `null`, because the answer was withdrawn.',
    reasons: 'Always `null`, because the answer was withdrawn.',
    answers: 'Always `null`, because the answer was withdrawn.',
  },
  ListPendingScoresReply: { ...NEXT_CURSOR, scores: 'Scores that wait for delivery, oldest first.' },
  AckScoresRequest: {
    results: 'The deliveries to report, at most 100.',
    'results.id': 'The id of the response.',
    'results.error': 'The reason why the delivery failed.',
  },
  AckScoresReply: { ok: 'Always true.', updated: 'The number of scores whose state changed.' },
  ExportResponsesQuery: SELECTION,
  ExportResponsesReply: {
    ...NEXT_CURSOR,
    projectId: 'The id of the project.',
    exportedAt: 'The time of the export.',
    count: 'The number of responses in this reply.',
    responses: 'The responses.',
    ...within('responses', {
      ...COMMENT,
      ...SURVEY_OF_ROW,
      linked: 'Whether the answer is bound to a session. Only linked answers have a score.',
      scoreState: 'The delivery state of the score; `null` if the answer has none.',
      revisedAt: 'The time of the last change; `null` if the answer was never changed.',
      withdrawn: 'Whether the person withdrew the answer.',
      'handled.at': 'The time at which the request was handled.',
      'handled.by':
        'The author: the id of a key, the e-mail address or name of a signed-in person, or `operator`. Absent from the export of one person.',
      'handled.note': 'A note for colleagues; `null` if there is none.',
    }),
    dismissals: 'The dismissals.',
    ...within('dismissals', {
      ...SURVEY_OF_ROW,
      id: 'The id of the dismissal.',
      respondentId: 'The id of the person.',
      at: 'The time at which the dismissal was stored.',
    }),
    ...within('shows', { ...SURVEY_OF_ROW, at: 'The time of the impression.' }),
  },
  EraseQuery: {
    ...SELECTION,
    account: 'Set to `true` to delete all data of the project and revoke its keys.',
  },
  EraseReply: {
    ok: 'Always true.',
    mode: 'The mode of the erasure: a respondent, a survey, or an account.',
    respondentIds: 'The ids under which the person was found.',
    responsesDeleted: 'The number of deleted responses.',
    dismissalsDeleted: 'The number of deleted dismissals.',
    suppressionRetained:
      'The number of surveys that the person answered or dismissed and will not be shown again.',
    surveySlug: 'The slug of the erased survey.',
    note: 'A note on what happens after the reply, such as the deletion of the rest.',
  },
  GetResultsQuery: { surveyId: 'The id of the survey. Send either this or `surveySlug`.' },
  ResultScore: SCORE,
  QuestionResult: {
    id: 'The id of the question.',
    kind: 'The kind of the question.',
    text: 'The last text of the question.',
    answered: 'The number of people who answered the question.',
    'choices.code': 'The code of the choice.',
    'choices.label': 'The last label of the choice.',
    'choices.count': 'The number of answers with this choice.',
    'few.codes': 'The codes of these choices.',
    'few.count': 'The number of answers with any of them. People who chose several count several times.',
    'score.value': 'The mean.',
    'score.low': 'The lower end of the interval.',
    'score.high': 'The upper end of the interval.',
    'score.confidence': 'The level of the interval.',
    'distribution.value': 'The number of the scale.',
    'distribution.count': 'The number of answers with this number.',
  },
  ScoreDifference: { ...INTERVAL, value: 'The difference.' },
  GetResultsReply: {
    ...PERIOD,
    ...RATED,
    ...SHOWN,
    survey: 'The survey.',
    ...within('survey', SURVEY_OF_RESULTS),
    imported:
      'The number of imported responses. They are included in `responses`. `null` if they are not counted.',
    modelRequested:
      'The number of responses that a model asked for. No other number includes them. `null` if they are not counted.',
    responseRate:
      'The number of responses that were not imported divided by `shows`, from 0 to 1. `null` if there are no impressions, or if the person opens the survey.',
    comments: 'The number of responses with text; `null` if they are not counted.',
    followUpsRequested: 'The number of contact requests; `null` if they are not counted.',
    reasons: 'The number of responses for each reason; `null` if they are not counted.',
    ...within('reasons', { ...REASON, count: 'The number of responses with this reason.' }),
    series: 'The numbers of the period in buckets, oldest first.',
    ...within('series', { ...PERIOD, ...RATED, ...SHOWN }),
    segments: 'The numbers for each value of the segment, largest value first.',
    ...within('segments', {
      ...RATED,
      value: 'The value of the segment; `null` for responses without a value.',
    }),
    previous: 'The preceding period of the same length.',
    ...within('previous', { ...PERIOD, ...COMPARED }),
    against: 'The value of the segment that the reply is compared with.',
    ...within('against', {
      ...COMPARED,
      value: 'The value of the segment; `null` for responses without a value.',
    }),
  },
  ListCommentsQuery: { surveyId: 'The id of the survey. Send either this or `surveySlug`.' },
  Comment: COMMENT,
  ListCommentsReply: { ...NEXT_CURSOR, comments: 'The responses, newest first.' },
  ListSurveysReply: {
    surveys: 'The surveys, in the order in which they are shown.',
    ...within('surveys', {
      ...SURVEY_OF_RESULTS,
      status: 'The status of the survey. Only `active` surveys are shown.',
      responses: 'The number of responses.',
      segments: 'The names of the segments by which results can be broken down.',
    }),
    ...within('surveys.reasons', REASON),
    project: 'The project of the key.',
    'project.id': 'The id of the project.',
  },
  ListContactsQuery: { surveyId: 'The id of the survey. Send either this or `surveySlug`.' },
  Contact: {
    ...COMMENT,
    survey: 'The survey that the person answered.',
    'survey.id': 'The id of the survey.',
    'survey.slug': 'The slug of the survey.',
    handled: 'How the contact request was handled; `null` if it was not.',
    'handled.at': 'The time at which the request was handled.',
    'handled.by':
      'The author: the id of a key, the e-mail address or name of a signed-in person, or `operator`. Absent from the export of one person.',
    'handled.note': 'A note for colleagues; `null` if there is none.',
  },
  ListContactsReply: {
    ...NEXT_CURSOR,
    contacts: 'The answers of people who asked to be contacted, newest first.',
  },
  HandleContactReply: {
    ok: 'Always true.',
    id: 'The id of the response.',
    handled: 'Whether the contact request is now handled.',
  },
  ListDefinitionsReply: {
    ...NEXT_CURSOR,
    surveys: 'The surveys of the page, in the format of a survey file.',
    changedAt: 'The time of the last change of any survey.',
    'lastChanges.id': 'The id of the survey.',
    'lastChanges.changedAt': 'The time of the last change of the survey.',
    'log.changedAt': 'The time of the change.',
    'log.surveys': 'The surveys that changed.',
    ...within('log.surveys', CHANGES),
    'log.reordered': 'Whether the order of the surveys changed.',
  },
  PutDefinitionsRequest: {
    surveys: 'The surveys to create or change, at most 49. Other surveys are not affected.',
  },
  PutDefinitionsReply: {
    created: 'The slugs of the surveys that were created.',
    updated: 'The slugs of the surveys that were changed.',
    unchanged: 'The slugs of the surveys that were already as requested.',
    changes: 'The changes of each survey.',
    ...within('changes', CHANGES),
    'changes.fields.before': 'The value before the change; `null` if there was none.',
    'changes.fields.after': 'The value after the change; `null` if there is none.',
    reordered: 'Whether the order of the surveys changed.',
  },
  GetOverviewReply: {
    ...NEXT_CURSOR,
    surveys: 'The surveys, in the order in which they are shown.',
    ...within('surveys', {
      ...SURVEY_OF_RESULTS,
      ...RATED,
      status: 'The status of the survey. Only `active` surveys are shown.',
      openContacts:
        'The number of open contact requests. If `smallestCell` is present, only those of the responses that this reply counts.',
    }),
    ...within('surveys.trend', { ...PERIOD, ...RATED }),
  },
  CreatePreviewRequest: { survey: 'The draft, in the format of a survey file.' },
  CreatePreviewReply: { expiresAt: 'The time at which the preview expires.' },
};
