/** By what values are compared, so that an object that is made anew at each render changes nothing. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // No JSON, so nothing that could be sent either.
    return '';
  }
}
