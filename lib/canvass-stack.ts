import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Canvass } from './canvass.ts';
import { createEdge } from './edge/edge.ts';
import type { DeploymentSettings, EdgeSettings } from './settings/settings.ts';

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

export class EdgeStack extends Stack {
  constructor(scope: Construct, settings: DeploymentSettings, edge: EdgeSettings) {
    const stackName = `${settings.name}-${settings.stage}-edge`;
    super(scope, stackName, {
      stackName,
      description: `Canvass, edge (${settings.stage})`,
      env: { region: 'us-east-1' },
      terminationProtection: settings.removalPolicy === 'retain',
    });
    createEdge(this, settings, edge);
  }
}
