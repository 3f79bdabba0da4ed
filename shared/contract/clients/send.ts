/** A route that a client calls. */
export interface Endpoint {
  /** HTTP method. */
  readonly method: string;
  /** Path below the base URL. */
  readonly path: string;
  /** A field that every reply of the route has. */
  readonly replyField: string;
  /** The request may take as long as the gateway allows. */
  readonly isLong?: boolean;
  /**
   * Set if the single-use token stores one answer. If the token was already used, `details.kind` shows whether a
   * response or a dismissal used it.
   */
  readonly storedOnce?: 'response' | 'dismissal';
  /** Without its filters, an export or erasure would cover more data. */
  readonly hasFilters?: boolean;
}

/** A field that is undefined or null is omitted from the request. */
export interface Fields {
  /** Fields of the URL. */
  readonly query?: object | null | undefined;
  /** The JSON body. */
  readonly body?: object | null | undefined;
}

/** Checks only the endpoint's proof field in the reply. */
export type Send<Options> = <Reply>(endpoint: Endpoint, fields: Fields, options?: Options) => Promise<Reply>;

/** A request in which optional fields may also be `undefined`. */
export type Given<Sent> = Sent extends readonly (infer Item)[]
  ? Given<Item>[]
  : Sent extends object
    ? { [Name in keyof Sent]: string extends Name ? Given<Sent[Name]> : GivenField<Sent, Name> }
    : Sent;

type GivenField<Sent, Name extends keyof Sent> =
  Record<never, never> extends Pick<Sent, Name> ? Given<Sent[Name]> | undefined : Given<Sent[Name]>;
