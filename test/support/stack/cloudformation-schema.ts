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
import { oncePerProcess } from '../once-per-process.ts';

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

const validator = oncePerProcess('validator', () => new CloudFormationValidatePlugin());
const known = oncePerProcess('known types', () => new Set<string>());

/** Registers all types at once, because the validator takes seconds to compile its rules for new types. */
export function learn(types: readonly string[]): void {
  if (types.every((type) => known.has(type))) return;
  for (const type of types) known.add(type);
  const Resources = Object.fromEntries([...known].map((Type, index) => [`R${index}`, { Type }]));
  validate({ Resources }, 'eu-west-1');
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
}

const STAND_IN = {
  Type: 'Custom::Checked',
  Properties: { ServiceToken: 'arn:aws:sns:eu-west-1:123456789012:a' },
};
const checked = new Set<string>();

/**
 * Problems of a template in this region: `<resource>: <property>: <why> (<rule>)`. A resource without problems is not
 * checked again in other templates, because checking takes most of a test's time.
 */
export function wrongInTemplate(template: Template, region = 'eu-west-1'): readonly string[] {
  const resources = Object.entries(template.Resources);
  learn([STAND_IN, ...Object.values(template.Resources)].map(({ Type }) => Type));
  const keyOf = (resource: object) => region + JSON.stringify(resource);
  const Resources = Object.fromEntries(
    resources.map(([id, resource]) => [id, checked.has(keyOf(resource)) ? STAND_IN : resource]),
  );
  const wrong = validate({ ...template, Resources }, region);
  if (wrong.length === 0) for (const [, resource] of resources) checked.add(keyOf(resource));
  return wrong;
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
