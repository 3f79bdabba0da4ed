import { Canvass } from '@canvass-surveys/cdk';
import { App, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

class AgentStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const surveys = new Canvass(this, 'Surveys', {
      stage: 'prod',
      secretNames: 'stack',
      alarmTopic: new Topic(this, 'Oncall'),
      logRetentionDays: 90,
    });
    const agent = new LambdaFunction(this, 'Agent', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset('agent'),
    });
    surveys.grantMint(agent);
    new CfnOutput(this, 'SurveysUrl', { value: surveys.api.url });
  }
}

new AgentStack(new App(), 'Agents', { terminationProtection: true });
