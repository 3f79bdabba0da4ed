export const FIELDS = ['question', 'followUpQuestion', 'status'] as const;

export class Shown {
  readonly #values = new Map<string, Set<unknown>>();

  see(slug: string, field: string, value: unknown): void {
    this.#values.set(`${slug} ${field}`, new Set(this.of(slug, field)).add(value));
  }

  of(slug: string, field: string): ReadonlySet<unknown> {
    return this.#values.get(`${slug} ${field}`) ?? new Set();
  }
}
