export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly replyField: string;
  /** As long as the gateway allows. */
  readonly isLong?: boolean;
  /** If the single-use token was already used, `details.kind` shows by what. */
  readonly storedOnce?: 'response' | 'dismissal';
  /** Omitting a field would widen an export or erasure. */
  readonly hasFilters?: boolean;
}

/** Undefined and null mean absent. */
export interface Fields {
  readonly query?: object | null | undefined;
  readonly body?: object | null | undefined;
}

/** Checks only the endpoint's own field of the reply. */
export type Send<Options> = <Reply>(endpoint: Endpoint, fields: Fields, options?: Options) => Promise<Reply>;

/** A request in which optional fields may also be `undefined`. */
export type Given<Sent> = Sent extends readonly (infer Item)[]
  ? Given<Item>[]
  : Sent extends object
    ? { [Name in keyof Sent]: string extends Name ? Given<Sent[Name]> : GivenField<Sent, Name> }
    : Sent;

type GivenField<Sent, Name extends keyof Sent> =
  Record<never, never> extends Pick<Sent, Name> ? Given<Sent[Name]> | undefined : Given<Sent[Name]>;
