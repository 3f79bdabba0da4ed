/**
 * Supports only the filter patterns of CloudWatch Logs that the stack uses (CloudWatch Logs, "Filter pattern syntax").
 */

type Line = Readonly<Record<string, unknown>>;

const TOKENS = /"(?:[^"\\]|\\.)*"|\$\.[\w.-]+|&&|\|\||>=|=|\(|\)|[\w.]+/g;

function isEqual(value: unknown, wanted: string): boolean {
  if (!wanted.startsWith('"')) return value === Number(wanted);
  const text = JSON.parse(wanted);
  const pattern = text.split('*').map((part: string) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  // Only texts match a text pattern, numbers never do.
  return typeof value === 'string' && new RegExp(`^${pattern.join('.*')}$`).test(value);
}

function matchesJson(pattern: string, line: Line): boolean {
  const tokens = pattern.match(TOKENS) ?? [];
  const next = () => tokens.shift() ?? '';
  function term(): boolean {
    const token = next();
    if (token === '(') {
      const value = either();
      if (next() !== ')') throw new Error(`an open bracket in ${pattern}`);
      return value;
    }
    if (!token.startsWith('$.')) throw new Error(`"${token}" in ${pattern}`);
    const value = token
      .slice(2)
      .split('.')
      .reduce<unknown>((inner, name) => (inner as Line | undefined)?.[name], line);
    const [operator, wanted] = [next(), next()];
    if (operator === '>=') return typeof value === 'number' && value >= Number(wanted);
    return isEqual(value, wanted);
  }
  function both(): boolean {
    let value = term();
    while (tokens[0] === '&&') {
      next();
      value = term() && value;
    }
    return value;
  }
  function either(): boolean {
    let value = both();
    while (tokens[0] === '||') {
      next();
      value = both() || value;
    }
    return value;
  }
  const value = either();
  if (tokens.length > 0) throw new Error(`"${tokens.join(' ')}" is left of ${pattern}`);
  return value;
}

/** Whether a line matches: by its fields, or by any of several words with a question mark each. */
export function matchesFilter(pattern: string, line: string): boolean {
  if (pattern.startsWith('{')) return matchesJson(pattern.slice(1, -1), JSON.parse(line));
  return pattern.split(' ').some((word) => line.includes(word.replace(/^\?/, '')));
}
