import * as z from 'zod';
import { type DeploymentSettings, stageSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

const stageName = z.string().regex(/^[a-z][a-z0-9-]{0,15}$/, 'must match ^[a-z][a-z0-9-]{0,15}$');
const stages = z.record(stageName, z.unknown());

interface Context {
  /** The value of `-c stage=NAME`. */
  readonly stage: unknown;
  readonly stages: unknown;
}

const DEFAULT_STAGE = 'prod';

interface Place {
  /** The subject of error messages, such as `The settings in cdk.json's context`. */
  readonly what: string;
  readonly path: readonly string[];
}

const CONTEXT: Place = { what: "The settings in cdk.json's context", path: ['stages'] };

function complain({ what, path }: Place, error: z.core.$ZodError): never {
  const issues = error.issues.map((issue) => {
    const where = [...path, ...issue.path].join('.');
    return where === '' ? `  ${issue.message}` : `  ${where}: ${issue.message}`;
  });
  throw new SettingsError(`${what} are not valid:\n${issues.join('\n')}`);
}

/** @throws SettingsError naming each invalid setting */
export function checkSettings(
  given: unknown,
  stage: string,
  place: Place,
  routeNames: readonly string[],
): DeploymentSettings {
  const parsed = stageSettings.safeParse(given);
  if (!parsed.success) complain(place, parsed.error);
  const named = (setting: string) => [...place.path, setting].join('.');
  if (parsed.data.existing !== undefined && parsed.data.removalPolicy === 'destroy') {
    throw new SettingsError(
      `${named('existing')}: requires removalPolicy "retain". First deploy that policy without "existing": CloudFormation applies the policy that was last deployed, and would delete the stack's own data.`,
    );
  }
  const stray = Object.keys(parsed.data.throttles).filter((name) => !routeNames.includes(name));
  if (stray.length > 0) {
    throw new SettingsError(
      `${named('throttles')} contains unknown routes: ${stray.join(', ')}. Valid names: ${routeNames.join(', ')}.`,
    );
  }
  return { ...parsed.data, stage };
}

export function checkStageName(stage: unknown, place: Place): string {
  const parsed = z.strictObject({ stage: stageName }).safeParse({ stage });
  if (!parsed.success) complain(place, parsed.error);
  return parsed.data.stage;
}

export function readSettings(context: Context, routeNames: readonly string[]): DeploymentSettings {
  const stage = context.stage ?? DEFAULT_STAGE;
  const known = stages.safeParse(context.stages ?? {});
  if (!known.success) complain(CONTEXT, known.error);
  const names = Object.keys(known.data);
  if (typeof stage !== 'string' || !names.includes(stage)) {
    throw new SettingsError(
      `There is no stage "${String(stage)}" under "stages" in cdk.json's context. Stages: ${names.join(', ') || 'none'}.`,
    );
  }
  const place = { ...CONTEXT, path: [...CONTEXT.path, stage] };
  return checkSettings(known.data[stage], stage, place, routeNames);
}
