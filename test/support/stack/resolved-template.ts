/** Resolves parameters, conditions, references and order of a template, as CloudFormation does before it creates anything. */

interface Declared {
  readonly Type: string;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: unknown;
}

export interface TemplateText {
  readonly Parameters?:
    | Readonly<
        Record<string, { readonly Type: string; readonly Default?: string; readonly AllowedPattern?: string }>
      >
    | undefined;
  readonly Conditions?: Readonly<Record<string, unknown>> | undefined;
  readonly Rules?: unknown;
  readonly Resources: Readonly<Record<string, Declared>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

export interface ResolvedResource {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of any resource; tests read their fields.
  readonly properties: any;
  /** The resource stays in the account when it is removed from the stack. */
  readonly isRetained: boolean;
  readonly dependsOn: readonly string[];
}

export type Resources = ReadonlyMap<string, ResolvedResource>;

/** Ids of the resources that a resolved value refers to. */
export const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/<(\w+)[.>]/g)].map(([, id = '']) => id);

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::StackId':
    'arn:aws:cloudformation:eu-west-1:123456789012:stack/canvass-prod/8a7b6c5d-1234-4321-abcd-000000000000',
  'AWS::StackName': 'canvass-prod',
  'AWS::URLSuffix': 'amazonaws.com',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns every resource that is created, in an order in which each can be created, with resolved properties. A `Ref`
 * to a resource becomes `<id>`, an attribute `<id.Attribute>`.
 * @throws Error that names a reference without a target, a cycle, or a missing value
 */
export function resolveTemplate(
  template: TemplateText,
  given: Readonly<Record<string, string>> = {},
  region = 'eu-west-1',
): Resources {
  const { Parameters = {}, Conditions = {}, Resources, Outputs = {} } = template;
  const strays = Object.keys(given).filter((name) => !(name in Parameters));
  if (strays.length > 0) throw new Error(`Parameters: [${strays.join(', ')}] do not exist in the template`);
  const missing = Object.entries(Parameters).filter(
    ([name, { Default }]) => (given[name] ?? Default) === undefined,
  );
  if (missing.length > 0) throw new Error(`Parameters: [${missing.map(([name]) => name)}] must have values`);

  const pseudo: Readonly<Record<string, string>> = { ...PSEUDO, 'AWS::Region': region };
  const made = new Map<string, ResolvedResource>();
  const underWay = new Set<string>();

  const holds = (condition: string): boolean => {
    if (!(condition in Conditions)) throw new Error(`there is no condition ${condition}`);
    return resolve(Conditions[condition], condition) === true;
  };

  function refer(name: string, by: string): string {
    const value = given[name] ?? Parameters[name]?.Default ?? pseudo[name];
    if (value !== undefined) return value;
    make(name, by);
    return `<${name}>`;
  }

  function attribute([name = '', attribute = '']: readonly string[], by: string): string {
    make(name, by);
    return `<${name}.${attribute}>`;
  }

  function resolve(value: unknown, by: string): unknown {
    if (Array.isArray(value))
      return value.map((each) => resolve(each, by)).filter((each) => each !== undefined);
    if (!isObject(value)) return value;
    const [[name = '', argument] = []] = Object.entries(value);
    const list = Array.isArray(argument) ? argument : [argument];
    if (name === 'Ref') return argument === 'AWS::NoValue' ? undefined : refer(String(argument), by);
    if (name === 'Fn::GetAtt') return attribute(list, by);
    if (name === 'Fn::If') return resolve(holds(list[0]) ? list[1] : list[2], by);
    const parts = () => list.map((each) => resolve(each, by));
    if (name === 'Fn::Equals') return parts()[0] === parts()[1];
    if (name === 'Fn::Not') return parts()[0] !== true;
    if (name === 'Fn::Join') return (resolve(list[1], by) as string[]).join(list[0]);
    if (name === 'Fn::Sub' && typeof argument === 'string')
      return argument.replaceAll(/\$\{([\w:]+)\}/g, (_, each) => refer(each, by));
    if (name === 'Fn::Split') return String(parts()[1]).split(list[0]);
    if (name === 'Fn::Select') return (parts()[1] as string[])[Number(list[0])];
    if (/^Fn::|^Condition$/.test(name) && Object.keys(value).length === 1)
      throw new Error(`${by}: nothing known of ${name}`);
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, each]): [string, unknown] => [key, resolve(each, by)])
        .filter(([, each]) => each !== undefined),
    );
  }

  function make(id: string, by: string): void {
    const resource = Resources[id];
    if (resource === undefined) throw new Error(`${by} refers to ${id}, which is not there`);
    if (made.has(id)) return;
    if (underWay.has(id)) throw new Error(`${id} waits for itself, by ${by}`);
    underWay.add(id);
    const dependsOn = [resource.DependsOn ?? []].flat();
    for (const other of dependsOn) make(other, id);
    made.set(id, {
      type: resource.Type,
      properties: resolve(resource.Properties ?? {}, id),
      isRetained: /^Retain/.test(resource.DeletionPolicy ?? ''),
      dependsOn,
    });
  }

  for (const [id, { Condition }] of Object.entries(Resources))
    if (Condition === undefined || holds(Condition)) make(id, 'the template');
  resolve(Outputs, 'Outputs');
  return made;
}
