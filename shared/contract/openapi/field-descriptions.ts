/** Functions bundle the schemas without these descriptions. */

import { EVENT_TYPES } from '../../domain/happening.ts';

type Words = Readonly<Record<string, string>>;

const within = (field: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [`${field}.${name}`, text]));

const TEXTS: Words = {
  question: 'The question that people are asked.',
  followUpQuestion: 'The question about the rating, asked after it. The answer is text.',
  endLabels: 'Labels of the two ends of the scale.',
  thanks: "What people see after they answer. By default, the widget's own thanks.",
  words: "Texts that replace the widget's own.",
};

const SURVEY: Words = {
  ...TEXTS,
  slug: 'The name of the survey in code.',
  type: 'The type of question, which determines the scale and the score.',
  presentation: 'How the survey appears on a page.',
  corner: 'The corner of the page in which the survey appears. Defaults to `bottom-right`.',
  trigger: '`auto`: the survey appears by itself. `manual`: the page calls `show()`.',
  delayMs: 'Milliseconds before an `auto` survey may appear.',
  samplePercent: 'The percentage of people who are asked. By default, all.',
  targeting: 'The audience: rules about the traits of a person, all of which must hold.',
  showBadge: 'Whether the survey shows the name of its maker.',
  locales: 'Texts in other languages, by language tag.',
};

const SESSION: Words = {
  sessionId: 'Id of the session.',
  observationId: 'Id of the observation in the trace.',
  traceId: 'Id of the trace.',
  taskType: 'What the turn was about.',
};

const STORED_SESSION: Words = {
  sessionId: 'Id of the session; null if the token does not name one.',
  observationId: 'Id of the observation in the trace; null if the token does not name one.',
  traceId: 'Id of the trace; null if the token does not name one.',
  taskType: 'What the turn was about; null if not given.',
  labels: 'What the server stated about the turn; null if nothing.',
  channel: 'How the answer reached the server; null for answers from a page.',
};

const SURVEY_OF_ROW: Words = {
  surveyId: 'Id of the survey.',
  surveySlug: 'Slug of the survey.',
  surveyType: 'The type of question.',
};

const SURVEY_OF_RESULTS: Words = {
  id: 'Id of the survey.',
  slug: 'Slug of the survey.',
  type: 'The type of question.',
  question: 'The question that people are asked.',
  scale: 'The lowest and the highest rating.',
};

const NEXT_CURSOR: Words = { nextCursor: 'The cursor of the next page. Absent on the last page.' };

const ANSWER: Words = {
  rating: "The rating, on the survey's scale.",
  text: 'What the person wrote; null if nothing.',
  followUpRequested: 'Whether the person asks to be contacted; null if they were not asked.',
  contact: 'The address or number that the person left; null if none.',
};

const RESPONDENT: Words = {
  respondentId: 'The id of the person.',
  identityKind: 'How the person was identified.',
};

const COMMENT: Words = {
  ...ANSWER,
  ...RESPONDENT,
  ...STORED_SESSION,
  id: 'Id of the response.',
  verified: 'Whether a server or a signed token identified the person.',
  traits: 'The traits of the person; null if none.',
  source: 'Where the response comes from.',
  at: 'When the person answered.',
};

const SCORE_TO_DELIVER: Words = {
  ...ANSWER,
  ...RESPONDENT,
  ...STORED_SESSION,
  ...SURVEY_OF_ROW,
  id: 'Id of the response.',
  scale: 'The lowest and the highest rating.',
  at: 'When the person answered.',
  state: 'Whether delivery is still pending or has failed.',
  attempts: 'The number of failed deliveries.',
  lastError: 'Why the last delivery failed; null if none failed.',
  revisedAt: 'When the answer was last changed; null if it never was.',
  withdrawn: 'Whether the person withdrew the answer.',
};

const RATED: Words = {
  responses: 'The number of responses.',
  distribution: 'The number of responses for each rating, lowest first.',
  'distribution.rating': 'The rating.',
  'distribution.count': 'The number of responses with this rating.',
  score: 'The score with its interval; null without responses.',
};

const COMPARED: Words = {
  responses: 'The number of responses.',
  score: 'The score with its interval; null without responses.',
  difference: 'The score of the reply minus this score; null if either is missing.',
};

const SHOWN: Words = {
  dismissals: 'The number of people who dismissed the survey; null if not counted.',
  shows: 'How often the survey was on a screen; null if not recorded.',
};

const PERIOD: Words = { from: 'The first day, UTC.', to: 'The last day, UTC, inclusive.' };

const REASON: Words = { code: 'The name of the reason in code.', label: 'The text that people read.' };

const STORED: Words = {
  ok: 'Always true.',
  id: 'Id of the response or the dismissal.',
  at: 'When it was stored.',
};

