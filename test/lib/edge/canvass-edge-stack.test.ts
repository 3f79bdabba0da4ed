import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../../lib/canvass.ts';
import type { CanvassProps } from '../../../lib/canvass-props.ts';
import { CanvassEdgeStack } from '../../../lib/edge/canvass-edge-stack.ts';
import { certificate, edgeStacks } from '../../support/stack/synthesised-edge.ts';

const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: certificate('us-east-1'),
  originDomainName: 'origin.example.com',
  originCertificateArn: certificate('eu-west-1'),
};

function aTeam(props: Partial<CanvassProps>) {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true } });
  const stack = new Stack(app, 'Team', { env: { account: '123456789012', region: 'eu-west-1' } });
  return { app, stack, canvass: new Canvass(stack, 'Surveys', { stage: 'test', ...props }) };
}

describe('the edge of a construct', () => {
  it('equals the edge of a stage, in us-east-1 of the account, deployed after the construct', () => {
    const { app, stack, canvass } = aTeam({ edge: EDGE });
    const edge = new CanvassEdgeStack(app, 'Edge', { canvass, stackName: 'canvass-test-edge' });
    expect([edge.account, edge.region, edge.terminationProtection]).toEqual([
      '123456789012',
      'us-east-1',
      true,
    ]);
    expect(edge.dependencies).toEqual([stack]);
    const idsOf = (each: Stack) =>
      Object.entries<{ Type: string }>(Template.fromStack(each).toJSON().Resources)
        .filter(([, { Type }]) => Type !== 'AWS::SNS::Subscription')
        .map(([id]) => id);
    expect(idsOf(edge)).toEqual(idsOf(edgeStacks().edge));
  });

  it('is refused for a construct without an edge', () => {
    const { app, canvass } = aTeam({});
    expect(() => new CanvassEdgeStack(app, 'Edge', { canvass })).toThrow(
      'Team/Surveys.edge: is required for a CanvassEdgeStack.',
    );
  });
});
