/** A template's rules, which CloudFormation checks before it changes anything (CloudFormation, "Rules"). */

interface Rule {
  readonly Assertions: readonly { readonly Assert: unknown; readonly AssertDescription: string }[];
}

type Parameters = Readonly<Record<string, string>>;

function given(value: unknown, parameters: Parameters): unknown {
  const { Ref } = (value ?? {}) as { readonly Ref?: string };
  return Ref === undefined ? value : parameters[Ref];
}

function isMet(assertion: unknown, parameters: Parameters): boolean {
  const [[name = '', argument] = []] = Object.entries(assertion as Record<string, readonly unknown[]>);
  const [first, second] = argument ?? [];
  if (name === 'Fn::Equals') return given(first, parameters) === given(second, parameters);
  if (name === 'Fn::Not') return !isMet(first, parameters);
  if (name === 'Fn::Contains') return (first as unknown[]).includes(given(second, parameters));
  throw new Error(`nothing known of ${name} in a rule`);
}

/** What the first rule that is not met says. */
export function brokenRule(rules: unknown, parameters: Parameters): string | undefined {
  return Object.values((rules ?? {}) as Readonly<Record<string, Rule>>)
    .flatMap(({ Assertions }) => Assertions)
    .find(({ Assert }) => !isMet(Assert, parameters))?.AssertDescription;
}
