/**
 * What the service and this client say to each other, as far as the client reads or writes it (docs/contract.md §3 and
 * §6.2). Plain types, so that the published declarations stand alone; a compile-time check in the tests keeps
 * them equal to the contract's schemas.
 */

export type SurveyType = 'nps' | 'csat' | 'ces' | 'pmf';
export type Corner = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
export type Scalar = string | number | boolean | null;

/** What is known about a respondent. The service takes at most 50 keys and 4 KiB. */
export type Traits = Readonly<Record<string, Scalar>>;

export interface TargetingRule {
  readonly trait: string;
  readonly op: 'eq' | 'neq' | 'in' | 'gt' | 'lt' | 'gte' | 'lte' | 'exists';
  readonly value?: Scalar | Scalar[];
}

export interface EndLabels {
  readonly low: string;
  readonly high: string;
}

/** The texts a person reads; a locale overrides any of them. */
export interface SurveyTexts {
  readonly question?: string;
  readonly followUpQuestion?: string;
  readonly endLabels?: EndLabels;
}

/** An item of bootstrap's `surveys`. */
export interface Survey {
  readonly id: string;
  readonly slug: string;
  readonly type: SurveyType;
  readonly question: string;
  readonly followUpQuestion?: string;
  readonly presentation: 'corner' | 'inline' | 'banner';
  readonly corner?: Corner;
  readonly trigger: 'auto' | 'manual';
  /** Milliseconds. */
  readonly delayMs?: number;
  /** 0 to 100. */
  readonly samplePercent?: number;
  readonly targeting?: TargetingRule[];
  readonly endLabels?: EndLabels;
  readonly showBadge?: boolean;
  /** Higher is asked first; 0 unless said. */
  readonly priority?: number;
  readonly locales?: Record<string, SurveyTexts>;
  /** Inclusive bounds of a rating. */
  readonly scale: { readonly min: number; readonly max: number };
}

export interface BootstrapReply {
  readonly surveys: Survey[];
  readonly suppression: string[];
  readonly showTokens?: Record<string, string>;
}

/** What a session-bound token attests, and what the answer must therefore bring. */
export interface Session {
  readonly sessionId?: string;
  readonly traceId?: string;
  readonly observationId?: string;
}

export interface ResponseBody extends Session {
  readonly key: string;
  readonly showToken: string;
  readonly surveyId: string;
  readonly rating: number;
  readonly text?: string;
  readonly followUpRequested?: boolean;
  readonly userId?: string;
  readonly traits?: Traits;
  readonly taskType?: string;
  readonly identityKind?: 'identified' | 'anon-device';
}

export interface DismissalBody extends Session {
  readonly key: string;
  readonly showToken: string;
  readonly surveyId: string;
  readonly userId: string;
}
