import { Template } from 'aws-cdk-lib/assertions';
import { edgeStacks } from './synthesised-edge.ts';

/** The headers that CloudFront adds to the SDK's files, as the edge is synthesized (CloudFront, ResponseHeadersPolicy). */
export function sdkFileHeaders(): Readonly<Record<string, string>> {
  const template = Template.fromStack(edgeStacks().edge);
  const [distribution] = Object.values(template.findResources('AWS::CloudFront::Distribution'));
  const [behavior] = distribution?.Properties.DistributionConfig.CacheBehaviors ?? [];
  const policies = template.findResources('AWS::CloudFront::ResponseHeadersPolicy');
  const config = policies[behavior?.ResponseHeadersPolicyId?.Ref]?.Properties.ResponseHeadersPolicyConfig;
  if (config === undefined) return {};
  const { CorsConfig, SecurityHeadersConfig, CustomHeadersConfig } = config;
  const { ContentTypeOptions, FrameOptions, ReferrerPolicy, StrictTransportSecurity } = SecurityHeadersConfig;
  const custom: { Header: string; Value: string }[] = CustomHeadersConfig.Items;
  return {
    'access-control-allow-origin': CorsConfig.AccessControlAllowOrigins.Items.join(),
    ...(ContentTypeOptions !== undefined && { 'x-content-type-options': 'nosniff' }),
    'x-frame-options': FrameOptions.FrameOption,
    'referrer-policy': ReferrerPolicy.ReferrerPolicy,
    'strict-transport-security': `max-age=${StrictTransportSecurity.AccessControlMaxAgeSec}`,
    ...Object.fromEntries(custom.map(({ Header, Value }) => [Header, Value])),
  };
}
