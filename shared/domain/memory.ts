/** What is kept in memory: a value that is made once, and the newest of many. */

/**
 * Makes a value when it is first asked for, and keeps it. The schemas of all routes and rows take longer to make than zod
 * takes to load; a function makes those that it reads with, when it reads.
 */
/* @__NO_SIDE_EFFECTS__ */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A map that holds at most so many entries; the one set longest ago goes first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
