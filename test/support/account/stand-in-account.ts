/**
 * An AWS account that makes, changes, rolls back and deletes stacks from their real templates. It refuses a change set
 * with an invalid template (schemas, references, rules, more than 500 resources). A resource name can be taken once.
 */

import { wrongInTemplate } from '../stack/cloudformation-schema.ts';
import { type ResolvedResource, resolveTemplate, type TemplateText } from '../stack/resolved-template.ts';
import { type Changed, changesBetween } from '../stack/stack-update.ts';
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

/** A template with the parameter values that differ from its defaults. */
interface Deployable {
  readonly template: TemplateText;
  readonly parameters?: Readonly<Record<string, string>>;
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

const resolvedOf = ({ template, parameters }: Deployable, region: string) =>
  resolveTemplate(template, parameters, region);

export class StandInAccount {
  readonly stacks = new Map<string, StandInStack>();
  /** Names, each with the stack and resource that has it. */
  readonly #taken = new Map<string, string>();
  /** By name: versions by id, the current one last. */
  readonly #secrets = new Map<string, Map<string, string>>();
  /** What a resource was given of secrets when it was made or last changed. */
  readonly #given = new Map<string, readonly string[]>();
  #failing: string | undefined;

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
    return changesBetween(resolvedOf(before, region), resolvedOf(next, region));
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
  deploy(name: string, next: Deployable, region: string): StandInStack {
    const changes = this.propose(name, next, region);
    const stack = this.review(name, region);
    if (stack.status === 'ROLLBACK_COMPLETE') throw new Refusal(`${name} is in ROLLBACK_COMPLETE state`);
    const isNew = stack.status === 'REVIEW_IN_PROGRESS';
    const [old, made] = [resolvedOf(stack.deployed, region), resolvedOf(next, region)];
    const done: Changed[] = [];
    let failure: string | undefined;
    for (const changed of changes) {
      if (changed.change === 'delete') continue;
      const { id, change } = changed;
      failure = this.#failsAt(id);
      failure ??= change === 'update' ? undefined : this.#take(stack, id, made.get(id), change === 'replace');
      if (failure !== undefined) {
        stack.events.push(`${id} ${change === 'create' ? 'CREATE' : 'UPDATE'}_FAILED: ${failure}`);
        break;
      }
      this.#note(stack, id, made.get(id), change === 'create' ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE');
      done.push(changed);
    }
    if (failure === undefined) {
      for (const { id, change } of changes)
        if (change === 'delete' || change === 'replace')
          this.#leave(stack, id, old.get(id), change === 'delete');
      stack.deployed = next;
      stack.status = isNew ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE';
      return stack;
    }
    for (const { id, change } of done.reverse()) {
      if (change !== 'update') this.#leave(stack, id, made.get(id), change === 'create', true);
      if (change !== 'create') this.#note(stack, id, old.get(id), 'UPDATE_COMPLETE');
    }
    stack.status = `${isNew ? '' : 'UPDATE_'}ROLLBACK_COMPLETE`;
    return stack;
  }

  /** @throws Refusal of a stack that is protected */
  remove(name: string): readonly StackResource[] {
    const stack = this.stacks.get(name);
    if (stack === undefined) throw new Refusal(`Stack [${name}] does not exist`);
    if (stack.isProtected)
      throw new Refusal(`Stack [${name}] cannot be deleted while TerminationProtection is enabled`);
    for (const [id, resource] of [...resolvedOf(stack.deployed, stack.region)].reverse())
      this.#leave(stack, id, resource, true);
    this.stacks.delete(name);
    return [...stack.resources.values()];
  }

  #failsAt(id: string): string | undefined {
    if (this.#failing !== id) return undefined;
    this.#failing = undefined;
    return 'Internal Failure';
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
  #leave(
    stack: StandInStack,
    id: string,
    resource: ResolvedResource | undefined,
    isGone: boolean,
    isUndone = false,
  ): void {
    if (resource === undefined) return;
    const isKept = resource.isRetained && !(isUndone && resource.goesWithItsCreation);
    if (!isKept) {
      const name = takenName(resource, stack.region);
      if (name !== undefined && this.#taken.get(name) === `${stack.name}/${id}`) this.#taken.delete(name);
    }
    if (isGone) this.#note(stack, id, resource, isKept ? 'DELETE_SKIPPED' : 'DELETE_COMPLETE');
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
