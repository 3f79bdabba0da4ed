/**
 * An answer's row also marks the token as used, suppresses the survey, starts the quiet period and counts toward the
 * cap, so no second record can contradict it.
 */

import {
  type FieldName,
  type FieldsIn,
  type FieldUse,
  fieldsIn,
  type KindOf,
  type Told,
  tellFields,
} from './answer-fields.ts';

/** The limit counts code points. */
export const TEXT_CHARACTERS = 5_000;

/** A model requested the survey. These answers are counted separately. */
export const MODEL_REQUESTED = 'model-requested';
export const ASKED_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export const IDENTITY_KINDS = [...ASKED_KINDS, MODEL_REQUESTED] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** docs/contract.md §10.1. `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

/** The model, prompt or variant of a turn. Servers send these labels (docs/contract.md §9.7). */
export type Labels = Readonly<Record<string, string>>;

export type TraitValue = string | number | boolean | null;
export type Traits = Readonly<Record<string, TraitValue>>;

export interface SessionIds {
  readonly sessionId?: string | undefined;
  readonly observationId?: string | undefined;
  readonly traceId?: string | undefined;
}

interface AnswerBase {
  readonly id: string;
  readonly tokenId: string;
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  readonly at: string;
  /** New for each invocation. It distinguishes a repeated write from a reused token. */
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  /** A server or a signed token named the respondent, not the page. */
  readonly verified?: true | undefined;
  /** Folds the respondent's history. */
  readonly fold?: true | undefined;
  /** Set only for the synthetic monitor, in milliseconds since the epoch. */
  readonly rowExpiresAt?: number | undefined;
  /** A keyed hash of the attested session, which differs between surveys. */
  readonly sessionMark?: string | undefined;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
  /** An attested value. Dismissals store only its mark. */
  readonly sessionId?: string | undefined;
}

export interface Score {
  readonly state: ScoreState;
  readonly attempts: number;
  readonly lastError?: string | undefined;
  /** When the latest known push started, in ISO 8601 UTC. */
  readonly triedAt?: string | undefined;
}

export interface GivenReason {
  readonly code: string;
  /** The index among all codes that the survey ever had. */
  readonly place: number;
}

export const QUESTION_KINDS = ['one', 'many', 'scale', 'text'] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A code, several codes, a number or a text. Null if the person skipped the question. */
export type AnswerValue = string | number | string[] | null;

/** The rating asked the question. */
export interface GivenAnswer {
  readonly id: string;
  /** The index among all questions that the survey ever had. */
  readonly place: number;
  readonly kind: QuestionKind;
  /** Absent if the person did not reach the question. */
  readonly value?: AnswerValue | undefined;
  /** The indexes of the codes among all that the question ever had. */
  readonly codes?: readonly number[] | undefined;
}

type AnswersById = Record<string, AnswerValue>;

/** Null if no question was reached. */
export function answersById(
  answers: readonly GivenAnswer[] | undefined,
  isTold = (_: GivenAnswer) => true,
): AnswersById | null {
  const reached = (answers ?? []).flatMap((answer): [string, AnswerValue][] =>
    answer.value !== undefined && isTold(answer) ? [[answer.id, answer.value]] : [],
  );
  return reached.length > 0 ? Object.fromEntries(reached) : null;
}

/** Not the words of a person. */
export const isCoded = ({ kind }: GivenAnswer): boolean => kind !== 'text';

/** The words of a person, by the id of the question. */
export function answerTexts(answers: readonly GivenAnswer[] = []): Record<string, string> | null {
  const texts = answers.flatMap(({ id, kind, value }): [string, string][] =>
    kind === 'text' && typeof value === 'string' ? [[id, value]] : [],
  );
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

export const codesOf = (reasons: readonly GivenReason[] | undefined): string[] | undefined =>
  reasons?.map(({ code }) => code);

interface FieldValues {
  readonly rating: number;
  readonly text: string;
  readonly flag: boolean;
  /** The reasons for a low rating, in the order of the survey. Never empty. */
  readonly reasons: readonly GivenReason[];
  /** One for each question that the rating asked, in the order of their places. Never empty. */
  readonly answers: readonly GivenAnswer[];
  readonly traits: Traits;
  readonly identityKind: IdentityKind;
  readonly labels: Labels;
}

export type AnswerFields<Name extends FieldName> = {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? Each : never]: number;
} & {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? never : Each]?:
    | FieldValues[KindOf<Each>]
    | undefined;
};

/** A withdrawal keeps these fields. */
interface ResponseBase extends AnswerBase, AnswerFields<FieldsIn<'kept'>> {
  readonly source: 'sdk' | 'import';
  /** Attested by the token. Only these reach observability platforms. */
  readonly attested: SessionIds;
  readonly claimed: SessionIds;
  /** Set only for linked responses. */
  readonly score?: Score | undefined;
  readonly revision?: number | undefined;
  readonly revisedAt?: string | undefined;
}

export interface Handled {
  readonly at: string;
  /** The id of the key. */
  readonly by: string;
  readonly note?: string | undefined;
}

export interface Response extends ResponseBase, AnswerFields<FieldsIn<'removed'>> {
  readonly kind: 'response';
  /** A revision clears it. */
  readonly handled?: Handled | undefined;
}

/** The token stays used and the survey suppressed. A further revision can rate again. */
export interface Withdrawn extends ResponseBase {
  readonly kind: 'withdrawn';
}

export type Answer = Response | Withdrawn | Dismissal;

/** The store adds id and write id. */
export type NewAnswer =
  | Omit<Response, 'id' | 'writeId' | 'sessionMark' | 'handled'>
  | Omit<Dismissal, 'id' | 'writeId' | 'sessionMark'>;

export interface Submission extends SessionIds, AnswerFields<FieldsIn<'server'>> {}

interface Coded extends Omit<Response, 'reasons' | 'answers'> {
  readonly reasons: string[] | undefined;
  readonly answers: AnswersById | null;
}

export type ToldAnswer<Use extends FieldUse> = Told<Coded, Use>;

export function tellAnswer<Use extends FieldUse>(use: Use, answer: Response): ToldAnswer<Use>;
export function tellAnswer<Use extends FieldUse>(
  use: Use,
  answer: Response | Withdrawn,
): Told<Coded | Withdrawn, Use>;
export function tellAnswer(use: FieldUse, answer: Response | Withdrawn): object {
  const said = answer.kind === 'response' ? answer : undefined;
  const answers = answersById(said?.answers, use === 'scores' ? isCoded : undefined);
  return tellFields(use, { ...answer, reasons: codesOf(said?.reasons), answers });
}

export function sessionOf({ attested, claimed }: Pick<ResponseBase, 'attested' | 'claimed'>) {
  return {
    sessionId: attested.sessionId ?? claimed.sessionId ?? null,
    traceId: attested.traceId ?? claimed.traceId ?? null,
    observationId: attested.observationId ?? claimed.observationId ?? null,
  };
}

type Redactable = Readonly<Partial<Record<FieldsIn<'redacted'>, string | undefined>>> & {
  readonly answers?: AnswerFields<'answers'>['answers'];
};

/**
 * Lists changed fields, such as `text` and `answers.more`.
 * @param redact absent without redaction
 */
export function redactAnswer<Said extends Redactable>(
  said: Said,
  redact?: (text: string | undefined) => string | undefined,
) {
  if (redact === undefined) return { said, redacted: [] };
  const texts = fieldsIn('redacted').map((name) => [name, redact(said[name])] as const);
  const redacted: string[] = texts.filter(([name, text]) => text !== said[name]).map(([name]) => name);
  const answers = said.answers?.map((answer) => {
    const { kind, id, value } = answer;
    const text = kind === 'text' && typeof value === 'string' ? redact(value) : value;
    if (text !== value) redacted.push(`answers.${id}`);
    return { ...answer, value: text };
  });
  return { said: { ...said, ...Object.fromEntries(texts), ...(answers && { answers }) }, redacted };
}
