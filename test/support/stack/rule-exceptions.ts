import { type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Names of the AwsSolutions rules that a stack breaks. */
export const brokenRules = (stack: Stack): readonly string[] =>
  new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);

/** Every rule exception of the stack's constructs, with its reason. Rule names have no prefix. */
export const ruleExceptions = (stack: Stack): readonly { readonly rule: string; readonly reason: string }[] =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries<string>(data))
    .map(([rule, reason]) => ({ rule: rule.replace('Annotation::AwsSolutions-', ''), reason }));
