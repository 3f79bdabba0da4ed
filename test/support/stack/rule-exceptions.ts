import { type Stack, Validations } from 'aws-cdk-lib';

/** A rule that a construct is excused from, `Annotation::AwsSolutions-…`, and why. */
interface RuleException {
  readonly rule: string;
  readonly reason: string;
}

/** Every exception that the stack's constructs acknowledge. */
export function ruleExceptions(stack: Stack): RuleException[] {
  return stack.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries<string>(data).map(([rule, reason]) => ({ rule, reason }))),
    );
}
