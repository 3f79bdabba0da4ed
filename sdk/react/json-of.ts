/** By what values are compared, so that an object that is made anew at each render changes nothing. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // No JSON, so nothing that could be sent either.
    return '';
  }
}

/** The same of traits, each by itself, as the client takes them: one that is no JSON hides no change of the others. */
export function jsonOfTraits(traits: object | null | undefined): string {
  const known = traits ?? {};
  return jsonOf(Object.keys(known).map((name) => jsonOf({ toJSON: () => [name, Reflect.get(known, name)] })));
}
