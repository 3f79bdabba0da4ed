/** The change of each resource when a stack is updated to another template (CloudFormation, "Update behaviors"). */

import { isDeepStrictEqual } from 'node:util';
import { causesReplacement } from './cloudformation-schema.ts';
import { type ResolvedResource, type Resources, referencesIn } from './resolved-template.ts';

export interface Changed {
  readonly id: string;
  readonly type: string;
  /** A resource that may be replaced counts as replaced: CloudFormation creates another one and deletes the old one. */
  readonly change: 'create' | 'update' | 'replace' | 'delete';
  readonly properties: readonly string[];
}

function differing(
  before: ResolvedResource,
  after: ResolvedResource,
  replaced: ReadonlySet<string>,
): string[] {
  const names = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)]);
  return [...names].filter(
    (name) =>
      !isDeepStrictEqual(before.properties[name], after.properties[name]) ||
      referencesIn(after.properties[name]).some((id) => replaced.has(id)),
  );
}

/** The changes in the order of the new template, followed by the deletions. */
export function changesBetween(before: Resources, after: Resources): readonly Changed[] {
  const replaced = new Set<string>();
  // Replacing a resource changes the references to it, which can replace further resources.
  for (let known = -1; known !== replaced.size; ) {
    known = replaced.size;
    for (const [id, resource] of after) {
      const old = before.get(id);
      if (old === undefined) continue;
      const isAnother =
        old.type !== resource.type ||
        differing(old, resource, replaced).some((name) => causesReplacement(old.type, name));
      if (isAnother) replaced.add(id);
    }
  }
  const changed = [...after].flatMap(([id, resource]): Changed[] => {
    const { type } = resource;
    const old = before.get(id);
    if (old === undefined) return [{ id, type, change: 'create', properties: [] }];
    const properties = differing(old, resource, replaced);
    if (replaced.has(id)) return [{ id, type, change: 'replace', properties }];
    return properties.length === 0 ? [] : [{ id, type, change: 'update', properties }];
  });
  const gone = [...before].filter(([id]) => !after.has(id));
  return [
    ...changed,
    ...gone.map(([id, { type }]): Changed => ({ id, type, change: 'delete', properties: [] })),
  ];
}
