/**
 * Supports the operators of our documents: values, `prefix`, `suffix`, `anything-but`, `numeric`, `exists` and `$or`
 * (EventBridge, "Comparison operators for use in event patterns"). Other operators throw.
 */

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
};

function isNumeric(value: Json, terms: readonly Json[]): boolean {
  if (typeof value !== 'number') return false;
  for (let at = 0; at < terms.length; at += 2) {
    const compare = COMPARISONS[String(terms[at])];
    if (compare === undefined) throw new Error(`no comparison: ${String(terms[at])}`);
    if (!compare(value, Number(terms[at + 1]))) return false;
  }
  return true;
}

/** @param value undefined for a missing field */
function fits(value: Json, condition: Json): boolean {
  if (!isObject(condition)) return value === condition;
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(condition);
  if (others.length > 0) throw new Error('a condition has one operator');
  if (operator === 'exists') return (value !== undefined) === operand;
  if (value === undefined) return false;
  if (operator === 'prefix') return typeof value === 'string' && value.startsWith(String(operand));
  if (operator === 'suffix') return typeof value === 'string' && value.endsWith(String(operand));
  if (operator === 'numeric' && Array.isArray(operand)) return isNumeric(value, operand);
  if (operator === 'anything-but') return !(Array.isArray(operand) ? operand : [operand]).includes(value);
  throw new Error(`an operator that this matcher does not know: ${operator}`);
}

export function matches(pattern: JsonObject, event: JsonObject): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    if (name === '$or') {
      if (!Array.isArray(wanted)) throw new Error('$or takes a list');
      return wanted.some((each) => isObject(each) && matches(each, event));
    }
    const value = event[name];
    if (isObject(wanted)) return matches(wanted, isObject(value) ? value : {});
    if (!Array.isArray(wanted)) throw new Error(`${name}: a pattern’s leaf is a list`);
    const values = Array.isArray(value) ? value : [value];
    return values.some((each) => wanted.some((condition) => fits(each, condition)));
  });
}
