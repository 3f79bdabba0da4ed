/**
 * What the service and this client say to each other, as far as the client reads or writes it (docs/contract.md §3 and
 * §6.2). Plain types, so that the published declarations stand alone; a compile-time check in the tests keeps
 * them equal to the contract's schemas.
 */

export type SurveyType = 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs';
/** Where a survey stands that lies over the page. */
export type Corner = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
/** A value of a trait. */
export type Scalar = string | number | boolean | null;

/**
 * What is known about a respondent: any object. The service keeps at most 50 keys and 4 KiB of it; lists and objects are
 * kept as JSON text, and what is no JSON is left out. Targeting compares texts, numbers and booleans.
 */
export type Traits = object;

/** Whom a survey is meant for: all its rules must hold. */
export interface TargetingRule {
  readonly trait: string;
  readonly op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
  readonly value?: Scalar | Scalar[];
}

/** What the two ends of a scale mean. */
export interface EndLabels {
  readonly low: string;
  readonly high: string;
}

/** What follows an answer, in place of the widget's own thanks. */
export interface Thanks {
  readonly text: string;
  readonly link?: { readonly label: string; readonly url: string };
}

/** Words in place of the widget's own. */
export interface SurveyWords {
  readonly send?: string;
  readonly close?: string;
  /** Label of the box that asks to be contacted. */
  readonly contact?: string;
  /** Label of the field for an address, for somebody whom the page has not named. */
  readonly contactAddress?: string;
  /** Meanings of the values, lowest first: one for each, or the two ends. */
  readonly values?: string[];
}

/** Why somebody gives a low rating. */
export interface SurveyReason {
  readonly code: string;
  readonly label: string;
}

/** The texts a person reads; a locale overrides any of them. */
export interface SurveyTexts {
  readonly question?: string;
  readonly followUpQuestion?: string;
  readonly endLabels?: EndLabels;
  /** Labels by code. */
  readonly reasons?: Record<string, string>;
  readonly thanks?: Thanks;
  readonly words?: SurveyWords;
}

/** Something that happens in the page, which `track` tells. */
export interface SurveyEvent {
  readonly event: string;
  /** A duration, `2s`, in place of `delayMs`. */
  readonly after?: string;
  /** How often it has to happen in a visit; once unless said. */
  readonly times?: number;
}

/** An item of bootstrap's `surveys`. */
export interface Survey {
  readonly id: string;
  readonly slug: string;
  readonly type: SurveyType;
  readonly question: string;
  readonly followUpQuestion?: string;
  /** Asked beside the follow-up question where the rating is low. */
  readonly reasons?: SurveyReason[];
  readonly presentation: 'corner' | 'inline' | 'banner';
  readonly corner?: Corner;
  readonly trigger: 'auto' | 'manual';
  /** Milliseconds. */
  readonly delayMs?: number;
  /** Patterns of paths, one of which must fit: `*` is a part, `**` any rest; absent: everywhere. */
  readonly pages?: string[];
  /** What an `auto` survey waits for. */
  readonly on?: SurveyEvent;
  /** 0 to 100. */
  readonly samplePercent?: number;
  readonly targeting?: TargetingRule[];
  readonly endLabels?: EndLabels;
  readonly showBadge?: boolean;
  /** Higher comes first; default 0. The service lists surveys in this order. */
  readonly priority?: number;
  /** How often one person may be asked: the service decides by it. */
  readonly repeat?: string | { readonly answered?: string; readonly dismissed?: string };
  readonly thanks?: Thanks;
  readonly words?: SurveyWords;
  readonly locales?: Record<string, SurveyTexts>;
  /** Inclusive bounds of a rating. */
  readonly scale: { readonly min: number; readonly max: number };
}

export interface BootstrapReply {
  readonly surveys: Survey[];
  /** There where a preview was asked for. */
  readonly preview?: true;
  readonly suppression: string[];
  readonly showTokens?: Record<string, string>;
  /** There where the project records no shows. */
  readonly impressions?: false;
}

/** What a session-bound token attests, and what the answer must therefore bring. */
export interface Session {
  readonly sessionId?: string;
  readonly traceId?: string;
  readonly observationId?: string;
}

/** A session-bound token as the server minted it, with the values it attests: an entry of the reply's `bindings`. */
export interface Binding extends Session {
  readonly surveyId: string;
  readonly slug?: string;
  readonly showToken?: string;
  readonly sessionId: string;
  readonly taskType?: string;
}

/** A survey with its texts in the page's language. */
export type LocalisedSurvey = Omit<Survey, 'reasons'> & {
  /** Their labels in that language, too. */
  readonly reasons?: SurveyReason[] | undefined;
  /** The key of `locales` whose texts are used; absent when they are the survey's own. */
  readonly language?: string;
};

/** The highest rating at which a person is asked whether they want to be contacted. */
const LOW: Readonly<Partial<Record<SurveyType, number>>> = { nps: 6, csat: 2, ces: 3 };

/** Whether a person who rates so is asked whether they want to be contacted. */
export function isLowScore(type: SurveyType, rating: number): boolean {
  return rating <= (LOW[type] ?? 0);
}
