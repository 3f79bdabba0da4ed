export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** A field of every reply. */
  readonly replyField: string;
  /** Whether the call may take as long as the gateway allows. */
  readonly isLong?: boolean;
  /** What the call stores with a single-use token. `details.kind` shows it if the token was already used. */
  readonly storedOnce?: 'response' | 'dismissal';
  /** Whether omitting a field would widen an export or an erasure. */
  readonly hasFilters?: boolean;
}

/** Undefined and null mean absent. */
export interface Fields {
  readonly query?: object | null | undefined;
  readonly body?: object | null | undefined;
}

/** Sends a call and resolves to the JSON of its reply. Only the endpoint's own field is checked. */
export type Send<Options> = <Reply>(endpoint: Endpoint, fields: Fields, options?: Options) => Promise<Reply>;

/** A request in which optional fields may also be `undefined`. */
export type Given<Sent> = Sent extends readonly (infer Item)[]
  ? Given<Item>[]
  : Sent extends object
    ? { [Name in keyof Sent]: string extends Name ? Given<Sent[Name]> : GivenField<Sent, Name> }
    : Sent;

type GivenField<Sent, Name extends keyof Sent> =
  Record<never, never> extends Pick<Sent, Name> ? Given<Sent[Name]> | undefined : Given<Sent[Name]>;
