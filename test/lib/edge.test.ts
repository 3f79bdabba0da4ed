/** A stage with an edge: the distribution with its firewall and SDK files, and the gateway behind it. */

import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { buildSdk } from '../../bin/build/build-sdk.ts';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import { CanvassEdgeStack } from '../../lib/edge/canvass-edge-stack.ts';
import { isOfProject } from '../../shared/contract/route.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { evaluateAlarm } from '../support/stack/metric-math.ts';
import { certificate, EDGE } from '../support/stack/stages.ts';
import {
  anApp,
  aStack,
  edgeTemplates,
  environmentOf,
  logicalId,
  propertiesOf,
  sdkFileHeaders,
} from '../support/stack/synthesised-stack.ts';

describe('the edge', () => {
  const { behind, inFront, stack } = edgeTemplates();

  it('is in us-east-1, with the domain, its certificate and the firewall', () => {
    expect(stack.region).toBe('us-east-1');
    inFront.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['surveys.example.com'],
        ViewerCertificate: { AcmCertificateArn: certificate('us-east-1') },
        WebACLId: Match.anyValue(),
        Logging: Match.absent(),
      },
    });
  });

  it('caches nothing of the API, and sends the secret without its value in the template', () => {
    const [distribution] = Object.values(inFront.findResources('AWS::CloudFront::Distribution'));
    const { DefaultCacheBehavior, Origins } = distribution?.Properties.DistributionConfig ?? {};
    expect(DefaultCacheBehavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    const header = JSON.stringify(Origins.find((origin: object) => 'CustomOriginConfig' in origin));
    expect(header).toContain('x-origin-secret');
    expect(header).toContain('{{resolve:secretsmanager:canvass-test-origin-key');
  });

  it('caches the console’s files, whose names contain a hash, but never a missing file', () => {
    inFront.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        CacheBehaviors: Match.arrayWith([
          Match.objectLike({
            PathPattern: '/console/assets/*',
            // CachingOptimized: keyed by path and encoding (Brotli and gzip), for as long as the origin allows.
            CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
            AllowedMethods: ['GET', 'HEAD'],
            Compress: true,
            FunctionAssociations: [Match.objectLike({ EventType: 'viewer-request' })],
          }),
        ]),
        CustomErrorResponses: [{ ErrorCode: 404, ErrorCachingMinTTL: 0 }],
      },
    });
  });

  it('serves the SDK files from a private bucket through the same distribution', () => {
    inFront.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { CacheBehaviors: Match.arrayWith([Match.objectLike({ PathPattern: '/sdk/*' })]) },
    });
    inFront.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    });
  });

  it('has an alarm on 5xx responses in its own region, with its own topic for the same address', () => {
    inFront.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-edge-failures',
      AlarmActions: [{ Ref: logicalId(inFront, 'AWS::SNS::Topic') }],
      AlarmDescription: Match.stringLikeRegexp('#edge-failures$'),
    });
    inFront.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'ops@example.com' });
    const [policy] = Object.values(inFront.findResources('AWS::SNS::TopicPolicy'));
    expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }),
    );
    const [alarm] = Object.values(inFront.findResources('AWS::CloudWatch::Alarm'));
    const alarms = (rate: number, requests: number) => {
      const { Metrics, Threshold } = alarm?.Properties ?? {};
      const value = evaluateAlarm(Metrics, ({ MetricStat }) =>
        MetricStat?.Metric.MetricName === 'Requests' ? requests : rate,
      );
      return value !== undefined && value >= Threshold;
    };
    expect(alarms(100, 4)).toBe(true);
    expect(alarms(100, 1)).toBe(false);
    expect(alarms(1, 100_000)).toBe(false);
  });

  it('limits each address and applies the common rules; its logs omit path, query and keys', () => {
    const [acl] = Object.values(inFront.findResources('AWS::WAFv2::WebACL'));
    const names = acl?.Properties.Rules.map(({ Name }: { Name: string }) => Name);
    expect(names).toEqual([
      'rate-per-address',
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
    ]);
    const [logging] = Object.values(inFront.findResources('AWS::WAFv2::LoggingConfiguration'));
    const redacted = JSON.stringify(logging?.Properties.RedactedFields).toLowerCase();
    for (const field of ['uripath', 'querystring', 'authorization', 'x-service-key', 'cookie', 'referer'])
      expect(redacted).toContain(field);
    const [delivery] = Object.values(inFront.findResources('AWS::Logs::Delivery'));
    const fields = JSON.stringify(delivery?.Properties.RecordFields);
    expect(fields).not.toMatch(/uri|query|c-ip|cookie|referer/);
  });

  it('blocks no one for their text: every rule on bodies or path lengths only counts', () => {
    const [acl] = Object.values(inFront.findResources('AWS::WAFv2::WebACL'));
    type Rule = {
      Name: string;
      Statement: { ManagedRuleGroupStatement?: { RuleActionOverrides: object[] } };
    };
    const counted = (group: string) =>
      acl?.Properties.Rules.find(({ Name }: Rule) => Name === group)?.Statement.ManagedRuleGroupStatement
        .RuleActionOverrides;
    const only = (names: string[]) => names.map((Name) => ({ Name, ActionToUse: { Count: {} } }));
    expect(counted('AWSManagedRulesCommonRuleSet')).toEqual(
      only([
        'SizeRestrictions_BODY',
        'SizeRestrictions_URIPATH',
        'SizeRestrictions_QUERYSTRING',
        'CrossSiteScripting_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
        'EC2MetaDataSSRF_BODY',
        'NoUserAgent_HEADER',
      ]),
    );
    expect(counted('AWSManagedRulesKnownBadInputsRuleSet')).toEqual(
      only(['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY']),
    );
  });

  it('closes the gateway’s default endpoint and gives functions the secret', () => {
    behind.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    behind.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'origin.example.com' });
    behind.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 1);
    behind.hasResourceProperties('AWS::SecretsManager::Secret', {
      Name: 'canvass-test-origin-key',
      // In us-east-1 there is nothing to replicate, and Secrets Manager refuses a replica in the same region.
      ReplicaRegions: { 'Fn::If': [Match.anyValue(), [{ Region: 'us-east-1' }], { Ref: 'AWS::NoValue' }] },
    });
    behind.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ ORIGIN_SECRET: Match.anyValue() }) },
    });
  });

  describe('while the origin secret is rotated', () => {
    const ids = {
      originSecretVersionId: 'new-version-of-the-secret-000000',
      previousOriginSecretVersionId: 'old-version-of-the-secret-000000',
    };
    const variables = (template: Template) =>
      propertiesOf(template, 'AWS::Lambda::Function').map(({ Environment }) => Environment.Variables);
    const serving = variables(edgeTemplates(ids).behind).filter((set) => 'ORIGIN_SECRET' in set);

    it('names the new version in both stacks, so that a deployment resolves it', () => {
      const distributions = propertiesOf(edgeTemplates(ids).inFront, 'AWS::CloudFront::Distribution');
      expect(JSON.stringify(distributions)).toContain(
        `{{resolve:secretsmanager:canvass-test-origin-key:SecretString:::${ids.originSecretVersionId}}}`,
      );
      expect(serving.length).toBe(ROUTES.filter(isOfProject).length);
      for (const { ORIGIN_SECRET } of serving)
        expect(JSON.stringify(ORIGIN_SECRET)).toContain(`:SecretString:::${ids.originSecretVersionId}}}`);
    });

    it('gives functions the previous version as well, only while it is named', () => {
      for (const { PREVIOUS_ORIGIN_SECRET } of serving)
        expect(JSON.stringify(PREVIOUS_ORIGIN_SECRET)).toContain(`:::${ids.previousOriginSecretVersionId}}}`);
      expect(JSON.stringify(variables(behind))).not.toContain('PREVIOUS_ORIGIN_SECRET');
    });
  });

  it('gives no secret to functions of routes without a key', () => {
    for (const name of ['serve-openapi', 'serve-results-page', 'serve-console-file', 'unknown-path'])
      expect(Object.keys(environmentOf(behind, name))).toEqual(['METRICS_NAMESPACE', 'WATCHING']);
  });

  /** Secrets Manager would mistake such an ending for its own random suffix (CreateSecret). */
  it('has a secret whose name does not end in a hyphen and six characters', () => {
    const named = Object.values(behind.findResources('AWS::SecretsManager::Secret'));
    const names = named.flatMap(({ Properties }) => Properties.Name ?? []);
    expect(names).toHaveLength(1);
    expect(names[0]).not.toMatch(/-[A-Za-z0-9]{6}$/);
  });

  it('keeps the gateway’s default endpoint open and served during a move', () => {
    const moving = edgeTemplates({ open: true }).behind;
    moving.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    moving.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({ ORIGIN_OPEN: 'true', PUBLIC_URL: 'https://surveys.example.com' }),
      },
    });
    expect(JSON.stringify(moving.findOutputs('ApiUrl'))).not.toContain('surveys.example.com');
    expect(JSON.stringify(behind.toJSON())).not.toContain('ORIGIN_OPEN');
    expect(JSON.stringify(behind.findOutputs('ApiUrl'))).toContain('surveys.example.com');
  });
});