const CHANGES: Words = {
  slug: 'Slug of the survey.',
  action: 'Whether the survey was created or updated.',
  fields: 'The fields that changed.',
};

const PRESENTED: Words = {
  ...SESSION,
  surveyId: 'Id of the survey.',
  userId: 'The id by which the page knows the person.',
};

const GIVEN_ANSWER: Words = {
  ...PRESENTED,
  rating: "The rating, on the survey's scale.",
  followUpRequested: 'Whether the person asks to be contacted.',
  contact: 'Where to reach a person who is not identified.',
  identityKind: 'How the page knows the person.',
};

const ISSUED_FOR: Words = {
  ...SESSION,
  respondentId: 'The id of the person.',
  surveyId: 'Id of the survey.',
  surveySlug: 'Slug of the survey.',
};

const SELECTION: Words = {
  respondentId: 'The id of the person.',
  email: 'An e-mail address among the traits of the person.',
  surveySlug: 'Slug of the survey.',
};

const EXPIRES: Words = { issuedAt: 'When the token was issued.', expiresAt: 'When the token expires.' };

const SCORE: Words = {
  metric: 'Which score it is, by the type of the survey.',
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
  detail: 'What happened.',
  ...within('detail', {
    ...SURVEY_OF_ROW,
    ...RESPONDENT,
    ...STORED_SESSION,
    version: 'The version of this form of the event.',
    at: 'When it happened.',
    projectId: 'Id of the project.',
    source: 'Where the response or the change comes from.',
    followUpRequested: 'Whether the person asks to be contacted; null if they were not asked.',
    contact: 'The address or number that the person left; null if none.',
    dismissals: 'The number of dismissals.',
    surveys: 'The surveys that changed.',
    'surveys.surveyId': 'Id of the survey.',
    'surveys.surveySlug': 'Slug of the survey.',
    'surveys.surveyType': 'The type of question.',
    'surveys.question': 'The question that people are asked.',
    'surveys.score': 'The score of the week, with its interval.',
    'surveys.action': 'Whether the survey was created or updated.',
    reordered: 'Whether the order of the surveys changed.',
  }),
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [type.replaceAll(' ', ''), EVENT])),
  ServiceError: {
    'issues.path': 'The field, such as `traits.plan`.',
    'issues.message': 'What is wrong with it.',
  },
  ConsoleSignInReply: {
    project: 'The project.',
    'project.id': 'Id of the project.',
    'project.name': 'The name of the project.',
    'project.accent': 'The color of the project, `#rrggbb`; null for the default.',
    issuer: "The issuer of the project's OpenID provider.",
    clientId: 'The client id of the console.',
    authorizationEndpoint: 'The authorization endpoint of the provider.',
    tokenEndpoint: 'The token endpoint of the provider.',
  },
  TargetingRule: {
    trait: 'The name of the trait.',
    op: 'How the trait is compared with `value`.',
    value: 'The value that the trait is compared with: a list for `in`, true or false for `exists`.',
  },
  EndLabels: { low: 'Label of the lowest rating.', high: 'Label of the highest rating.' },
  ThanksLink: { label: 'The text of the link.', url: 'The address that the link opens.' },
  Thanks: { text: 'The text that people read.', link: 'A link below the text.' },
  SurveyWords: {
    send: 'Label of the button that sends the answer.',
    close: 'Label of the button that dismisses the survey.',
    contact: 'Label of the checkbox that asks to be contacted.',
    contactAddress: 'Label of the field for an address.',
    values: 'Meanings of the ratings, lowest first: one for each rating, or one for each end.',
  },
  SurveyReason: REASON,
  SurveyTexts: TEXTS,
  WrittenLink: { label: 'The text of the link.', url: 'The address that the link opens.' },
  WrittenThanks: { text: 'The text that people read.', link: 'A link below the text.' },
  WrittenTexts: TEXTS,
  Scale: { min: 'The lowest rating.', max: 'The highest rating.' },
  Survey: {
    ...SURVEY,
    id: 'Id of the survey.',
    scale: 'The lowest and the highest rating.',
    'repeat.answered': 'The time after an answer, such as `90d`.',
    'repeat.dismissed': 'The time after a dismissal, such as `14d`.',
  },
  WrittenSurvey: {
    ...SURVEY,
    presentation: 'How the survey appears on a page. Defaults to `corner`.',
    trigger: '`auto`, the default: the survey appears by itself. `manual`: the page calls `show()`.',
    status: 'Whether the survey is shown. Defaults to `active`.',
    startsAt: 'When the survey starts: a day in UTC, or a timestamp with its zone.',
    endsAt: 'When the survey ends: a day in UTC, or a timestamp with its zone.',
    repeat:
      'How often one person may be asked: `session`, `observation`, or the time after an answer or a dismissal. By default, never again.',
    'repeat.answered': 'The time after an answer, such as `90d`.',
    'repeat.dismissed': 'The time after a dismissal, such as `14d`.',
    reasons: 'Reasons for a low rating that people can choose, asked together with the follow-up question.',
    limits: "Limits of this survey, in addition to the project's.",
    'limits.maxResponses': 'The number of responses after which the survey ends.',
    'limits.quietPeriod':
      "The time that must pass after any other survey, such as `7d`, instead of the project's. 0 for none.",
    'limits.ignoreQuietPeriod': 'Whether the survey is also shown to people in a quiet period.',
    segments: 'Breakdowns of the results, by name.',
    retention: "How long answers are kept, such as `13mo`. By default, the project's retention.",
  },
  BootstrapRequest: { userId: 'The id by which the page knows the person.' },
  BootstrapReply: {
    surveys: 'The active surveys, in the order in which they are asked.',
    suppression: 'Ids of surveys that this person has answered or dismissed and may not be asked again yet.',
    showTokens: 'Show-tokens by the id of their survey.',
  },
  SubmitResponseRequest: GIVEN_ANSWER,
  ReviseResponseRequest: GIVEN_ANSWER,
  SubmitDismissalRequest: PRESENTED,
  SubmitImpressionRequest: PRESENTED,
  RecordedReply: STORED,
  RevisedReply: { ...STORED, revision: 'The number of changes of the answer.' },
  SubmitImpressionReply: STORED,
  MintTokensRequest: ISSUED_FOR,
  MintTokensReply: {
    ...EXPIRES,
    tokens: 'Show-tokens by the id of their survey.',
    suppression: 'Ids of surveys that this person has answered or dismissed and may not be asked again yet.',
  },
  Binding: { ...SESSION, surveyId: 'Id of the survey.', slug: 'Slug of the survey.' },
  DeferredAskLinkRequest: ISSUED_FOR,
  Link: {
    ...EXPIRES,
    ok: 'True: there is a link.',
    url: 'The address of the page on which the person answers.',
    surveyId: 'Id of the survey.',
    respondentId: 'The id of the person.',
    sessionId: 'Id of the session; null if the request named none.',
  },
  NoLink: { ok: 'False: the person may not be asked.', reason: 'Why the person may not be asked.' },
  AnswerLinkRequest: GIVEN_ANSWER,
  PendingScore: SCORE_TO_DELIVER,
  WithdrawnScore: {
    ...SCORE_TO_DELIVER,
    rating: 'Null: the answer is withdrawn.',
    text: 'Null: the answer is withdrawn.',
    reasons: 'Null: the answer is withdrawn.',
  },
  ListPendingScoresReply: { ...NEXT_CURSOR, scores: 'Scores that wait for delivery, oldest first.' },
  AckScoresRequest: {
    results: 'What became of each score.',
    'results.id': 'Id of the response.',
    'results.error': 'Why the delivery failed.',
  },
  AckScoresReply: { ok: 'Always true.', updated: 'The number of scores whose state changed.' },
  ExportResponsesQuery: SELECTION,
  ExportResponsesReply: {
    ...NEXT_CURSOR,
    projectId: 'Id of the project.',
    exportedAt: 'When the export was made.',
    count: 'The number of responses in this reply.',
    responses: 'The responses.',
    ...within('responses', {
      ...COMMENT,
      ...SURVEY_OF_ROW,
      linked: 'Whether the answer is bound to a session, so that its score can be delivered.',
      scoreState: 'The state of the delivery of its score; null if it has none.',
      revisedAt: 'When the answer was last changed; null if it never was.',
      withdrawn: 'Whether the person withdrew the answer.',
      'handled.at': 'When.',
      'handled.by': 'The name of a person, or the id of a key.',
      'handled.note': 'A note for colleagues; null if none.',
    }),
    dismissals: 'The dismissals.',
    ...within('dismissals', {
      ...SURVEY_OF_ROW,
      id: 'Id of the dismissal.',
      respondentId: 'The id of the person.',
      at: 'When the person dismissed the survey.',
    }),
    ...within('shows', { ...SURVEY_OF_ROW, at: 'When the survey was on the screen.' }),
  },
  EraseQuery: { ...SELECTION, account: 'Erases everything of the project and revokes its keys.' },
  EraseReply: {
    ok: 'Always true.',
    mode: 'What was erased.',
    respondentIds: 'The ids under which the person was found.',
    responsesDeleted: 'The number of deleted responses.',
    dismissalsDeleted: 'The number of deleted dismissals.',
    suppressionRetained: 'The number of surveys that the person still is not asked again.',
    surveySlug: 'Slug of the erased survey.',
    note: 'What happens after the reply.',
  },
  GetResultsQuery: { surveyId: 'Either this or `surveySlug`.' },
  ResultScore: SCORE,
  ScoreDifference: {
    value: 'The difference.',
    low: 'The lower end of the interval.',
    high: 'The upper end of the interval.',
  },
  GetResultsReply: {
    ...PERIOD,
    ...RATED,
    ...SHOWN,
    survey: 'The survey.',
    ...within('survey', SURVEY_OF_RESULTS),
    imported: 'The number of imported responses among `responses`; null if not counted.',
    modelRequested:
      'The number of responses that a model requested, which no other number includes; null if not counted.',
    responseRate:
      'Responses divided by shows, 0 to 1, without imported responses; null if shows are unknown.',
    comments: 'The number of responses with text; null if not counted.',
    followUpsRequested: 'The number of people who ask to be contacted; null if not counted.',
    reasons: 'The number of responses for each reason; null if not counted.',
    ...within('reasons', { ...REASON, count: 'The number of responses with this reason.' }),
    series: 'The period in buckets, oldest first.',
    ...within('series', { ...PERIOD, ...RATED, ...SHOWN }),
    segments: 'The responses for each value of the segment.',
    ...within('segments', { ...RATED, value: 'The value of the segment; null for responses without one.' }),
    previous: 'The period of the same length before this one.',
    ...within('previous', { ...PERIOD, ...COMPARED }),
    against: 'The other value of the segment.',
    ...within('against', { ...COMPARED, value: 'The other value; null for responses without one.' }),
  },
  ListCommentsQuery: { surveyId: 'Either this or `surveySlug`.' },
  Comment: COMMENT,
  ListCommentsReply: { ...NEXT_CURSOR, comments: 'Responses, newest first.' },
  ListSurveysReply: {
    surveys: 'The surveys, in the order in which they are asked.',
    ...within('surveys', {
      ...SURVEY_OF_RESULTS,
      status: 'Whether the survey is shown.',
      responses: 'The number of responses.',
      segments: 'Names of the breakdowns that results have.',
    }),
    ...within('surveys.reasons', REASON),
    project: 'The project of the key.',
    'project.id': 'Id of the project.',
  },
  ListContactsQuery: { surveyId: 'Either this or `surveySlug`.' },
  Contact: {
    ...COMMENT,
    survey: 'The survey that the person answered.',
    'survey.id': 'Id of the survey.',
    'survey.slug': 'Slug of the survey.',
    handled: 'Who handled the request to be contacted; null while nobody has.',
    'handled.at': 'When.',
    'handled.by': 'The name of a person, or the id of a key.',
    'handled.note': 'A note for colleagues; null if none.',
  },
  ListContactsReply: { ...NEXT_CURSOR, contacts: 'People who asked to be contacted, newest first.' },
  HandleContactReply: {
    ok: 'Always true.',
    id: 'Id of the response.',
    handled: 'Whether the request is handled now.',
  },
  ListDefinitionsReply: {
    ...NEXT_CURSOR,
    surveys: 'The surveys of the page, as a survey file writes them.',
    changedAt: 'When the surveys were last changed.',
    'lastChanges.id': 'Id of the survey.',
    'lastChanges.changedAt': 'When the survey was last changed.',
    'log.changedAt': 'When the change was made.',
    'log.surveys': 'The surveys that changed.',
    ...within('log.surveys', CHANGES),
    'log.reordered': 'Whether the order of the surveys changed.',
  },
  PutDefinitionsRequest: { surveys: 'The surveys to create or to change.' },
  PutDefinitionsReply: {
    created: 'Slugs of new surveys.',
    updated: 'Slugs of changed surveys.',
    unchanged: 'Slugs of surveys that already were as requested.',
    changes: 'The changes of each survey.',
    ...within('changes', CHANGES),
    'changes.fields.before': 'The value before the change; null if there was none.',
    'changes.fields.after': 'The value after the change; null if there is none.',
    reordered: 'Whether the order of the surveys changed.',
  },
  GetOverviewReply: {
    ...NEXT_CURSOR,
    surveys: 'The surveys, in the order in which they are asked.',
    ...within('surveys', {
      ...SURVEY_OF_RESULTS,
      ...RATED,
      status: 'Whether the survey is shown.',
      openContacts: 'The number of people who wait to be contacted.',
    }),
    ...within('surveys.trend', { ...PERIOD, ...RATED }),
  },
  CreatePreviewRequest: { survey: 'The draft, as a survey file writes it.' },
  CreatePreviewReply: { expiresAt: 'When the preview ends.' },
};
