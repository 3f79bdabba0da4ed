/** How a call of the TypeScript client is sent. */

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** A field that every reply of it has. */
  readonly replyField: string;
  /** Whether it may take as long as the gateway lets it. */
  readonly isLong?: boolean;
  /** What it stores with a token that works once; told by `details.kind` where that was used already. */
  readonly storedOnce?: 'response' | 'dismissal';
  /** Whether a field without a value, left out, would widen what it exports or erases. */
  readonly hasFilters?: boolean;
}

/** What is sent: undefined and null mean absent. */
export interface Fields {
  /** Of text, whole numbers and booleans. */
  readonly query?: object | null | undefined;
  readonly body?: object | null | undefined;
}

/**
 * Sends a call and resolves to its reply's JSON, an object with the endpoint's field; that the rest is as the contract
 * says is taken on trust.
 */
export type Send<Options> = <Reply>(endpoint: Endpoint, fields: Fields, options?: Options) => Promise<Reply>;

/** A request as callers give it: an optional field may also be `undefined`, which is sent as absent. */
export type Given<Sent> = Sent extends readonly (infer Item)[]
  ? Given<Item>[]
  : Sent extends object
    ? { [Name in keyof Sent]: string extends Name ? Given<Sent[Name]> : GivenField<Sent, Name> }
    : Sent;

type GivenField<Sent, Name extends keyof Sent> =
  Record<never, never> extends Pick<Sent, Name> ? Given<Sent[Name]> | undefined : Given<Sent[Name]>;
