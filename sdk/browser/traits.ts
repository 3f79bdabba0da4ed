/**
 * The traits that fit, as the service keeps them: flat ones in their order, then lists and objects as JSON text in the room
 * that is left. An answer must fit a beacon, whatever the page knows of the person; the service keeps
 * to its own limits (docs/contract.md §9.1).
 */
export function fitting(traits: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const nested of [false, true]) {
    for (const name of Object.keys(traits)) {
      try {
        const json = JSON.stringify(traits[name]);
        if (/^[[{]/.test(json) === nested) kept[name] = nested ? json : traits[name];
        if (JSON.stringify(kept).length > 4_096) delete kept[name];
      } catch {
        // No JSON: a function, a circle, a getter that throws.
      }
    }
  }
  return kept;
}
