import { Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SettingsError } from './settings-error.ts';

/** @param what with its article, such as `a bus` */
export function requireStageRegion(scope: Construct, setting: string, arn: string, what: string): void {
  if (Token.isUnresolved(arn)) return;
  const { region = '' } = Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME);
  const here = Stack.of(scope).region;
  if (Token.compareStrings(region, here) !== TokenComparison.DIFFERENT) return;
  throw new SettingsError(
    `${setting}: is in ${region}, but the stage is in ${here} and requires ${what} there.`,
  );
}
