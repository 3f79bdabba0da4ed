import { CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import { EDGE_HEADERS } from '../../shared/settings/environment.ts';
import { accessLog, createAlarm } from '../alarms/alarm.ts';
import { AlarmTopic, tell } from '../alarms/alarm-topic.ts';
import { secretValue } from '../data/secrets.ts';
import { ServiceLog } from '../functions/service-function.ts';
import { applyAccountRules } from '../settings/account-rules.ts';
import { type DeploymentSettings, type EdgeSettings, originSecretName } from '../settings/settings.ts';
import { EdgeFirewall } from './edge-firewall.ts';
import { SdkFiles } from './sdk-files.ts';

/** Paths, queries, cookies and addresses are omitted, because they contain link tokens, keys and ids. */
const LOG_FIELDS = [
  'timestamp',
  'x-edge-location',
  'cs-method',
  'sc-status',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
];

const SET_VIEWER = `function handler(event) {
  var request = event.request;
  request.headers['${EDGE_HEADERS.viewerAddress}'] = { value: event.viewer.ip };
  delete request.headers['${EDGE_HEADERS.originSecret}'];
  return request;
}`;

export function createEdge(stack: Stack, settings: DeploymentSettings, edge: EdgeSettings): void {
  applyAccountRules(stack, settings);
  const webAclId = edge.webAclArn ?? new EdgeFirewall(stack, 'Firewall', { settings, edge }).arn;
  const sdkFiles = new SdkFiles(stack, 'SdkFiles');
  const viewer = new EdgeFunction(stack, 'SetViewer', { code: FunctionCode.fromInline(SET_VIEWER) });
  const api = new HttpOrigin(edge.originDomainName, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: Duration.seconds(30),
    customHeaders: {
      [EDGE_HEADERS.originSecret]: secretValue(
        originSecretName(settings),
        edge.originSecretVersionId,
      ).unsafeUnwrap(),
    },
  });
  const toApi = {
    origin: api,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
  const distribution = new Distribution(stack, 'Distribution', {
    comment: stack.stackName,
    domainNames: [edge.domainName],
    certificate: Certificate.fromCertificateArn(stack, 'Certificate', edge.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    webAclId,
    defaultBehavior: {
      ...toApi,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
    },
    // A page may be slightly older or newer than its files, so the reply for a missing file is not cached.
    errorResponses: [{ httpStatus: 404, ttl: Duration.seconds(0) }],
    additionalBehaviors: {
      '/sdk/*': sdkFiles.behavior,
      // File names contain a content hash.
      '/console/assets/*': {
        ...toApi,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      },
    },
  });
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Surveys are shown wherever the customer has users.' },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Log delivery logs the requests, since it can leave out the query. Standard logging cannot.',
    },
  );
  log(stack, distribution, settings, edge);
  watch(stack, distribution, settings, edge);
  new CfnOutput(stack, 'DistributionDomainName', { value: distribution.distributionDomainName });
  new CfnOutput(stack, 'SdkBucketName', { value: sdkFiles.bucketName });
}

function log(
  stack: Stack,
  distribution: Distribution,
  settings: DeploymentSettings,
  { kmsKeyArn }: EdgeSettings,
): void {
  const { name, stage } = settings;
  const group = new ServiceLog(stack, 'AccessLog', {
    name: `/aws/vendedlogs/${name}/${stage}/edge`,
    settings,
    kmsKeyArn,
  });
  const source = new CfnDeliverySource(stack, 'LogSource', {
    name: `${name}-${stage}-edge`,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(stack, 'LogDestination', {
    name: `${name}-${stage}-edge`,
    destinationResourceArn: group.logGroupArn,
    outputFormat: 'json',
  });
  const delivery = new CfnDelivery(stack, 'LogDelivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: LOG_FIELDS,
  });
  delivery.addResourceDependency(source);
}

/** CloudFront's metrics are in us-east-1, and an alarm needs a topic in its own region. */
function watch(
  stack: Stack,
  distribution: Distribution,
  settings: DeploymentSettings,
  { kmsKeyArn }: EdgeSettings,
): void {
  const period = Duration.minutes(5);
  const metric = new MathExpression({
    expression: 'IF(rate * requests / 100 >= 2, rate, 0)',
    usingMetrics: {
      rate: distribution.metric5xxErrorRate({ period }),
      requests: distribution.metricRequests({ period }),
    },
    period,
  });
  const alarm = createAlarm(stack, 'Failures', settings, {
    name: 'edge-failures',
    means: 'At least one request in twenty through CloudFront fails with a 5xx: clients see errors.',
    first: `${accessLog(settings, '{ $.sc-status = "5*" }', '3h', 'edge')} --region us-east-1`,
    metric,
    threshold: 5,
  });
  tell(new AlarmTopic(stack, 'Alarms', settings, kmsKeyArn), [alarm]);
}
