/** The name that fits a language best: for `pt-BR` that is `pt-BR`, else `pt`. Case does not matter. */
export function bestMatch(names: readonly string[], language: string): string | undefined {
  for (let tag = language.toLowerCase(); tag; tag = tag.replace(/-?[^-]*$/, '')) {
    const found = names.find((name) => name.toLowerCase() === tag);
    if (found) return found;
  }
  return undefined;
}
