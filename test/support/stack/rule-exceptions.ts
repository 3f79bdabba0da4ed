import { type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** The names of the rules of AwsSolutions that a stack breaks. */
export const brokenRules = (stack: Stack): readonly string[] =>
  new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);

/** Every rule that a construct of the stack is excused from, without its prefix, with the reason. */
export const ruleExceptions = (stack: Stack): readonly { readonly rule: string; readonly reason: string }[] =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries<string>(data))
    .map(([rule, reason]) => ({ rule: rule.replace('Annotation::AwsSolutions-', ''), reason }));
