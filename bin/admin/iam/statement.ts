/** Statements of IAM, and how many of them fit in a managed policy. */

type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Condition;
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** `verbs('s3', 'GetObject PutObject')`. */
export const verbs = (service: string, actions: string): readonly string[] =>
  actions.split(' ').map((action) => `${service}:${action}`);

export function allow(
  Sid: string,
  Action: readonly string[],
  Resource: readonly string[],
  Condition?: Condition,
): Statement {
  return { Sid, Effect: 'Allow', Action, Resource, ...(Condition !== undefined && { Condition }) };
}

/** IAM, "IAM and AWS STS quotas": characters of a managed policy, white space aside. */
const MOST_CHARACTERS = 6_144;

const policyOf = (Statement: readonly Statement[]): Policy => ({ Version: '2012-10-17', Statement });

export const charactersOf = (policy: Policy): number => JSON.stringify(policy).length;

/** As few policies as keep the statements in their order. @throws Error for a statement that fits in none */
export function pack(statements: readonly Statement[]): readonly Policy[] {
  const packed: Statement[][] = [];
  for (const statement of statements) {
    const last = packed.at(-1);
    if (last !== undefined && charactersOf(policyOf([...last, statement])) <= MOST_CHARACTERS)
      last.push(statement);
    else packed.push([statement]);
  }
  const policies = packed.map(policyOf);
  const large = policies.find((policy) => charactersOf(policy) > MOST_CHARACTERS);
  if (large !== undefined) throw new Error(`${large.Statement[0]?.Sid} is larger than a managed policy`);
  return policies;
}
