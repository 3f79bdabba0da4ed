export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** `verbs('s3', 'GetObject PutObject')`. */
export const verbs = (service: string, actions: string): readonly string[] =>
  actions.split(' ').map((action) => `${service}:${action}`);

export function allow(Sid: string, Action: readonly string[], Resource: readonly string[]): Statement {
  return { Sid, Effect: 'Allow', Action, Resource };
}

/** Characters in a managed policy, without white space (IAM, "IAM and AWS STS quotas"). */
const MOST_CHARACTERS = 6_144;

const policyOf = (Statement: readonly Statement[]): Policy => ({ Version: '2012-10-17', Statement });

export const charactersOf = (policy: Policy): number => JSON.stringify(policy).length;

/** Uses as few policies as possible and keeps the order. @throws Error when a statement does not fit into any */
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
