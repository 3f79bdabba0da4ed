/**
 * Finds problems for which CloudFormation would refuse a template. Uses AWS's own validator from the CDK
 * (`@aws/cloudformation-validate` in aws-cdk-lib), which checks the published schemas of resource types and rules about
 * combinations.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib';

/**
 * A value outside an enumeration. The validator only warns, because enumerations grow, but CloudFormation refuses it.
 */
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

/** Registers all types at once, because the validator takes seconds to compile its rules for new types. */
function learn(types: readonly string[]): void {
  if (types.every((type) => known.has(type))) return;
  for (const type of types) known.add(type);
  const Resources = Object.fromEntries([...known].map((Type, index) => [`R${index}`, { Type }]));
  validate({ Resources }, 'eu-west-1');
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

/** Problems of a template in this region: `<resource>: <property>: <why> (<rule>)`. */
export function wrongInTemplate(template: Template, region = 'eu-west-1'): readonly string[] {
  learn(Object.values(template.Resources).map(({ Type }) => Type));
  return validate(template, region);
}

interface Entity {
  readonly cloudFormationType: string;
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
}

/** The specification that the installed `cdk diff` uses to find replacements. */
const { schema }: { schema: { resource: { entities: Entity[] } } } = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../../node_modules/aws-cdk/db.json.gz'))).toString(),
);
const RESOURCES = new Map(schema.resource.entities.map((each) => [each.cloudFormationType, each.properties]));

/** Whether changing a property may replace the resource (CloudFormation, "Update requires: Replacement"). */
export const causesReplacement = (type: string, property: string): boolean =>
  ['yes', 'maybe'].includes(RESOURCES.get(type)?.[property]?.causesReplacement ?? 'no');
