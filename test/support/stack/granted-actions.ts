import type { Template } from 'aws-cdk-lib/assertions';
import { logicalId } from './synthesised-stack.ts';

/** Names of the resources in the stack's policies, by the text of the reference. */
function resourceNames(template: Template): Map<string, string> {
  const table = logicalId(template, 'AWS::DynamoDB::Table', '/Data/');
  const erasureLog = logicalId(template, 'AWS::DynamoDB::Table', '/Erasures/');
  const index = (name: string) => ({
    'Fn::Join': ['', [{ 'Fn::GetAtt': [table, 'Arn'] }, `/index/${name}`]],
  });
  const secret = (part: string) => ({ Ref: logicalId(template, 'AWS::SecretsManager::Secret', part) });
  const references: [string, object][] = [
    ['table', { 'Fn::GetAtt': [table, 'Arn'] }],
    ['stream', { 'Fn::GetAtt': [table, 'StreamArn'] }],
    ['erasureLog', { 'Fn::GetAtt': [erasureLog, 'Arn'] }],
    ['purge', { Ref: logicalId(template, 'AWS::StepFunctions::StateMachine') }],
    ['by_project', index('by_project')],
    ['by_score_state', index('by_score_state')],
    ['by_contact', index('by_contact')],
    ['hashSecret', secret('HashSecret')],
    ['tokenRing', secret('TokenRing')],
    ...Object.keys(template.findResources('AWS::SQS::Queue')).map((id): [string, object] => [
      'queue',
      { 'Fn::GetAtt': [id, 'Arn'] },
    ]),
    ...Object.entries(template.findResources('AWS::Logs::LogGroup')).map(([id, group]): [string, object] => [
      `log of ${group.Properties.LogGroupName}`,
      { 'Fn::GetAtt': [id, 'Arn'] },
    ]),
  ];
  return new Map(references.map(([name, reference]) => [JSON.stringify(reference), name]));
}

type Condition = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A condition on keys also holds if the key is absent, unless the policy requires it (IAM, set operators). */
function conditionText(condition: Condition): string {
  const keys = condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (keys === undefined) return JSON.stringify(condition);
  const isRequired = condition.Null?.['dynamodb:LeadingKeys'] === 'false';
  return `key is ${keys}${isRequired ? '' : ' or unknown'}`;
}

interface Granted {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Condition;
}

export function statementsOf(template: Template, role?: string): Granted[] {
  const roles = Object.entries(template.findResources('AWS::IAM::Role'))
    .filter(([id]) => role === undefined || id === role)
    .flatMap(([, { Properties }]) => Properties.Policies ?? []);
  const attached = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => role === undefined || Roles.some(({ Ref }: { Ref?: string }) => Ref === role));
  return [...attached, ...roles].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

export function roleOf(template: Template, functionName: string): string {
  const functionId = logicalId(template, 'AWS::Lambda::Function', `/${functionName}/`);
  return template.findResources('AWS::Lambda::Function')[functionId]?.Properties.Role['Fn::GetAtt'][0];
}

/**
 * The permissions of a function's role as `action on resource`, sorted. References to unknown resources stay unchanged.
 */
export function grantedActions(template: Template, functionName: string): string[] {
  const names = resourceNames(template);
  const role = roleOf(template, functionName);
  const { ManagedPolicyArns = [] } = template.findResources('AWS::IAM::Role')[role]?.Properties ?? {};
  const granted = statementsOf(template, role).flatMap(({ Action, Resource, Condition }) =>
    [Resource].flat().flatMap((resource) => {
      const text = JSON.stringify(resource);
      const where = Condition === undefined ? '' : ` where ${conditionText(Condition)}`;
      return [Action].flat().map((action) => `${action} on ${names.get(text) ?? text}${where}`);
    }),
  );
  return [...granted, ...ManagedPolicyArns.map((arn: unknown) => JSON.stringify(arn))].sort();
}
