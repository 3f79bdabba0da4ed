import { createHash } from 'node:crypto';
import { Aws } from 'aws-cdk-lib';
import { CfnBudget, CfnBudgetsAction } from 'aws-cdk-lib/aws-budgets';
import { Effect, ManagedPolicy, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { serviceRole } from './functions/function-role.ts';
import { type BudgetSettings, type DeploymentSettings, metricsNamespace } from './settings/settings.ts';

const EARLY = { notificationType: 'ACTUAL', comparisonOperator: 'GREATER_THAN', threshold: 80 };

/**
 * Without permissions, functions answer 503 and store nothing, and background functions finish their work. AWS updates
 * costs up to three times a day (AWS Cost Management, "Managing your costs with AWS Budgets"), so this limits a loss of
 * days and not of hours. Nothing resumes by itself.
 */
export class Budget extends Construct {
  constructor(
    scope: Construct,
    id: string,
    settings: DeploymentSettings,
    { monthlyUsd, email }: BudgetSettings,
    functions: ReadonlyMap<string, IFunction>,
  ) {
    super(scope, id);
    // Budgets have unique names in an account, and another address replaces the budget (CloudFormation,
    // AWS::Budgets::Budget).
    const ofEmail = createHash('sha256').update(email).digest('hex').slice(0, 8);
    const name = `${metricsNamespace(settings)}-${Aws.REGION}-${ofEmail}`;
    const subscriptionType = 'EMAIL';
    const { ref: budgetName } = new CfnBudget(this, 'Limit', {
      budget: {
        ...{ budgetName: name, budgetType: 'COST', timeUnit: 'MONTHLY' },
        budgetLimit: { amount: monthlyUsd, unit: 'USD' },
      },
      notificationsWithSubscribers: [
        { notification: EARLY, subscribers: [{ subscriptionType, address: email }] },
      ],
    });
    const { managedPolicyArn: policyArn } = new ManagedPolicy(this, 'Stop', {
      description: `Canvass ${name}: attached when the budget is spent`,
      statements: [new PolicyStatement({ effect: Effect.DENY, actions: ['*'], resources: ['*'] })],
    });
    // An action attaches a policy to at most 100 roles (AWS Budgets, IamActionDefinition).
    const roles = [...new Set([...functions.values()].flatMap(({ role }) => role ?? []))];
    const attach = new PolicyStatement({
      actions: ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'],
      resources: roles.map(({ roleArn }) => roleArn),
      conditions: { ArnEquals: { 'iam:PolicyARN': policyArn } },
    });
    const { roleArn: executionRoleArn } = serviceRole(this, 'Role', 'budgets.amazonaws.com', {
      attach: new PolicyDocument({ statements: [attach] }),
    });
    new CfnBudgetsAction(this, 'Action', {
      ...{ budgetName, actionType: 'APPLY_IAM_POLICY', notificationType: 'ACTUAL' },
      ...{ approvalModel: 'AUTOMATIC', executionRoleArn },
      actionThreshold: { type: 'PERCENTAGE', value: 100 },
      definition: { iamActionDefinition: { policyArn, roles: roles.map(({ roleName }) => roleName) } },
      subscribers: [{ type: subscriptionType, address: email }],
    });
  }
}
