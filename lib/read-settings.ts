import * as z from 'zod';
import { type DeploymentSettings, stageSettings } from './settings.ts';

const stageName = z.string().regex(/^[a-z][a-z0-9-]{0,15}$/, 'must match ^[a-z][a-z0-9-]{0,15}$');
const stages = z.record(stageName, z.unknown());

interface Context {
  /** Of `-c stage=NAME`; by default `prod`. */
  readonly stage: unknown;
  readonly stages: unknown;
}

const DEFAULT_STAGE = 'prod';

/** What is wrong with the settings, in words for the person who wrote them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

function complain(where: string, error: z.core.$ZodError): never {
  const issues = error.issues.map(({ path, message }) => `  ${[where, ...path].join('.')}: ${message}`);
  throw new SettingsError(`The settings in cdk.json's context are not valid:\n${issues.join('\n')}`);
}

/**
 * @param routeNames names under which `throttles` may stand
 * @throws SettingsError naming each setting that is wrong
 */
export function readSettings(context: Context, routeNames: readonly string[]): DeploymentSettings {
  const stage = context.stage ?? DEFAULT_STAGE;
  const known = stages.safeParse(context.stages ?? {});
  if (!known.success) complain('stages', known.error);
  const names = Object.keys(known.data);
  if (typeof stage !== 'string' || !names.includes(stage)) {
    throw new SettingsError(
      `There is no stage "${String(stage)}" under "stages" in cdk.json's context; there is: ${names.join(', ') || 'none'}.`,
    );
  }
  const parsed = stageSettings.safeParse(known.data[stage]);
  if (!parsed.success) complain(`stages.${stage}`, parsed.error);
  if (parsed.data.existing !== undefined && parsed.data.removalPolicy === 'destroy') {
    throw new SettingsError(
      `stages.${stage}.existing: needs removalPolicy "retain", deployed once without "existing" before: CloudFormation goes by the policy last deployed, and would destroy what the stack made.`,
    );
  }
  const stray = Object.keys(parsed.data.throttles).filter((name) => !routeNames.includes(name));
  if (stray.length > 0) {
    throw new SettingsError(
      `stages.${stage}.throttles names no route: ${stray.join(', ')}; there is: ${routeNames.join(', ')}.`,
    );
  }
  return { ...parsed.data, stage };
}
