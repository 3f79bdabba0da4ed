/** What a platform has already: a domain, a web ACL, a bus in another account. */

import { App, Fn, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { certificate, edgeStacks } from '../support/stack/synthesised-edge.ts';
import { aStack, aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const rulesBrokenBy = (stack: Stack) =>
  new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);

describe('a domain of the gateway', () => {
  const domain = { name: 'surveys.example.com', certificateArn: certificate('eu-west-1') };
  const template = aTemplate({ domain });

  it('becomes the clients’ base URL, while the default endpoint stays open', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: domain.name,
      DomainNameConfigurations: [{ CertificateArn: domain.certificateArn, EndpointType: 'REGIONAL' }],
    });
    const id = logicalId(template, 'AWS::ApiGatewayV2::DomainName');
    template.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { DomainName: { Ref: id } });
    template.hasOutput('ApiUrl', { Value: 'https://surveys.example.com' });
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    // A link leads to the name by which it was asked for: each of them is served.
    expect(JSON.stringify(template.toJSON())).not.toContain('PUBLIC_URL');
  });

  it('outputs the DNS target if the zone is elsewhere', () => {
    const id = logicalId(template, 'AWS::ApiGatewayV2::DomainName');
    template.hasOutput('DomainTarget', { Value: { 'Fn::GetAtt': [id, 'RegionalDomainName'] } });
    template.resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  it('gets its record in a zone of the app', () => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Team');
    const zone = new HostedZone(stack, 'Zone', { zoneName: 'example.com' });
    const { hostedZoneId } = zone;
    const surveys = new Canvass(stack, 'Surveys', { stage: 'test', domain: { ...domain, hostedZoneId } });
    const record = {
      HostedZoneId: stack.resolve(hostedZoneId),
      Name: domain.name,
      Type: 'A',
      AliasTarget: { DNSName: Match.anyValue(), HostedZoneId: Match.anyValue() },
    };
    Template.fromStack(stack).hasResourceProperties('AWS::Route53::RecordSet', record);
    expect(surveys.api.url).toBe('https://surveys.example.com');
  });

  it('breaks no rule', () => {
    expect(rulesBrokenBy(aStack({ domain }))).toEqual([]);
  });

  it.each([
    ['with an edge', { domain, edge: edgeOf({}) }, /domain: excludes edge/],
    ['without a certificate', { domain: { name: domain.name } }, /domain\.certificateArn: /],
    ['an address', { domain: { ...domain, name: 'https://example.com' } }, /domain\.name: must be a domain/],
    ['a zone’s name', { domain: { ...domain, hostedZoneId: 'example.com' } }, /domain\.hostedZoneId: /],
  ])('is refused: %s', (_what, settings, message) => {
    expect(() => aStack(settings)).toThrow(message);
  });
});

/** As a team would write it, in a stack of this region. */
function surveysIn(region: string, props: object): Canvass {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Team', { env: { account: '123456789012', region } });
  return new Canvass(stack, 'Surveys', { stage: 'test', ...props });
}

describe('a certificate of another region', () => {
  const domain = { name: 'surveys.example.com', certificateArn: certificate('eu-west-1') };

  it.each([
    ['domain.certificateArn', { domain }],
    ['edge.originCertificateArn', { edge: edgeOf({}) }],
  ])('is refused before a deployment: %s', (setting, props) => {
    expect(() => surveysIn('us-west-2', props)).toThrow(
      `${setting}: is in eu-west-1, but the stage is in us-west-2 and requires a certificate there.`,
    );
    expect(() => surveysIn('eu-west-1', props)).not.toThrow();
  });

  it('is accepted if its ARN is known only at deployment', () => {
    const certificateArn = Fn.importValue('certificate');
    expect(() => surveysIn('us-west-2', { domain: { ...domain, certificateArn } })).not.toThrow();
  });

  it('is refused for CloudFront, which accepts only us-east-1', () => {
    const edge = edgeOf({ certificateArn: certificate('eu-west-1') });
    expect(() => aStack({ edge })).toThrow(
      /edge\.certificateArn: must be the ARN of a certificate in us-east-1/,
    );
  });
});

function edgeOf(more: object): object {
  return {
    domainName: 'surveys.example.com',
    certificateArn: certificate('us-east-1'),
    originDomainName: 'origin.example.com',
    originCertificateArn: certificate('eu-west-1'),
    ...more,
  };
}

describe('a web ACL of the team', () => {
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/team/8a7b6c5d-1234';

  it('replaces the edge’s firewall and its log', () => {
    const { edge } = edgeStacks({ webAclArn });
    const template = Template.fromStack(edge);
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: webAclArn },
    });
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    template.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
    expect(rulesBrokenBy(edge)).toEqual([]);
  });

  it('must not be regional, and has its own rules', () => {
    const regional = webAclArn.replace('us-east-1', 'eu-west-1').replace('global', 'regional');
    expect(() => aStack({ edge: edgeOf({ webAclArn: regional }) })).toThrow(/edge\.webAclArn: must be/);
    expect(() => aStack({ edge: edgeOf({ webAclArn, addressRatePer5Minutes: 100 }) })).toThrow(
      /edge\.addressRatePer5Minutes: .*remove it/,
    );
  });
});

describe('a bus of another account', () => {
  const busArn = 'arn:aws:events:eu-west-1:210987654321:event-bus/people';
  const template = aTemplate({ events: { busArn } });

  it('is named by its ARN, which is the only target of events', () => {
    for (const name of ['send-events', 'on-change']) {
      const id = logicalId(template, 'AWS::Lambda::Function', `/${name}/`);
      const { Variables } = template.findResources('AWS::Lambda::Function')[id]?.Properties.Environment ?? {};
      expect(Variables.EVENT_BUS_NAME).toBe(busArn);
      const granted = grantedActions(template, name).filter((each) => each.startsWith('events:'));
      expect(granted).toEqual([`events:PutEvents on ${JSON.stringify(busArn)}`]);
    }
  });

  it('must be in the stage’s region, since PutEvents reaches no other', () => {
    expect(() => surveysIn('us-east-1', { events: { busArn } })).toThrow(
      'events.busArn: is in eu-west-1, but the stage is in us-east-1 and requires a bus there.',
    );
    expect(() => surveysIn('eu-west-1', { events: { busArn } })).not.toThrow();
  });

  it.each([
    [
      'with webhooks',
      { webhooks: [{ url: 'https://example.com', secretName: 'hook' }] },
      /webhooks: cannot be combined with events\.busArn/,
    ],
    ['with a name', { events: { busArn, busName: 'default' } }, /events\.busArn: excludes busName/],
    ['a name in its place', { events: { busArn: 'people' } }, /events\.busArn: must be the ARN/],
  ])('is refused: %s', (_what, settings, message) => {
    expect(() => aStack({ events: { busArn }, ...settings })).toThrow(message);
  });
});
