import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ServiceLog } from '../functions/service-function.ts';
import type { DeploymentSettings, EdgeSettings } from '../settings/settings.ts';

interface EdgeFirewallProps {
  readonly settings: DeploymentSettings;
  readonly edge: EdgeSettings;
}

const ADDRESS_RATE = 6_000;

/**
 * These rules only count requests. A body may have 64 KiB, and people may write text that looks like markup or an
 * attack.
 */
const COUNTED_RULES = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    // A link's token alone has up to 1,024 characters, the rule's limit.
    'SizeRestrictions_URIPATH',
    // A sign-in code may be longer than the rule's 2,048 bytes.
    'SizeRestrictions_QUERYSTRING',
    'CrossSiteScripting_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'EC2MetaDataSSRF_BODY',
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
} as const;

const REDACTED_HEADERS = ['authorization', 'x-service-key', 'cookie', 'referer'] as const;

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

export class EdgeFirewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { settings, edge }: EdgeFirewallProps) {
    super(scope, id);
    const { name, stage } = settings;
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(`${name}-${stage}`),
      rules: [
        {
          name: 'rate-per-address',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: edge.addressRatePer5Minutes ?? ADDRESS_RATE,
            },
          },
          visibilityConfig: visibility('rate-per-address'),
        },
        ...Object.entries(COUNTED_RULES).map(([managed, counted], index) => ({
          name: managed,
          priority: index + 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: managed,
              ruleActionOverrides: counted.map((name) => ({ name, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: visibility(managed),
        })),
      ],
    });
    const log = new ServiceLog(this, 'Log', {
      name: `aws-waf-logs-${name}-${stage}`,
      settings,
      kmsKeyArn: edge.kmsKeyArn,
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [log.logGroupArn],
      redactedFields: [
        { uriPath: {} },
        { queryString: {} },
        ...REDACTED_HEADERS.map((header) => ({ singleHeader: { Name: header } })),
      ],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
    this.arn = acl.attrArn;
  }
}
