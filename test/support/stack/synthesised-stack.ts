import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CanvassStack } from '../../../lib/canvass-stack.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';

/** The stack of one stage, without its bundles: handler code is not what these tests are about. */
export function aStack(stageSettings: object = {}): CanvassStack {
  const names = ROUTES.map(({ name }) => name);
  const settings = readSettings({ stage: 'test', stages: { test: stageSettings } }, names);
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  return new CanvassStack(new App({ context }), settings);
}

const templates = new Map<string, Template>();

/** The template of a stage with these settings; synthesized once, since that takes most of a test's time. */
export function aTemplate(stageSettings: object = {}): Template {
  const key = JSON.stringify(stageSettings);
  const template = templates.get(key) ?? Template.fromStack(aStack(stageSettings));
  templates.set(key, template);
  return template;
}

/** The logical id of the only resource of a type whose construct path contains `part`. */
export function logicalId(template: Template, type: string, part = ''): string {
  const found = Object.entries(template.findResources(type)).filter(([, { Metadata }]) =>
    String(Metadata?.['aws:cdk:path']).includes(part),
  );
  const [id] = found[0] ?? [];
  if (found.length !== 1 || id === undefined) throw new Error(`${found.length} of ${type} match "${part}"`);
  return id;
}
