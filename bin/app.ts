/** The CDK app. `-c stage=NAME` deploys a stage of cdk.json. */

import { App, Validations } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CanvassStack, EdgeStack } from '../lib/canvass-stack.ts';
import { BUNDLES } from '../lib/functions/bundles.ts';
import { readSettings } from '../lib/settings/read-settings.ts';
import { SettingsError } from '../lib/settings/settings-error.ts';
import { ROUTES } from '../shared/contract/routes.ts';
import { writeFunctionBundles } from './build/function-bundles.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
try {
  const context = { stage: app.node.tryGetContext('stage'), stages: app.node.tryGetContext('stages') };
  const settings = readSettings(
    context,
    ROUTES.map(({ name }) => name),
  );
  // Commands such as `cdk list` need no bundles (AWS CDK, BUNDLING_STACKS).
  const bundled: readonly string[] = app.node.tryGetContext(BUNDLING_STACKS) ?? ['**'];
  if (bundled.length > 0) await writeFunctionBundles(BUNDLES);
  const stack = new CanvassStack(app, settings);
  if (settings.edge !== undefined) new EdgeStack(app, settings, settings.edge).addStackDependency(stack);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
