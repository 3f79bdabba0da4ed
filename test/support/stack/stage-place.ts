import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EdgeStack } from '../../../lib/edge/edge-stack.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';
import type { TemplateText } from './resolved-template.ts';
import { aTemplate } from './synthesised-stack.ts';

const REGION = 'eu-west-1';

export interface StackOfStage {
  readonly template: TemplateText;
  readonly region: string;
}

/** The stacks of a stage named `test`, by their names. */
export function stacksOf(stage: object): ReadonlyMap<string, StackOfStage> {
  const names = ROUTES.map(({ name }) => name);
  const settings = readSettings({ stage: 'test', stages: { test: stage } }, names);
  const stack = `${settings.name}-${settings.stage}`;
  const own = { template: aTemplate(stage).toJSON() as TemplateText, region: REGION };
  if (settings.edge === undefined) return new Map([[stack, own]]);
  const edge = Template.fromStack(new EdgeStack(new App(), settings, settings.edge));
  return new Map([
    [stack, own],
    [`${stack}-edge`, { template: edge.toJSON() as TemplateText, region: 'us-east-1' }],
  ]);
}
