/** A stage in the stand-in account: where it is, its stacks, and the policies that `iam deploy` writes for them. */

import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { deployStatements } from '../../../bin/admin/iam/deploy-statements.ts';
import { edgeStatements } from '../../../bin/admin/iam/edge-statements.ts';
import { EDGE_REGION, type Place } from '../../../bin/admin/iam/place.ts';
import { type Policy, pack } from '../../../bin/admin/iam/statement.ts';
import { EdgeStack } from '../../../lib/edge/edge-stack.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';
import type { Walked } from './deployment-walk.ts';
import { isAllowed } from './policy.ts';
import type { TemplateText } from './resolved-template.ts';
import { aTemplate } from './synthesised-stack.ts';

export const ACCOUNT = '123456789012';
export const REGION = 'eu-west-1';

export function placeOf(stage: object, more: Partial<Place> = {}, name = 'test'): Place {
  const names = ROUTES.map((route) => route.name);
  const settings = readSettings({ stage: name, stages: { [name]: stage } }, names);
  const stack = `${settings.name}-${settings.stage}`;
  const place = { settings, account: ACCOUNT, region: REGION, qualifier: 'hnb659fds', prefix: '' };
  return { ...place, stack, edgeStack: `${stack}-edge`, ...more };
}

export interface StackOfStage {
  readonly template: TemplateText;
  readonly place: { readonly stack: string; readonly region: string; readonly account: string };
  readonly policies: readonly Policy[];
}

/** By their names, each with the policies that its region's role has. */
export function stacksOf(stage: object, more: Partial<Place> = {}): ReadonlyMap<string, StackOfStage> {
  const place = placeOf(stage, more);
  const { settings, stack, edgeStack } = place;
  const own: StackOfStage = {
    template: aTemplate(stage).toJSON() as TemplateText,
    place: { stack, region: REGION, account: ACCOUNT },
    policies: pack(deployStatements(place)),
  };
  if (settings.edge === undefined) return new Map([[stack, own]]);
  const edge = Template.fromStack(new EdgeStack(new App(), settings, settings.edge));
  const ofEdge = {
    template: edge.toJSON() as TemplateText,
    place: { stack: edgeStack, region: EDGE_REGION, account: ACCOUNT },
    policies: pack(edgeStatements(place)),
  };
  return new Map([
    [stack, own],
    [edgeStack, ofEdge],
  ]);
}

/** Each request that no policy allows, or one denies, and what it was for. */
export const deniedOf = (policies: readonly Policy[], requests: readonly Walked[]): readonly string[] =>
  requests
    .filter((request) => !isAllowed(policies, request))
    .map(
      ({ action, resource, context, why }) =>
        `${action} on ${resource} ${JSON.stringify(context ?? {})}: ${why}`,
    );
