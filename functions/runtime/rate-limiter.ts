/** Rate limits of keys and source addresses (contract, decisions §8). */

export interface Bucket {
  readonly kind: 'key' | 'address';
  readonly projectId: string;
  /** A key's hash, or a source address. */
  readonly name: string;
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

export const bucketId = ({ kind, projectId, name }: Bucket): string => `${kind}#${projectId}#${name}`;

/** What an instance remembers of buckets, at most; the one used longest ago goes first. */
export class BucketMemory<State> {
  readonly #states = new Map<string, State>();
  readonly #most: number;

  constructor(most = 10_000) {
    this.#most = most;
  }

  get(id: string): State | undefined {
    return this.#states.get(id);
  }

  set(id: string, state: State): void {
    this.#states.delete(id);
    this.#states.set(id, state);
    const oldest = this.#states.keys().next().value;
    if (this.#states.size > this.#most && oldest !== undefined) this.#states.delete(oldest);
  }
}
