/**
 * Wire types of the browser client, limited to what it reads and writes (docs/contract.md §3 and §6.2). A compile-time
 * check keeps them equal to the contract's schemas.
 */

export type SurveyType = 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs' | 'choice' | 'open';
/** Position of a survey that floats over the page. */
export type Corner = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
/** A value of a targeting rule. */
export type Scalar = string | number | boolean | null;

/**
 * What is known about a respondent: any object. The service keeps at most 50 keys and 4 KiB, with lists and objects as
 * JSON text, and drops what is not JSON. Targeting compares texts, numbers and booleans.
 */
export type Traits = object;

/** One rule of a survey's audience. All rules must match. */
export interface TargetingRule {
  /** Name of the trait. */
  readonly trait: string;
  /** How the trait is compared. `in` takes a list; `exists` takes `true` or `false`. */
  readonly op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
  /** The value to compare with. */
  readonly value?: Scalar | Scalar[];
}

/** Meanings of the ends of a scale. */
export interface EndLabels {
  /** Label of the lowest rating. */
  readonly low: string;
  /** Label of the highest rating. */
  readonly high: string;
}

/** Replaces the widget's own thanks after an answer. */
export interface Thanks {
  /** The text that people see. */
  readonly text: string;
  /** A link below the text: its label and its `https:` address. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** Replaces the follow-up question for some ratings. */
export interface FollowUp {
  /** The ratings for which this question is asked. */
  readonly ratings: number[];
  /** The question, which people answer with text. */
  readonly question: string;
}

/** Thanks for some ratings, or for all others. */
export interface RatingThanks extends Thanks {
  /** Absent in the last entry if it is for all other ratings. */
  readonly ratings?: number[];
}

/** Replaces texts of the widget. */
export interface SurveyWords {
  /** Label of the button that sends the answer. */
  readonly send?: string;
  /** Label of the button that dismisses the survey. */
  readonly close?: string;
  /** Label of the checkbox that asks to be contacted. */
  readonly contact?: string;
  /** Label of the address field, for a person whom the page has not identified. */
  readonly contactAddress?: string;
  /** Meanings of the values, lowest first: one for each, or the two ends. */
  readonly values?: string[];
}

/** A reason for a low rating. */
export interface SurveyReason {
  /** The code that an answer contains. */
  readonly code: string;
  /** The text that people see. */
  readonly label: string;
}

/** An answer of a survey of type `choice`. */
export interface SurveyChoice extends SurveyReason {
  /** The rating to send, which is not the position of the choice. */
  readonly rating: number;
  /** Counts as a low rating. */
  readonly low?: boolean;
  /** Asks for words, such as "Something else". */
  readonly words?: boolean;
}

/** A question after the rating. It is never required. */
export interface SurveyQuestion {
  /** The name of its answer. */
  readonly id: string;
  /** `one` or `many` of the choices, a number of a `scale`, or `text`. */
  readonly kind: 'one' | 'many' | 'scale' | 'text';
  /** The text that people see. */
  readonly text: string;
  /** The choices of the kinds `one` and `many`. */
  readonly choices?: SurveyReason[];
  /** The lowest number of a `scale`. */
  readonly min?: number;
  /** The highest number of a `scale`. */
  readonly max?: number;
  /** Labels of the ends of a `scale`. */
  readonly endLabels?: EndLabels;
  /** The ratings that ask the question. If absent, all do. */
  readonly ratings?: number[];
}

/**
 * Answers to `questions`, by id: the code of `one`, the codes of `many`, the number of a `scale`, or the text. `null` is
 * a question that was seen and skipped. Leave out what the person did not reach.
 */
export type QuestionAnswers = Readonly<Record<string, string | readonly string[] | number | null>>;

/** Texts that a person reads. A locale can override each of them. */
export interface SurveyTexts {
  /** The question. */
  readonly question?: string;
  /** The question that follows the rating. People answer it with text. */
  readonly followUpQuestion?: string;
  /** Translations of entries with the same ratings. */
  readonly followUps?: FollowUp[];
  /** Labels of the ends of the scale. */
  readonly endLabels?: EndLabels;
  /** Labels by code. */
  readonly reasons?: Record<string, string>;
  /** Labels by code. */
  readonly choices?: Record<string, string>;
  /** Texts of the questions after the rating, by id. */
  readonly questions?: Record<
    string,
    { readonly text?: string; readonly choices?: Record<string, string>; readonly endLabels?: EndLabels }
  >;
  /** Thanks after an answer: one text, or one for each group of ratings. */
  readonly thanks?: Thanks | RatingThanks[];
  /** Replaces texts of the widget. */
  readonly words?: SurveyWords;
}

/** An event that the page reports with `track`. */
export interface SurveyEvent {
  /** Name of the event. */
  readonly event: string;
  /** A duration such as `2s`, instead of `delayMs`. */
  readonly after?: string;
  /** How often the event has to happen in a visit. Default 1. */
  readonly times?: number;
}

/** An item of bootstrap's `surveys`. */
export interface Survey {
  /** Id of the survey, which never changes. */
  readonly id: string;
  /** Name of the survey in your code. */
  readonly slug: string;
  /** The type decides the scale. */
  readonly type: SurveyType;
  /** The question. */
  readonly question: string;
  /** The question that follows the rating. People answer it with text. */
  readonly followUpQuestion?: string;
  /** Questions that replace `followUpQuestion` for some ratings. */
  readonly followUps?: FollowUp[];
  /** Offered with the follow-up question if the rating is low. */
  readonly reasons?: SurveyReason[];
  /** Of the type `choice`. */
  readonly choices?: SurveyChoice[];
  /** Asked after the rating, in this order. */
  readonly questions?: SurveyQuestion[];
  /** Whether each person sees the choices in another order. */
  readonly shuffle?: boolean;
  /** How the survey appears on the page. */
  readonly presentation: 'corner' | 'inline' | 'banner';
  /** Position of a `corner` survey. Default `bottom-right`. */
  readonly corner?: Corner;
  /** `auto`: appears by itself. `manual`: the page calls `show`. `person`: the person opens it. */
  readonly trigger: 'auto' | 'manual' | 'person';
  /** Milliseconds. */
  readonly delayMs?: number;
  /** Path patterns, of which one must match: `*` is one segment, `**` any rest. Absent: every page. */
  readonly pages?: string[];
  /** The event that an `auto` survey waits for. */
  readonly on?: SurveyEvent;
  /** 0 to 100. */
  readonly samplePercent?: number;
  /** The audience. Absent: everyone. */
  readonly targeting?: TargetingRule[];
  /** Labels of the ends of the scale. */
  readonly endLabels?: EndLabels;
  /** Whether the widget shows "Powered by Canvass". */
  readonly showBadge?: boolean;
  /** Surveys with a higher priority come first. Default 0. The service lists surveys in this order. */
  readonly priority?: number;
  /** How often one person may be asked. The service enforces it. */
  readonly repeat?: string | { readonly answered?: string; readonly dismissed?: string };
  /** Thanks after an answer: one text, or one for each group of ratings. */
  readonly thanks?: Thanks | RatingThanks[];
  /** Replaces texts of the widget. */
  readonly words?: SurveyWords;
  /** Translations by BCP 47 tag. */
  readonly locales?: Record<string, SurveyTexts>;
  /** Inclusive bounds of a rating. */
  readonly scale: { readonly min: number; readonly max: number };
}

export interface BootstrapReply {
  readonly surveys: Survey[];
  /** Present if a preview was requested. */
  readonly preview?: true;
  readonly suppression: string[];
  readonly showTokens?: Record<string, string>;
  /** Present if the project does not record impressions. */
  readonly impressions?: false;
}

/** Values that a session-bound token attests. The answer must contain the same values. */
export interface Session {
  /** Your id of the conversation or session. */
  readonly sessionId?: string;
  /** Id of the trace in your observability platform. */
  readonly traceId?: string;
  /** Id of the observation within the trace, such as one message. */
  readonly observationId?: string;
}

/** A session-bound token from your server with the values it attests: an entry of the reply's `bindings`. */
export interface Binding extends Session {
  /** Id of the survey. */
  readonly surveyId: string;
  /** Slug of the survey. */
  readonly slug?: string;
  /** The single-use token. The device that rated the message needs none. */
  readonly showToken?: string;
  /** Your id of the conversation or session. */
  readonly sessionId: string;
  /** The kind of task that your server named when it minted the token. */
  readonly taskType?: string;
}

/** The texts depend on these. They are no fields of the survey, because pages may freeze surveys. */
export interface Asked {
  readonly person?: { readonly id: () => string };
  /** The latest rating. */
  rated?: number;
}

/** A survey with its texts in the page's language. */
export type LocalisedSurvey = Omit<
  Survey,
  'followUpQuestion' | 'followUps' | 'reasons' | 'choices' | 'questions' | 'thanks'
> & {
  /** Asked after the rating, in this order. */
  readonly questions?: SurveyQuestion[] | undefined;
  /**
   * For the rating that you last passed to `draft` or `answer`. A copy of the survey does not follow it. For a choice
   * that asks for words, it is the survey's question if there is no other.
   */
  readonly followUpQuestion?: string | undefined;
  /** Offered with the follow-up question if the rating is low. */
  readonly reasons?: SurveyReason[] | undefined;
  /** In the order in which this person sees them. */
  readonly choices?: SurveyChoice[] | undefined;
  /** For the rating that you last passed to `draft` or `answer`. A copy of the survey does not follow it. */
  readonly thanks?: Thanks | undefined;
  /** The key of `locales` that is used. Absent if the survey's own texts are used. */
  readonly language?: string;
};

/** The highest rating that counts as low. */
const LOW: Readonly<Partial<Record<SurveyType, number>>> = { nps: 6, csat: 2, ces: 3 };

/** Of the types that have a scale. */
export function isLowOnScale(type: SurveyType, rating: number): boolean {
  return rating <= (LOW[type] ?? 0);
}

/**
 * Whether the person can ask to be contacted.
 *
 * @param choices of a survey of type `choice`
 */
export function isLowScore(type: SurveyType, rating: number, choices: readonly SurveyChoice[] = []): boolean {
  if (type === 'open' || type === 'choice')
    return choices.some((choice) => choice.low && choice.rating === rating);
  return isLowOnScale(type, rating);
}
