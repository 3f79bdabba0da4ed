import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { DeploymentSettings, EdgeSettings } from './settings.ts';

interface EdgeFirewallProps {
  readonly settings: DeploymentSettings;
  readonly edge: EdgeSettings;
}

const MANAGED = ['AWSManagedRulesCommonRuleSet', 'AWSManagedRulesKnownBadInputsRuleSet'] as const;

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** Rate per address and Amazon's common rules; its log leaves out whatever may carry a key. */
export class EdgeFirewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { settings, edge }: EdgeFirewallProps) {
    super(scope, id);
    const { name, stage, logRetentionDays } = settings;
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(`${name}-${stage}`),
      rules: [
        {
          name: 'rate-per-address',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: edge.addressRatePer5Minutes } },
          visibilityConfig: visibility('rate-per-address'),
        },
        ...MANAGED.map((managed, index) => ({
          name: managed,
          priority: index + 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: managed,
              // A body may be 32 KiB, and a person may write what looks like markup: both are only counted.
              ...(managed === 'AWSManagedRulesCommonRuleSet' && {
                ruleActionOverrides: [
                  'SizeRestrictions_BODY',
                  'CrossSiteScripting_BODY',
                  'GenericLFI_BODY',
                  'GenericRFI_BODY',
                  'EC2MetaDataSSRF_BODY',
                  'NoUserAgent_HEADER',
                ].map((rule) => ({ name: rule, actionToUse: { count: {} } })),
              }),
            },
          },
          visibilityConfig: visibility(managed),
        })),
      ],
    });
    const log = new LogGroup(this, 'Log', {
      logGroupName: `aws-waf-logs-${name}-${stage}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [log.logGroupArn],
      redactedFields: [
        { queryString: {} },
        ...['authorization', 'x-service-key', 'cookie'].map((header) => ({ singleHeader: { Name: header } })),
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
