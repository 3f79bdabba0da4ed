import { Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SettingsError } from './settings-error.ts';

/**
 * Refuses what lies in another region than the stage; an ARN or a region known only at deployment passes.
 *
 * @param setting its name, as people write it
 * @param what `a bus`, say
 * @throws SettingsError
 */
export function requireStageRegion(scope: Construct, setting: string, arn: string, what: string): void {
  if (Token.isUnresolved(arn)) return;
  const { region = '' } = Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME);
  const here = Stack.of(scope).region;
  if (Token.compareStrings(region, here) !== TokenComparison.DIFFERENT) return;
  throw new SettingsError(`${setting}: is in ${region}; the stage is in ${here}, and needs ${what} there.`);
}
