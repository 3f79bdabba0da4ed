import { Fn, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import { grantedActions, statementsOf } from '../support/stack/granted-actions.ts';
import { certificate, EDGE, EXISTING } from '../support/stack/stages.ts';
import { anApp, aStack, aTemplate, environmentOf, logicalId } from '../support/stack/synthesised-stack.ts';

const domain = { name: 'surveys.example.com', certificateArn: certificate('eu-west-1') };

describe('a domain of the gateway', () => {
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
    // The default endpoint still works, so a link uses the host name of its request.
    expect(JSON.stringify(template.toJSON())).not.toContain('PUBLIC_URL');
  });

  it('outputs the DNS target if the zone is elsewhere', () => {
    const id = logicalId(template, 'AWS::ApiGatewayV2::DomainName');
    template.hasOutput('DomainTarget', { Value: { 'Fn::GetAtt': [id, 'RegionalDomainName'] } });
    template.resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  it('gets its record in a zone of the app', () => {
    const stack = new Stack(anApp(), 'Team');
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

  it.each([
    ['with an edge', { domain, edge: EDGE }, /domain: excludes edge/],
    ['without a certificate', { domain: { name: domain.name } }, /domain\.certificateArn: /],
    ['an address', { domain: { ...domain, name: 'https://example.com' } }, /domain\.name: must be a domain/],
    ['a zone’s name', { domain: { ...domain, hostedZoneId: 'example.com' } }, /domain\.hostedZoneId: /],
  ])('is refused: %s', (_what, settings, message) => {
    expect(() => aStack(settings)).toThrow(message);
  });
});

/** A customer's stack in this region. */
function surveysIn(region: string, props: object): Canvass {
  const stack = new Stack(anApp(), 'Team', { env: { account: '123456789012', region } });
  return new Canvass(stack, 'Surveys', { stage: 'test', ...props });
}

describe('a certificate of another region', () => {
  it.each([
    ['domain.certificateArn', { domain }],
    ['edge.originCertificateArn', { edge: EDGE }],
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
    const edge = { ...EDGE, certificateArn: certificate('eu-west-1') };
    expect(() => aStack({ edge })).toThrow(
      /edge\.certificateArn: must be the ARN of a certificate in us-east-1/,
    );
  });
});

describe('a bus of another account', () => {
  const busArn = 'arn:aws:events:eu-west-1:210987654321:event-bus/people';
  const template = aTemplate({ events: { busArn } });

  it('is named by its ARN, which is the only target of events', () => {
    for (const name of ['send-events', 'on-change']) {
      expect(environmentOf(template, name).EVENT_BUS_NAME).toBe(busArn);
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

const TABLE_ARN = EXISTING.tableStreamArn.split('/stream/')[0];

describe('a stack on existing data', () => {
  const template = aTemplate({ existing: EXISTING });

  it('creates no table and no secret', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 0);
    template.resourceCountIs('AWS::SecretsManager::Secret', 0);
  });

  it('points functions to the existing data', () => {
    expect(environmentOf(template, 'submit-response')).toMatchObject({
      TABLE_NAME: 'restored',
      HASH_SECRET_ID: EXISTING.hashSecretArn,
      TOKEN_RING_ID: EXISTING.tokenRingArn,
    });
    expect(environmentOf(template, 'erase').ERASURE_LOG_TABLE_NAME).toBe('erasures');
  });

  it('grants access only to the existing table, its indexes and the existing secrets', () => {
    const named = statementsOf(template)
      .filter(({ Action }) => /dynamodb|secretsmanager/.test(JSON.stringify(Action)))
      .flatMap(({ Resource }) => Resource);
    expect([...new Set(named)].sort()).toEqual(
      [
        TABLE_ARN,
        `${TABLE_ARN}/index/by_project`,
        `${TABLE_ARN}/index/by_score_state`,
        `${TABLE_ARN}/index/by_contact`,
        ...Object.values(EXISTING),
      ].sort(),
    );
  });

  it('reads an existing stream from now on, since older records are already counted', () => {
    const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    expect(mappings.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ EventSourceArn: EXISTING.tableStreamArn, StartingPosition: 'LATEST' }),
    ]);
  });

  it('reads its own table’s stream from the beginning', () => {
    aTemplate().hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  it('lists the existing data for the operator CLI', () => {
    const value = (name: string) => Object.values(template.findOutputs(name))[0]?.Value;
    expect(value('TableName')).toBe('restored');
    expect(value('ErasureLogTableName')).toBe('erasures');
    expect(value('HashSecretName')).toBe('hash');
    expect(value('TokenRingName')).toBe('ring');
  });

  it('creates what is not named, under the usual logical ids', () => {
    const ids = (from: Template, type: string) => Object.keys(from.findResources(type));
    const restored = aTemplate({ existing: { tableStreamArn: EXISTING.tableStreamArn } });
    expect(ids(restored, 'AWS::SecretsManager::Secret')).toEqual(
      ids(aTemplate(), 'AWS::SecretsManager::Secret'),
    );
    expect(ids(restored, 'AWS::DynamoDB::Table')).toEqual([
      logicalId(aTemplate(), 'AWS::DynamoDB::Table', '/Erasures/'),
    ]);
  });

  it('uses the existing origin secret for an edge', () => {
    const originSecretArn = `arn:aws:secretsmanager:eu-west-1:123456789012:secret:canvass-test-origin-MnOpQr`;
    const moved = aTemplate({ edge: EDGE, existing: { ...EXISTING, originSecretArn } });
    moved.resourceCountIs('AWS::SecretsManager::Secret', 0);
    moved.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: { ORIGIN_SECRET: `{{resolve:secretsmanager:${originSecretArn}:SecretString:::}}` },
      },
    });
  });

  it.each([
    ['a table where its stream is meant', { tableStreamArn: TABLE_ARN }, /existing\.tableStreamArn: /],
    [
      'a stream where a table is meant',
      { erasureLogTableArn: EXISTING.tableStreamArn },
      /erasureLogTableArn: /,
    ],
    ['a secret’s name', { hashSecretArn: 'SecretsHashSecret-abc' }, /existing\.hashSecretArn: /],
    ['a misspelt setting', { tableArn: TABLE_ARN }, /existing: .*tableArn/],
  ])('is refused: %s', (_what, existing, message) => {
    expect(() => aStack({ existing })).toThrow(message);
  });

  it('is refused if the stack would delete its own data', () => {
    expect(() => aStack({ existing: EXISTING, removalPolicy: 'destroy' })).toThrow(
      /existing: .*removalPolicy/,
    );
  });
});