function aTeam(props: Partial<CanvassProps>) {
  const app = anApp();
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
    const idsOf = (each: Template) =>
      Object.entries<{ Type: string }>(each.toJSON().Resources)
        .filter(([, { Type }]) => Type !== 'AWS::SNS::Subscription')
        .map(([id]) => id);
    expect(idsOf(Template.fromStack(edge))).toEqual(idsOf(edgeTemplates().inFront));
  });

  it('is refused for a construct without an edge', () => {
    const { app, canvass } = aTeam({});
    expect(() => new CanvassEdgeStack(app, 'Edge', { canvass })).toThrow(
      'Team/Surveys.edge: is required for a CanvassEdgeStack.',
    );
  });
});

/** Matches like the AWS CLI: an asterisk also matches slashes. */
const matches = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);

describe('SDK files at the edge', () => {
  it('can be imported by pages of any origin, and have security headers', () => {
    expect(sdkFileHeaders()).toEqual({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('are cached as their headers state, or five minutes by default', () => {
    edgeTemplates().inFront.hasResourceProperties('AWS::CloudFront::CachePolicy', {
      CachePolicyConfig: { MinTTL: 0, DefaultTTL: 300, MaxTTL: 31_536_000 },
    });
  });

  /** The runbook's upload commands, as the AWS CLI interprets them: the last matching filter decides. */
  const uploads = () => {
    const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('**SDK files at the edge.**');
    const commands = section
      .split('```')[1]
      ?.replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.startsWith('aws s3 sync'));
    return (commands ?? []).map((command) => {
      const filters = [...command.matchAll(/--(include|exclude) '([^']+)'/g)];
      return {
        cacheControl: command.match(/--cache-control '([^']+)'/)?.[1],
        takes: (name: string) =>
          filters.reduce(
            (isTaken, [, kind, pattern = '']) => (matches(name, pattern) ? kind === 'include' : isTaken),
            true,
          ),
        deletes: command.includes('--delete'),
      };
    });
  };

  it('are uploaded with hashed names first and cached forever, stable names for minutes, and nothing is deleted', async () => {
    const files = Object.values(await buildSdk()).flat();
    const [first, second, ...more] = uploads();
    expect(more).toEqual([]);
    for (const { hashedName, stableName } of files) {
      expect([hashedName, first?.takes(hashedName), second?.takes(hashedName)]).toEqual([
        hashedName,
        true,
        false,
      ]);
      expect([stableName, first?.takes(stableName), second?.takes(stableName)]).toEqual([
        stableName,
        false,
        true,
      ]);
    }
    expect(first).toMatchObject({ cacheControl: 'public, max-age=31536000, immutable', deletes: false });
    expect(second).toMatchObject({ cacheControl: 'public, max-age=300', deletes: false });
    for (const other of ['package.json', 'types/canvass.d.ts'])
      expect(first?.takes(other) || second?.takes(other)).toBe(false);
  });
});

describe('a web ACL of the team', () => {
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/team/8a7b6c5d-1234';

  it('replaces the edge’s firewall and its log', () => {
    const { inFront: template } = edgeTemplates({ webAclArn });
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: webAclArn },
    });
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    template.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
  });

  it('must not be regional, and has its own rules', () => {
    const regional = webAclArn.replace('us-east-1', 'eu-west-1').replace('global', 'regional');
    expect(() => aStack({ edge: { ...EDGE, webAclArn: regional } })).toThrow(/edge\.webAclArn: must be/);
    expect(() => aStack({ edge: { ...EDGE, webAclArn, addressRatePer5Minutes: 100 } })).toThrow(
      /edge\.addressRatePer5Minutes: .*remove it/,
    );
  });
});
