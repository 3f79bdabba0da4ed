import type { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { isOfProject } from '../../shared/contract/route.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { evaluateAlarm } from '../support/stack/metric-math.ts';
import { ruleExceptions } from '../support/stack/rule-exceptions.ts';
import { certificate, edgeStacks } from '../support/stack/synthesised-edge.ts';
import { logicalId } from '../support/stack/synthesised-stack.ts';

describe('the edge', () => {
  const { main, edge } = edgeStacks();
  const behind = Template.fromStack(main);
  const inFront = Template.fromStack(edge);

  it('is in us-east-1, with the domain, its certificate and the firewall', () => {
    expect(edge.region).toBe('us-east-1');
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
            // CachingOptimized: keyed by path and encoding, brotli and gzip, for as long as the origin says.
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
      // In us-east-1 itself there is nothing to replicate, and Secrets Manager refuses to.
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
    const variables = (stack: Stack) =>
      Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')).map(
        ({ Properties }) => Properties.Environment.Variables,
      );
    const serving = (stack: Stack) => variables(stack).filter((set) => 'ORIGIN_SECRET' in set);

    it('names the new version in both stacks, so that a deployment resolves it', () => {
      const { main, edge } = edgeStacks(ids);
      const [distribution] = Object.values(
        Template.fromStack(edge).findResources('AWS::CloudFront::Distribution'),
      );
      expect(JSON.stringify(distribution)).toContain(
        `{{resolve:secretsmanager:canvass-test-origin-key:SecretString:::${ids.originSecretVersionId}}}`,
      );
      expect(serving(main).length).toBe(ROUTES.filter(isOfProject).length);
      for (const { ORIGIN_SECRET } of serving(main))
        expect(JSON.stringify(ORIGIN_SECRET)).toContain(`:SecretString:::${ids.originSecretVersionId}}}`);
    });

    it('gives functions the previous version as well, only while it is named', () => {
      for (const { PREVIOUS_ORIGIN_SECRET } of serving(edgeStacks(ids).main))
        expect(JSON.stringify(PREVIOUS_ORIGIN_SECRET)).toContain(`:::${ids.previousOriginSecretVersionId}}}`);
      expect(JSON.stringify(variables(main))).not.toContain('PREVIOUS_ORIGIN_SECRET');
    });
  });

  it('gives no secret to functions of routes without a key', () => {
    for (const name of ['serve-openapi', 'serve-results-page', 'serve-console-file', 'unknown-path']) {
      const id = logicalId(behind, 'AWS::Lambda::Function', `/${name}/`);
      const given = behind.findResources('AWS::Lambda::Function')[id]?.Properties.Environment.Variables;
      expect(Object.keys(given)).toEqual(['METRICS_NAMESPACE', 'WATCHING']);
    }
  });

  /** Secrets Manager, CreateSecret: a name that ends so is taken for one with its suffix. */
  it('has a secret whose name does not end in a hyphen and six characters', () => {
    const named = Object.values(behind.findResources('AWS::SecretsManager::Secret'));
    const names = named.flatMap(({ Properties }) => Properties.Name ?? []);
    expect(names).toHaveLength(1);
    expect(names[0]).not.toMatch(/-[A-Za-z0-9]{6}$/);
  });

  it('keeps the gateway’s default endpoint open and served during a move', () => {
    const moving = Template.fromStack(edgeStacks({ open: true }).main);
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

  it('breaks no rule with every setting on', () => {
    const findings = (stack: Stack) =>
      new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);
    expect(findings(edge)).toEqual([]);
    expect(findings(main)).toEqual([]);
    const exceptions = [main, edge].flatMap(ruleExceptions);
    expect(
      [...new Set(exceptions.map(({ rule }) => rule.replace('Annotation::AwsSolutions-', '')))].sort(),
    ).toEqual(['APIG4', 'CFR1', 'CFR3', 'IAM5[Resource::*]', 'S1', 'SF1', 'SF2', 'SMG4', 'SQS3']);
    for (const { rule, reason } of exceptions) {
      expect(reason.length, `the reason of ${rule}`).toBeGreaterThan(20);
    }
  });
});
