import { App, type Stack } from 'aws-cdk-lib';
import { CanvassStack } from '../../../lib/canvass-stack.ts';
import { EdgeStack } from '../../../lib/edge/edge-stack.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';

export const certificate = (region: string): string => `arn:aws:acm:${region}:123456789012:certificate/abc`;

/** Every setting on. */
const EVERYTHING = {
  alarmEmail: 'ops@example.com',
  runbookUrl: 'https://wiki.example.com/canvass',
  tracing: true,
  alarms: 'all',
  dashboard: true,
  scoreAdapter: {},
  edge: {
    domainName: 'surveys.example.com',
    certificateArn: certificate('us-east-1'),
    originDomainName: 'origin.example.com',
    originCertificateArn: certificate('eu-west-1'),
  },
};

/** The two stacks of a stage with an edge, without their bundles. */
export function edgeStacks(edgeSettings: object = {}): { readonly main: Stack; readonly edge: Stack } {
  const names = ROUTES.map(({ name }) => name);
  const test = { ...EVERYTHING, edge: { ...EVERYTHING.edge, ...edgeSettings } };
  const settings = readSettings({ stage: 'test', stages: { test } }, names);
  const app = new App({
    context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true },
  });
  const main = new CanvassStack(app, settings);
  if (settings.edge === undefined) throw new Error('the edge is on');
  return { main, edge: new EdgeStack(app, settings, settings.edge) };
}
