/** Where a stage is deployed to, as the names of its resources say it. */

import { type DeploymentSettings, metricsNamespace } from '../../../lib/settings/settings.ts';

export interface Place {
  readonly settings: DeploymentSettings;
  readonly account: string;
  readonly region: string;
  /** Of the bootstrap. */
  readonly qualifier: string;
  readonly stack: string;
  readonly edgeStack: string;
  /** What logical ids begin with; nothing in a stage of a checkout. */
  readonly prefix: string;
}

/** Where CloudFront's certificates, its firewall and so the stack of an edge are. */
export const EDGE_REGION = 'us-east-1';

export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/**
 * Names that CloudFormation makes begin with the stack's, of which it keeps 24 characters where all would not fit in the
 * 64 that roles and functions may have (aws-cloudformation/cloudformation-cli-java-plugin, IdentifierUtils).
 */
const MOST_OF_STACK = 24;

export const generatedNames = (stack: string): string =>
  stack.length > MOST_OF_STACK ? `${stack.slice(0, MOST_OF_STACK)}*` : `${stack}-*`;

/** ARNs of a place; `names` are those that CloudFormation makes, `base` is what a stage gives itself. */
export function arnsOf({ settings, account, region }: Place, stack: string, inRegion = region) {
  const partition = partitionOf(region);
  const arn = (service: string, rest: string, where = inRegion) =>
    `arn:${partition}:${service}:${where}:${account}:${rest}`;
  return {
    arn,
    names: generatedNames(stack),
    base: metricsNamespace(settings),
    partition,
    /** Of a service that knows no region. */
    global: (service: string, rest: string) => arn(service, rest, ''),
    /** Of a service that knows no account either. */
    bare: (service: string, rest: string, where = '') => `arn:${partition}:${service}:${where}::${rest}`,
    role: (name: string) => arn('iam', `role/${name}`, ''),
    linkedRole: (service: string) => arn('iam', `role/aws-service-role/${service}/*`, ''),
  };
}

export type Arns = ReturnType<typeof arnsOf>;
