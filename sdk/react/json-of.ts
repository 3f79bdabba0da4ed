/** Compares by value, so that an equal object created in each render changes nothing. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Not JSON, so it cannot be sent either.
    return '';
  }
}

/** Compares each trait separately: one that is not JSON does not hide changes of others. */
export function jsonOfTraits(traits: object | null | undefined): string {
  const known = traits ?? {};
  return jsonOf(Object.keys(known).map((name) => jsonOf({ toJSON: () => [name, Reflect.get(known, name)] })));
}
