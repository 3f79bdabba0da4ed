import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Canvass } from './canvass.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/** One stage of Canvass as a stack of its own, in whichever account and region it is deployed to. */
export class CanvassStack extends Stack {
  constructor(scope: Construct, settings: DeploymentSettings) {
    const stackName = `${settings.name}-${settings.stage}`;
    super(scope, stackName, {
      stackName,
      description: `Canvass, in-product rating surveys (${settings.stage})`,
      terminationProtection: settings.removalPolicy === 'retain',
    });
    // "Default" is no part of a logical id, by which CloudFormation knows tables and secrets (AWS CDK, "Logical IDs").
    new Canvass(this, 'Default', settings);
  }
}
