/** The console's files, as builds make them and functions serve them. */

/** A file as it is served. */
export interface ConsoleFile {
  /** Its content after brotli, in base64. */
  readonly br: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names of files that the page itself names. */
export interface ConsoleNames {
  readonly script: string;
  readonly style: string;
  /** What the script loads in any case. */
  readonly parts: readonly string[];
}
