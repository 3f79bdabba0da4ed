import type { NeededPermission } from './aws-stand-in.ts';

export interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

/** The policy under a heading of a Markdown text, its `<placeholders>` filled in. */
export function policyIn(
  markdown: string,
  heading: string,
  values: Readonly<Record<string, string>>,
): readonly Statement[] {
  const [, section = ''] = markdown.split(new RegExp(`^## ${heading}$`, 'm'));
  const [, json = '{}'] = section.match(/```json\n([\s\S]*?)```/) ?? [];
  const filled = json.replaceAll(/<(\w+)>/g, (_, name: string) => values[name] ?? `<${name}>`);
  return JSON.parse(filled).Statement;
}

const matches = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(text);

/** Whether a statement allows it (IAM, "Policy evaluation logic"; these policies deny nothing). */
export function isAllowed(policy: readonly Statement[], { action, resource }: NeededPermission): boolean {
  return policy.some(
    ({ Effect, Action, Resource }) =>
      Effect === 'Allow' &&
      Action.some((pattern) => matches(pattern, action)) &&
      Resource.some((pattern) => matches(pattern, resource)),
  );
}
