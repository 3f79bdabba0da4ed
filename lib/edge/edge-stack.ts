import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DeploymentSettings, EdgeSettings } from '../settings/settings.ts';
import { createEdge } from './edge.ts';

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
