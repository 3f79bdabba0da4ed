import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type AlarmCondition, sums } from '../alarms/alarm.ts';
import { serviceRole } from './function-role.ts';

const MANAGED_POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/** Alarms that roll a deployment back. */
const STOPPING = [
  'deployment-failures',
  'gateway-failures',
  'internal-errors',
  'mint-failures',
  'submit-failures',
];

export function deploymentCondition(aliases: readonly Alias[]): AlarmCondition {
  const errors = aliases.map((alias) =>
    alias.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(1) }),
  );
  const [metric] = sums(errors);
  if (metric === undefined) throw new Error('No function has a gradual deployment');
  return {
    name: 'deployment-failures',
    means: 'Functions with gradual deployments crash or time out. A deployment in progress is rolled back.',
    first: 'aws deploy list-deployments --include-only-statuses InProgress Failed Stopped',
    metric,
    threshold: 3,
  };
}

/**
 * Shifts a tenth of the requests to a new version, and the rest ten minutes later (CodeDeploy, "Deployments on an AWS
 * Lambda compute platform"). An alarm that is already on stops the next deployment
 * (aws/serverless-application-model#716), but not one that removes this setting: CloudFormation then deletes the
 * aliases without asking CodeDeploy (CloudFormation, "UpdatePolicy attribute").
 */
export class GradualDeployment extends Construct {
  constructor(
    scope: Construct,
    id: string,
    aliases: ReadonlyMap<string, Alias>,
    alarms: ReadonlyMap<string, Alarm>,
  ) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = serviceRole(this, 'Role', 'codedeploy.amazonaws.com');
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${MANAGED_POLICY}]`,
      reason:
        'CodeDeploy is allowed by its own policy for Lambda, which lets it do no more than shift aliases.',
    });
    for (const [name, alias] of aliases) {
      new LambdaDeploymentGroup(this, name, {
        application,
        alias,
        role,
        alarms: STOPPING.flatMap((each) => alarms.get(each) ?? []),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      });
    }
  }
}
