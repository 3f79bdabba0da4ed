/** The settings of a stage, before it is deployed. */

import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { readSettings } from '../../lib/settings/read-settings.ts';
import type { DeploymentSettings } from '../../lib/settings/settings.ts';
import { SettingsError } from '../../lib/settings/settings-error.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { misuse } from './admin-error.ts';

export const stageOption = () => new Option('--stage <name>', 'stage of cdk.json');

export const settingsOption = () =>
  new Option('--settings <file>', 'where the stages are, under context.stages').default('cdk.json');

export interface StageFlags {
  readonly stage: string;
  readonly settings: string;
}

/** @throws AdminError for a file that cannot be read, a stage that it has not, and each setting that is wrong */
export function readStage({ stage, settings }: StageFlags): DeploymentSettings {
  let context: { readonly stages?: unknown } | undefined;
  try {
    context = JSON.parse(readFileSync(settings, 'utf8')).context;
  } catch (error) {
    throw misuse(`${settings} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  try {
    const names = ROUTES.map(({ name }) => name);
    return readSettings({ stage, stages: context?.stages }, names);
  } catch (error) {
    if (error instanceof SettingsError) throw misuse(...error.message.split('\n'));
    throw error;
  }
}
