/** IAM, as far as the policies of this project use it ("Policy evaluation logic"). */

import type { Policy, Statement } from '../../../bin/admin/iam/statement.ts';

export interface Request {
  readonly action: string;
  readonly resource: string;
  /** What the action brings of condition keys. */
  readonly context?: Readonly<Record<string, string>>;
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  const escaped = () => pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const known =
    patterns.get(pattern) ?? new RegExp(`^${escaped().replaceAll('*', '.*').replaceAll('?', '.')}$`);
  patterns.set(pattern, known);
  return known.test(text);
}

/** A key that the request does not bring meets no condition (IAM, "Condition operators"). */
function meets({ Condition = {} }: Statement, context: Readonly<Record<string, string>>): boolean {
  return Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const value = context[key];
      if (value === undefined) return false;
      const values = [wanted].flat() as readonly string[];
      if (operator === 'StringEquals') return values.includes(value);
      if (operator === 'ArnEquals' || operator === 'ArnLike')
        return values.some((each) => matches(each, value));
      throw new Error(`no operator that is known: ${operator}`);
    }),
  );
}

const speaksOf = (statement: Statement, { action, resource, context = {} }: Request): boolean =>
  statement.Action.some((pattern) => matches(pattern, action)) &&
  statement.Resource.some((pattern) => matches(pattern, resource)) &&
  meets(statement, context);

/** Something allows it, and nothing denies it. */
export function isAllowed(policies: readonly Policy[], request: Request): boolean {
  const speaking = policies.flatMap(({ Statement }) => Statement).filter((each) => speaksOf(each, request));
  return (
    speaking.some(({ Effect }) => Effect === 'Allow') && speaking.every(({ Effect }) => Effect === 'Allow')
  );
}
