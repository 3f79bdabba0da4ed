interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly [attribute: string]: unknown;
}

export interface Template {
  readonly Description?: string;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Rules?: Readonly<Record<string, unknown>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

interface Code {
  readonly S3Bucket?: unknown;
  readonly S3Key?: unknown;
}

/** The name of an asset, such as `3f2a….zip`. Undefined for inline code. */
const assetOf = ({ Type, Properties = {} }: Resource): string | undefined => {
  const { S3Key } = (Type === 'AWS::Lambda::Function' ? Properties.Code : {}) as Code;
  return typeof S3Key === 'string' ? S3Key : undefined;
};

export const assetsOf = ({ Resources }: Template): readonly string[] => [
  ...new Set(Object.values(Resources).flatMap((resource) => assetOf(resource) ?? [])),
];

const refOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'Ref' in value && typeof value.Ref === 'string'
    ? value.Ref
    : undefined;

/** Ignores the topic of the digest. */
function alarmTopicOf({ Resources }: Template): string | undefined {
  const [action] = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .flatMap(({ Properties = {} }) => Properties.AlarmActions);
  const topic = refOf(action);
  return topic !== undefined && topic in Resources ? topic : undefined;
}

const isMailOf = (topic: string | undefined, { Type, Properties = {} }: Resource): boolean =>
  topic !== undefined &&
  Type === 'AWS::SNS::Subscription' &&
  Properties.Protocol === 'email' &&
  refOf(Properties.TopicArn) === topic;

const bare = ({ Metadata: _, ...resource }: Resource): Resource => resource;

const PARAMETERS = {
  CodeBucket: { Type: 'String', Description: 'Bucket that holds the zips, in the region of the stack' },
  CodePrefix: {
    Type: 'String',
    Default: '',
    AllowedPattern: '^$|.*/$',
    ConstraintDescription: 'It ends with a slash, or is empty.',
    Description: 'Prefix of their keys, with a trailing slash, such as canvass/',
  },
};

/**
 * Logical ids do not change, so stacks of either kind can update each other.
 * @param keyOf returns the key of an asset, after the prefix
 * @param alarmEmail the default of the parameter, so that a confirmed subscription stays confirmed
 */
export function portableTemplate(
  template: Template,
  keyOf: (asset: string) => string,
  alarmEmail: string,
): Template {
  const { Description, Conditions = {}, Resources, Outputs } = template;
  const topic = alarmTopicOf(template);
  const resources = Object.entries(Resources).flatMap(([id, resource]): [string, Resource][] => {
    if (isMailOf(topic, resource)) return [];
    const asset = assetOf(resource);
    if (asset === undefined) return [[id, bare(resource)]];
    const Code = {
      S3Bucket: { Ref: 'CodeBucket' },
      S3Key: { 'Fn::Join': ['', [{ Ref: 'CodePrefix' }, keyOf(asset)]] },
    };
    return [[id, bare({ ...resource, Properties: { ...resource.Properties, Code } })]];
  });
  const [mail = 'AlarmSubscription'] =
    Object.entries(Resources).find(([, each]) => isMailOf(topic, each)) ?? [];
  const hasCode = assetsOf(template).length > 0;
  return {
    ...(Description !== undefined && { Description }),
    Parameters: {
      ...(hasCode && PARAMETERS),
      ...(topic !== undefined && {
        AlarmEmail: {
          Type: 'String',
          Default: alarmEmail,
          Description: 'Email address that receives alarms; empty for none',
        },
      }),
    },
    Conditions: {
      ...Conditions,
      ...(topic !== undefined && {
        TellsSomebody: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmEmail' }, ''] }] },
      }),
    },
    Resources: {
      ...Object.fromEntries(resources),
      ...(topic !== undefined && {
        [mail]: {
          Type: 'AWS::SNS::Subscription',
          Condition: 'TellsSomebody',
          Properties: { Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' }, TopicArn: { Ref: topic } },
        },
      }),
    },
    ...(Outputs !== undefined && { Outputs }),
  };
}
