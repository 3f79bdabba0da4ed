import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Canvass } from './canvass.ts';
import type { DeploymentSettings } from './settings/settings.ts';

export class CanvassStack extends Stack {
  constructor(scope: Construct, settings: DeploymentSettings) {
    const stackName = `${settings.name}-${settings.stage}`;
    super(scope, stackName, {
      stackName,
      description: `Canvass, in-product rating surveys (${settings.stage})`,
      terminationProtection: settings.removalPolicy === 'retain',
    });
    // "Default" is not part of a logical id (AWS CDK, "Logical IDs").
    new Canvass(this, 'Default', settings);
  }
}
