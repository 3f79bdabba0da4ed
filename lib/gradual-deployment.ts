import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type AlarmCondition, sums } from './alarm.ts';
import { serviceRole } from './service-role.ts';

const MANAGED_POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/** Failures of what the aliases serve while a version takes over. A minute is what there is to notice in. */
export function deploymentCondition(aliases: readonly Alias[]): AlarmCondition {
  const errors = aliases.map((alias) =>
    alias.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(1) }),
  );
  const [metric] = sums(errors);
  if (metric === undefined) throw new Error('no function is deployed gradually');
  return {
    name: 'deployment-failures',
    means: 'Functions that are deployed gradually crash or time out; a deployment under way is rolled back.',
    runbook: 'deployment-failures',
    level: 'essential',
    metric,
    threshold: 3,
    periods: 1,
  };
}

/**
 * Shifts a tenth of the requests to a new version, and ten minutes later the others; back to the old one when an alarm
 * goes off meanwhile (CodeDeploy, "Deployments on an AWS Lambda compute platform").
 */
export class GradualDeployment extends Construct {
  constructor(scope: Construct, id: string, aliases: readonly Alias[], alarms: readonly Alarm[]) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = serviceRole(this, 'Role', 'codedeploy.amazonaws.com');
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${MANAGED_POLICY}]`,
      reason:
        'CodeDeploy is allowed by its own policy for Lambda, which lets it do no more than shift aliases.',
    });
    for (const alias of aliases) {
      new LambdaDeploymentGroup(this, alias.lambda.node.scope?.node.id ?? '', {
        application,
        alias,
        role,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      });
    }
  }
}
