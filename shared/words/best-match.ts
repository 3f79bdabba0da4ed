/** `pt-BR` matches `pt-BR`, or else `pt`. Case is ignored. */
export function bestMatch(names: readonly string[], language: string): string | undefined {
  for (let tag = language.toLowerCase(); tag; tag = tag.replace(/-?[^-]*$/, '')) {
    const found = names.find((name) => name.toLowerCase() === tag);
    if (found) return found;
  }
  return undefined;
}
