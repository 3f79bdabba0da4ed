/**
 * An account of AWS as far as stages meet it: stacks that are made, changed, rolled back and deleted from their real
 * templates. A change set is refused where the template is none (schemas, references, rules, more than 500 resources);
 * each resource costs what its handlers call, under the policies that CloudFormation's role has; names are taken once.
 */

import type { Policy } from '../../../bin/admin/iam/statement.ts';
import { wrongInTemplate } from '../stack/cloudformation-schema.ts';
import { type Deployable, requestsOf, type Walked, walkOf } from '../stack/deployment-walk.ts';
import type { ResolvedResource } from '../stack/resolved-template.ts';
import { type Changed, changesBetween } from '../stack/stack-update.ts';
import { ACCOUNT, deniedOf } from '../stack/stage-place.ts';
import { takenName } from './resource-name.ts';
import { brokenRule } from './template-rules.ts';

/** CloudFormation, quotas. */
const MOST_RESOURCES = 500;

export class Refusal extends Error {
  readonly code: string;

  constructor(message: string, code = 'ValidationError') {
    super(message);
    this.code = code;
  }
}

export interface StackResource {
  readonly id: string;
  readonly type: string;
  readonly physicalId: string;
  readonly status: string;
}

export interface StandInStack {
  readonly name: string;
  readonly region: string;
  status: string;
  isProtected: boolean;
  deployed: Deployable;
  /** By logical id; what was deleted or kept stays listed. */
  readonly resources: Map<string, StackResource>;
  /** What CloudFormation says of each step that failed, oldest first. */
  readonly events: string[];
}

const EMPTY: Deployable = { template: { Resources: {} } };

/** Of CloudFormation's role in a region; without one it is an administrator. */
type PoliciesOf = (region: string) => readonly Policy[] | undefined;

export class StandInAccount {
  readonly #policiesOf: PoliciesOf;
  readonly stacks = new Map<string, StandInStack>();
  /** Names, each with the stack and resource that has it. */
  readonly #taken = new Map<string, string>();
  /** By name: versions by id, the current one last. */
  readonly #secrets = new Map<string, Map<string, string>>();
  /** What a resource was given of secrets when it was made or last changed. */
  readonly #given = new Map<string, readonly string[]>();
  #failing: string | undefined;

  constructor(policiesOf: PoliciesOf = () => undefined) {
    this.#policiesOf = policiesOf;
  }

  /** The next time that something is made or changed under this logical id, it fails. */
  failAt(id: string): void {
    this.#failing = id;
  }

  putSecret(name: string, versionId: string, value: string): void {
    this.#secrets.set(name, new Map([...(this.#secrets.get(name) ?? []), [versionId, value]]));
  }

