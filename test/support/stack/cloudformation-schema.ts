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

/** A value outside an enumeration. The validator warns, because lists grow, but CloudFormation refuses it. */
const ENUMERATION = 'W3030';

function validate(template: object, region: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
  try {
    const templatePath = join(folder, 'template.json');
    writeFileSync(templatePath, JSON.stringify(template));
    const stackTemplates = [{ stackConstructPath: '', templatePath, region, accountId: '123456789012' }];
    const templatePaths = [templatePath];
    return validator
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

const validator = new CloudFormationValidatePlugin();
const known = new Set<string>();

/** The validator compiles its rules again for types that it has not seen, which takes seconds: it gets all of them at once. */
function learn(types: readonly string[]): void {
  if (types.every((type) => known.has(type))) return;
  for (const type of types) known.add(type);
  const Resources = Object.fromEntries([...known].map((Type, index) => [`R${index}`, { Type }]));
  validate({ Resources }, 'eu-west-1');
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** The problems of a template of this region: `<resource>: <property>: <why> (<rule>)`. */
export function wrongInTemplate(template: Template, region = 'eu-west-1'): readonly string[] {
  learn(Object.values(template.Resources).map(({ Type }) => Type));
  return validate(template, region);
}

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
