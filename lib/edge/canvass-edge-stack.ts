import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Canvass, settingsOf } from '../canvass.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { createEdge } from './edge.ts';

/** What the stack of an edge takes. */
export interface CanvassEdgeStackProps {
  /** What it is the edge of; it has the prop `edge`. */
  readonly canvass: Canvass;
  /** @default that of the app, by the ids of its scopes */
  readonly stackName?: string | undefined;
}

/**
 * CloudFront, a firewall and the SDK's files in front of a `Canvass`, in the same account and in us-east-1, where
 * CloudFront's certificates are. It is deployed after the stack of the construct, whose origin secret it reads.
 */
export class CanvassEdgeStack extends Stack {
  /** @throws SettingsError when the construct has no edge */
  constructor(scope: Construct, id: string, { canvass, stackName }: CanvassEdgeStackProps) {
    const settings = settingsOf(canvass);
    const { account } = Stack.of(canvass);
    super(scope, id, {
      ...(stackName !== undefined && { stackName }),
      description: `Canvass, edge (${settings.stage})`,
      env: { region: 'us-east-1', ...(!Token.isUnresolved(account) && { account }) },
      terminationProtection: settings.removalPolicy === 'retain',
    });
    if (settings.edge === undefined)
      throw new SettingsError(`${canvass.node.path}.edge: is needed by an edge.`);
    createEdge(this, settings, settings.edge);
    this.addStackDependency(Stack.of(canvass), 'It reads the origin secret');
  }
}
