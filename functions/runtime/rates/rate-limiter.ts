/** Rate limits of keys and source addresses (docs/contract.md §12). */

export interface Bucket {
  readonly kind: 'key' | 'address';
  readonly projectId: string;
  /** A key's hash, or a source address. */
  readonly name: string;
  /** What is counted apart from all other requests of it. */
  readonly of?: string | undefined;
  /** Requests per second; zero switches the limit off. Burst is twice that. */
  readonly rate: number;
}

export type Admission =
  /** `unmetered`: the limiter did not answer, and the request passes. */
  | { readonly admitted: true; readonly unmetered?: true }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /** Takes one permit from a bucket, at `now` in milliseconds. */
  take(bucket: Bucket, now: number): Promise<Admission>;
}

/** Burst of a bucket, in seconds of its rate. */
export const BURST_SECONDS = 2;

export const bucketId = ({ kind, projectId, name, of = '' }: Bucket): string =>
  `${kind}#${projectId}#${name}#${of}`;

/** Buckets that an instance remembers, at most. */
export const MOST_BUCKETS = 10_000;