  /** Values of secrets that resources of a stack were given, by logical id. */
  givenTo(stack: string): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.#given].flatMap(([owner, values]): [string, readonly string[]][] => {
        const [name, id = ''] = owner.split('/');
        return name === stack ? [[id, values]] : [];
      }),
    );
  }

  /**
   * What a change set of this template would do.
   * @throws Refusal as CloudFormation does before it changes anything
   */
  propose(stack: string, next: Deployable, region: string): readonly Changed[] {
    const { Resources, Rules, Parameters = {} } = next.template;
    const defaults = Object.entries(Parameters).map(([id, { Default = '' }]) => [id, Default]);
    const broken = brokenRule(Rules, { ...Object.fromEntries(defaults), ...next.parameters });
    if (broken !== undefined) throw new Refusal(`Template error: ${broken}`);
    const count = Object.keys(Resources).length;
    if (count > MOST_RESOURCES) throw new Refusal(`Number of resources, ${count}, is greater than 500`);
    const wrong = wrongInTemplate(next.template, region);
    if (wrong.length > 0) throw new Refusal(wrong.join('\n'));
    const before = this.stacks.get(stack)?.deployed ?? EMPTY;
    const place = { stack, region, account: ACCOUNT };
    return changesBetween(walkOf(before, place).made, walkOf(next, place).made);
  }

  /** A stack of which there is a change set and nothing else. */
  review(name: string, region: string): StandInStack {
    const known = this.stacks.get(name);
    if (known !== undefined) return known;
    const stack: StandInStack = {
      name,
      region,
      status: 'REVIEW_IN_PROGRESS',
      isProtected: false,
      deployed: EMPTY,
      resources: new Map(),
      events: [],
    };
    this.stacks.set(name, stack);
    return stack;
  }

  /** Makes or changes a stack, and rolls back where a step fails. */
  async deploy(name: string, next: Deployable, region: string): Promise<StandInStack> {
    const changes = this.propose(name, next, region);
    const stack = this.review(name, region);
    if (stack.status === 'ROLLBACK_COMPLETE') throw new Refusal(`${name} is in ROLLBACK_COMPLETE state`);
    const isNew = stack.status === 'REVIEW_IN_PROGRESS';
    const place = { stack: name, region, account: ACCOUNT };
    const [old, walk] = [walkOf(stack.deployed, place), walkOf(next, place)];
    const done: Changed[] = [];
    let failure = await this.#denied(stack, walk.bootstrap());
    for (const changed of failure === undefined ? changes : []) {
      if (changed.change === 'delete') continue;
      const { id, change } = changed;
      failure = this.#failsAt(id) ?? (await this.#denied(stack, walk.of(id, OF_CHANGE[change])));
      failure ??=
        change === 'update' ? undefined : this.#take(stack, id, walk.made.get(id), change === 'replace');
      if (failure !== undefined) {
        stack.events.push(`${id} ${change === 'create' ? 'CREATE' : 'UPDATE'}_FAILED: ${failure}`);
        break;
      }
      this.#note(stack, id, walk.made.get(id), change === 'create' ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE');
      done.push(changed);
    }
    if (failure === undefined) {
      for (const { id, change } of changes)
        if (change === 'delete' || change === 'replace') {
          const isGone = change === 'delete';
          const denied = await this.#leave(stack, id, old.made.get(id), old.of(id, ['delete']), isGone);
          if (denied !== undefined) stack.events.push(`${id} DELETE_FAILED: ${denied}`);
        }
      stack.deployed = next;
      stack.status = isNew ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE';
      return stack;
    }
    let isStuck = false;
    for (const { id, change } of done.reverse()) {
      const isOld = change === 'update';
      const denied = isOld
        ? await this.#denied(stack, old.of(id, ['update', 'read']))
        : await this.#leave(stack, id, walk.made.get(id), walk.of(id, ['delete']), change === 'create', true);
      if (denied === undefined && change !== 'create')
        this.#note(stack, id, old.made.get(id), 'UPDATE_COMPLETE');
      if (denied !== undefined) stack.events.push(`${id} ROLLBACK_FAILED: ${denied}`);
      isStuck ||= denied !== undefined;
    }
    stack.status = `${isNew ? '' : 'UPDATE_'}ROLLBACK_${isStuck ? 'FAILED' : 'COMPLETE'}`;
    return stack;
  }

  /** @throws Refusal of a stack that is protected */
  async remove(name: string): Promise<readonly StackResource[]> {
    const stack = this.stacks.get(name);
    if (stack === undefined) throw new Refusal(`Stack [${name}] does not exist`);
    if (stack.isProtected)
      throw new Refusal(`Stack [${name}] cannot be deleted while TerminationProtection is enabled`);
    const walk = walkOf(stack.deployed, { stack: name, region: stack.region, account: ACCOUNT });
    for (const [id, resource] of [...walk.made].reverse()) {
      const denied = await this.#leave(stack, id, resource, walk.of(id, ['delete']), true);
      if (denied !== undefined) {
        stack.events.push(`${id} DELETE_FAILED: ${denied}`);
        stack.status = 'DELETE_FAILED';
        return [...stack.resources.values()];
      }
    }
    this.stacks.delete(name);
    return [...stack.resources.values()];
  }

  #failsAt(id: string): string | undefined {
    if (this.#failing !== id) return undefined;
    this.#failing = undefined;
    return 'Internal Failure';
  }

  async #denied(stack: StandInStack, requests: readonly Walked[]) {
    const policies = this.#policiesOf(stack.region);
    if (policies === undefined) return undefined;
    const denied = deniedOf(policies, await requestsOf(requests));
    return denied.length === 0 ? undefined : `is not authorized to perform: ${denied.join('; ')}`;
  }

  /** A name can be had once, until what has it is deleted. */
  #take(stack: StandInStack, id: string, resource: ResolvedResource | undefined, isAnother: boolean) {
    const name = resource === undefined ? undefined : takenName(resource, stack.region);
    if (name === undefined) return undefined;
    const owner = `${stack.name}/${id}`;
    if (this.#taken.has(name))
      return `${name} already exists${isAnother ? ', of the one that is replaced' : ''}`;
    this.#taken.set(name, owner);
    return undefined;
  }

  /** Deletes a resource, or leaves it where it is kept; `isUndone` is one that was made a moment ago. */
  async #leave(
    stack: StandInStack,
    id: string,
    resource: ResolvedResource | undefined,
    requests: readonly Walked[],
    isGone: boolean,
    isUndone = false,
  ): Promise<string | undefined> {
    if (resource === undefined) return undefined;
    const isKept = resource.isRetained && !(isUndone && resource.goesWithItsCreation);
    if (!isKept) {
      const denied = await this.#denied(stack, requests);
      if (denied !== undefined) return denied;
      const name = takenName(resource, stack.region);
      if (name !== undefined && this.#taken.get(name) === `${stack.name}/${id}`) this.#taken.delete(name);
    }
    if (isGone) this.#note(stack, id, resource, isKept ? 'DELETE_SKIPPED' : 'DELETE_COMPLETE');
    return undefined;
  }

  #note(stack: StandInStack, id: string, resource: ResolvedResource | undefined, status: string): void {
    if (resource === undefined) return;
    const { type } = resource;
    const values = this.#secretsIn(resource);
    if (values.length > 0 && /^(CREATE|UPDATE)_/.test(status)) this.#given.set(`${stack.name}/${id}`, values);
    const physicalId = stack.resources.get(id)?.physicalId ?? `${stack.name}-${id}`;
    stack.resources.set(id, { id, type, physicalId, status });
  }

  /** Dynamic references: of the version that is named, else the current one (CloudFormation, "secretsmanager"). */
  #secretsIn({ properties }: ResolvedResource): readonly string[] {
    const references = JSON.stringify(properties).matchAll(
      /\{\{resolve:secretsmanager:([^:}]+|arn:[^}]+?):SecretString:[^:}]*:[^:}]*:([^}]*)\}\}/g,
    );
    return [...references].map(([, name = '', version = '']) => {
      const versions = this.#secrets.get(name) ?? new Map<string, string>();
      return version === '' ? ([...versions.values()].at(-1) ?? '') : (versions.get(version) ?? '');
    });
  }
}

const OF_CHANGE = {
  create: ['create', 'read'],
  update: ['update', 'read'],
  replace: ['create', 'update', 'read'],
} as const;
