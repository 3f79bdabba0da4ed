/**
 * What CloudFormation would refuse of a template: AWS's own validator, which the CDK brings with the published schemas of
 * resource types (names, types, what is required, enumerations, ranges, lengths, patterns) and rules on what fits
 * together (`@aws/cloudformation-validate` in aws-cdk-lib).
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { HANDLERS } from './cloudformation-handlers.ts';

/** A value that is none of an enumeration: a warning of the validator's, since lists grow, and refused by CloudFormation. */
const ENUMERATION = 'W3030';

function validate(plugin: CloudFormationValidatePlugin, template: object, region: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
  try {
    const templatePath = join(folder, 'template.json');
    writeFileSync(templatePath, JSON.stringify(template));
    const stackTemplates = [{ stackConstructPath: '', templatePath, region, accountId: '123456789012' }];
    const templatePaths = [templatePath];
    return plugin
      .validate({ templatePaths, stackTemplates } as never)
      .violations.filter(({ severity, ruleName }) => severity === 'error' || ruleName === ENUMERATION)
      .flatMap(({ ruleName, description, violatingResources }) =>
        violatingResources.map(
          ({ resourceLogicalId = 'the template' }) => `${resourceLogicalId}: ${description} (${ruleName})`,
        ),
      )
      .sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let primed: CloudFormationValidatePlugin | undefined;

/** It makes its rules anew for types that it has not seen, which takes seconds: it is shown all at once. */
function validatorOf(types: readonly string[]): CloudFormationValidatePlugin {
  if (types.some((type) => HANDLERS[type] === undefined)) return new CloudFormationValidatePlugin();
  if (primed !== undefined) return primed;
  primed = new CloudFormationValidatePlugin();
  const Resources = Object.fromEntries(Object.keys(HANDLERS).map((Type, index) => [`R${index}`, { Type }]));
  validate(primed, { Resources }, 'eu-west-1');
  return primed;
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** What is wrong with a template of this region: `<resource>: <property>: <why> (<rule>)`. */
export const wrongInTemplate = (template: Template, region = 'eu-west-1'): readonly string[] =>
  validate(validatorOf(Object.values(template.Resources).map(({ Type }) => Type)), template, region);

interface Entity {
  readonly cloudFormationType: string;
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
}

/** The specification by which the installed `cdk diff` tells what a change replaces. */
const { schema }: { schema: { resource: { entities: Entity[] } } } = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../../node_modules/aws-cdk/db.json.gz'))).toString(),
);
const RESOURCES = new Map(schema.resource.entities.map((each) => [each.cloudFormationType, each.properties]));

/** Whether another value of a property may make another resource (CloudFormation, "Update requires: Replacement"). */
export const causesReplacement = (type: string, property: string): boolean =>
  ['yes', 'maybe'].includes(RESOURCES.get(type)?.[property]?.causesReplacement ?? 'no');
