import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CanvassStack, EdgeStack } from '../../../lib/canvass-stack.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import type { DeploymentSettings } from '../../../lib/settings/settings.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';
import { oncePerProcess } from '../once-per-process.ts';
import type { TemplateText } from './resolved-template.ts';
import { EDGE } from './stages.ts';

/**
 * An app whose stacks contain no bundles. Synthesis writes only templates, because CloudFormation's rules, the
 * construct tree and stack traces take most of its time. cloudformation-schema.test.ts checks the rules.
 */
export const anApp = (context: object = {}): App =>
  new App({
    context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true, ...context },
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    stackTraces: false,
    treeMetadata: false,
  });

const settingsOf = (stage: object): DeploymentSettings =>
  readSettings(
    { stage: 'test', stages: { test: stage } },
    ROUTES.map(({ name }) => name),
  );

export const aStack = (stageSettings: object = {}): CanvassStack =>
  new CanvassStack(anApp(), settingsOf(stageSettings));

/** Calls `make` once for each argument, because synthesis takes most of a test's time. */
function onceEach<Made>(name: string, make: (settings: object) => Made): (settings?: object) => Made {
  const known = oncePerProcess(name, () => new Map<string, Made>());
  return (settings = {}) => {
    const key = JSON.stringify(settings);
    const made = known.get(key) ?? make(settings);
    known.set(key, made);
    return made;
  };
}

const stageOf = onceEach('stages', (settings) => {
  const stack = aStack(settings);
  return { stack, template: Template.fromStack(stack) };
});

export const aTemplate = (settings: object = {}): Template => stageOf(settings).template;

/** The edge's stack and template for a stage with these settings. */
const edgeOf = onceEach('edges', (stage) => {
  const settings = settingsOf(stage);
  if (settings.edge === undefined) throw new Error('the edge is off');
  const stack: Stack = new EdgeStack(anApp(), settings, settings.edge);
  return { stack, template: Template.fromStack(stack) };
});

/** A stage with an edge and its alarms: the templates of both stacks, and the edge's stack. */
export function edgeTemplates(edgeSettings: object = {}) {
  const told = { alarmEmail: 'ops@example.com', runbookUrl: 'https://wiki.example.com/canvass' };
  const stage = { ...told, edge: { ...EDGE, ...edgeSettings } };
  return { behind: aTemplate(stage), inFront: edgeOf(stage).template, stack: edgeOf(stage).stack };
}

export interface StackOfStage {
  readonly template: TemplateText;
  readonly region: string;
}

export function stacksOf(stage: object): ReadonlyMap<string, StackOfStage> {
  const { name, edge } = settingsOf(stage);
  const own = { template: aTemplate(stage).toJSON() as TemplateText, region: 'eu-west-1' };
  const stacks = new Map<string, StackOfStage>([[`${name}-test`, own]]);
  if (edge === undefined) return stacks;
  const template = edgeOf(stage).template.toJSON() as TemplateText;
  return stacks.set(`${name}-test-edge`, { template, region: 'us-east-1' });
}

/** The templates of both stacks of a stage with an edge, synthesized with this context. */
export function templatesWith(context: object, stage: object): readonly object[] {
  const settings = settingsOf(stage);
  if (settings.edge === undefined) throw new Error('the edge is off');
  const stacks = [
    new CanvassStack(anApp(context), settings),
    new EdgeStack(anApp(context), settings, settings.edge),
  ];
  return stacks.map((stack) => Template.fromStack(stack).toJSON());
}

/** The constructs of the stacks of `stacksOf`. */
export const constructsOf = (stage: object): readonly Stack[] => [
  stageOf(stage).stack,
  ...('edge' in stage ? [edgeOf(stage).stack] : []),
];

/** The headers that CloudFront adds to the SDK's files, as the edge is synthesized (CloudFront, ResponseHeadersPolicy). */
export function sdkFileHeaders(): Readonly<Record<string, string>> {
  const { inFront } = edgeTemplates();
  const [distribution] = Object.values(inFront.findResources('AWS::CloudFront::Distribution'));
  const [behavior] = distribution?.Properties.DistributionConfig.CacheBehaviors ?? [];
  const policies = inFront.findResources('AWS::CloudFront::ResponseHeadersPolicy');
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

export function logicalId(template: Template, type: string, part = ''): string {
  const found = Object.entries(template.findResources(type)).filter(([, { Metadata }]) =>
    String(Metadata?.['aws:cdk:path']).includes(part),
  );
  const [id] = found[0] ?? [];
  if (found.length !== 1 || id === undefined) throw new Error(`${found.length} of ${type} match "${part}"`);
  return id;
}

export const propertiesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

export const environmentOf = (template: Template, name: string) =>
  template.findResources('AWS::Lambda::Function')[logicalId(template, 'AWS::Lambda::Function', `/${name}/`)]
    ?.Properties.Environment.Variables;
