/** What a sign-in was begun with; the answer has to fit it. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where in the console somebody was. */
  readonly hash: string;
}

/** The exact address that the provider redirects to. */
export const redirectUri = (): string => location.origin + location.pathname;
