import type { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/**
 * Props of a `Canvass`, the same as the settings under `stages` in cdk.json. A `SettingsError` names each invalid prop.
 * ARNs must be known at synthesis. For resources of this app, use the props that take a construct. Only tags, names of
 * buses, log groups and secrets, and ARNs of certificates may be tokens.
 */
export interface CanvassProps {
  /**
   * 1 to 16 of `a-z0-9-`, starting with a letter. Show-tokens of one stage are invalid in another. API, logs, alarms,
   * dashboard and metrics are named by `name` and `stage`, which must be unique in an account and region.
   */
  readonly stage: string;
  /** 1 to 32 of `a-z0-9-`, starting with a letter. @default 'canvass' */
  readonly name?: string | undefined;
  /**
   * Whether tables and secrets are kept when they are removed from the stack. `retain` also enables deletion
   * protection.
   * @default 'retain'
   */
  readonly removalPolicy?: 'retain' | 'destroy' | undefined;
  /**
   * `stack`: names of secrets begin with the stack's name, so that policies can tell stages apart (docs/iam.md). A stack
   * that was deployed without it refuses the setting, which would replace its secrets. @default 'generated'
   */
  readonly secretNames?: 'generated' | 'stack' | undefined;
  /** The prefix of access keys, 1 to 16 of `a-z0-9`. Changing it invalidates all issued keys. @default 'svc' */
  readonly keyAbbreviation?: string | undefined;
  /** Shards of each index per project, 1 to 256. You can raise it later, but never lower it. @default 16 */
  readonly indexShards?: number | undefined;
  /**
   * Requests per second and source address on publishable routes, unless the project sets its own limit. 0 means no
   * limit. @default 20
   */
  readonly defaultAddressRate?: number | undefined;
  /** Days that logs are kept. @default 30 */
  readonly logRetentionDays?: CanvassLogRetentionDays | undefined;
  /**
   * `essential`: alarms when callers, answers or erasures are affected. `all`: alarms on causes, too. @default
   * 'essential'
   */
  readonly alarms?: 'essential' | 'all' | undefined;
  /** Creates a dashboard of all metrics and alarms. @default false */
  readonly dashboard?: boolean | undefined;
  /**
   * A topic in this region that receives alarms. It keeps its policy: SNS's default policy lets alarms publish, and a
   * policy added by this app is extended for them. Excludes `alarmEmail`.
   * @default a new topic without a subscriber
   */
  readonly alarmTopic?: ITopic | undefined;
  /** Subscribes this address to the new topic. Requires `runbookUrl`. @default no subscriber */
  readonly alarmEmail?: string | undefined;
  /**
   * Where your team reads docs/operations.md. Alarms link to its sections. Must be an https address with `alarmEmail`.
   * @default 'docs/operations.md'
   */
  readonly runbookUrl?: string | undefined;
  /**
   * Encrypts tables, secrets, queues, the alarm topic and logs. A key of this app gets the required policy; otherwise
   * see docs/iam.md. Excludes `kmsKeyArn`. @default keys managed by AWS
   */
  readonly kmsKey?: IKey | undefined;
  /** The complete ARN of such a key. Excludes `kmsKey`. */
  readonly kmsKeyArn?: string | undefined;
  /** Tags of every resource, in addition to those of the app. @default none */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Permissions boundary of every role. Excludes `permissionsBoundaryArn`. @default none */
  readonly permissionsBoundary?: IManagedPolicy | undefined;
  /** The ARN of such a policy. Excludes `permissionsBoundary`. */
  readonly permissionsBoundaryArn?: string | undefined;
  /**
   * `canary`: shifts a tenth of the end users' requests to a new version, and the rest ten minutes later. An alarm
   * rolls it back. @default 'all-at-once'
   */
  readonly deployment?: 'all-at-once' | 'canary' | undefined;
  /** X-Ray traces of function invocations, billed per trace. @default false */
  readonly tracing?: boolean | undefined;
  /** A domain, CloudFront and a firewall in front of the gateway. Add a `CanvassEdgeStack`. @default none */
  readonly edge?: CanvassEdgeProps | undefined;
  /** A domain for the gateway, without CloudFront. The default endpoint stays open. Excludes `edge`. @default none */
  readonly domain?: CanvassDomainProps | undefined;
  /** Uses existing tables and secrets, after a restore or in another region. @default new ones */
  readonly existing?: CanvassExistingData | undefined;
  /** Backs up both tables each night and copies the backup to another account. @default point-in-time recovery only */
  readonly backup?: CanvassBackupProps | undefined;
  /** Stops the gateway's functions when the account's costs of a month reach a limit (docs/pilot.md). @default off */
  readonly budget?: CanvassBudgetProps | undefined;
  /** Limits by route name, as requests per second and burst. @default the limits of each route */
  readonly throttles?:
    | Readonly<Record<string, { readonly rate: number; readonly burst: number }>>
    | undefined;
  /**
   * Reserved concurrency by function name (see `functions`): reserved for the function, and its maximum.
   * @default shared concurrency of the account
   */
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
  /** Pushes scores to observability platforms (docs/scores.md). `{}` enables it. @default off */
  readonly scoreAdapter?: CanvassScoreAdapterProps | undefined;
  /** A synthetic monitor that asks and answers on a schedule, with an alarm. @default off */
  readonly probe?: CanvassProbeProps | undefined;
  /** Publishes events on EventBridge (docs/events.md). `{}` enables it. @default off */
  readonly events?: CanvassEventsProps | undefined;
  /** HTTPS endpoints and Slack channels that receive events. Requires `events`. @default none */
  readonly webhooks?: readonly (CanvassWebhookProps | CanvassSlackWebhookProps)[] | undefined;
  /** Sends each project a digest of the previous week on Mondays (docs/events.md). Requires `events`. @default off */
  readonly digest?: CanvassDigestProps | undefined;
}

/** Retention periods of CloudWatch Logs, up to ten years. */
export type CanvassLogRetentionDays =
  | 1
  | 3
  | 5
  | 7
  | 14
  | 30
  | 60
  | 90
  | 120
  | 150
  | 180
  | 365
  | 400
  | 545
  | 731
  | 1096
  | 1827
  | 2192
  | 2557
  | 2922
  | 3288
  | 3653;

/** A domain with CloudFront and a firewall. */
export interface CanvassEdgeProps {
  /** The domain that clients use. */
  readonly domainName: string;
  /** A certificate for `domainName`, in us-east-1. */
  readonly certificateArn: string;
  /** The domain by which CloudFront reaches the gateway. The default endpoint is closed unless `open` is set. */
  readonly originDomainName: string;
  /** A certificate for `originDomainName`, in the region of the construct. */
  readonly originCertificateArn: string;
  /** Requests per address in five minutes before the firewall blocks it, at least 10. @default 6000 */
  readonly addressRatePer5Minutes?: number | undefined;
  /**
   * Your own web ACL, of CloudFront scope in us-east-1, with your own rules and logs. Excludes
   * `addressRatePer5Minutes`. @default a new firewall
   */
  readonly webAclArn?: string | undefined;
  /** Keeps the gateway's default endpoint open until callers have moved to `domainName`. @default false */
  readonly open?: boolean | undefined;
  /** The version of the origin secret that CloudFront sends. @default the current version at deployment */
  readonly originSecretVersionId?: string | undefined;
  /** An older version that is still accepted during a rotation. @default none */
  readonly previousOriginSecretVersionId?: string | undefined;
  /**
   * A key in us-east-1 for logs, the alarm topic and the replica of the origin secret. @default AWS-owned and
   * AWS-managed keys
   */
  readonly kmsKeyArn?: string | undefined;
}

/** A domain for the gateway, without CloudFront. */
export interface CanvassDomainProps {
  /** The domain that clients use, such as `surveys.example.com`. */
  readonly name: string;
  /** A certificate for `name`, in the region of the construct. */
  readonly certificateArn: string;
  /**
   * A hosted zone of the account, which gets the DNS record. @default none: point `name` to the output `DomainTarget`
   */
  readonly hostedZoneId?: string | undefined;
}

/** Backups of both tables in another account. */
export interface CanvassBackupProps {
  /** A vault in another account or region that accepts copies from this account (docs/operations.md). */
  readonly copyToVaultArn: string;
  /** Days that a backup is kept, 1 to 35. Erased people can remain in backups for this long. @default 35 */
  readonly keepDays?: number | undefined;
}

/** A limit of the account's monthly costs. AWS updates costs up to three times a day. */
export interface CanvassBudgetProps {
  /** US dollars. At 80 %, `email` is notified. At 100 %, the gateway's functions lose all permissions. */
  readonly monthlyUsd: number;
  /** The address that is notified. */
  readonly email: string;
}

/** Existing tables and secrets that the stage uses. */
export interface CanvassExistingData {
  /** The stream of the table of answers, with both images. */
  readonly tableStreamArn?: string | undefined;
  /** The table that records erasures. */
  readonly erasureLogTableArn?: string | undefined;
  /** A complete ARN, as for all secrets here. */
  readonly hashSecretArn?: string | undefined;
  /** The secret with the keys that seal show-tokens. */
  readonly tokenRingArn?: string | undefined;
  /** Only with an edge. */
  readonly originSecretArn?: string | undefined;
  /** Keys that encrypt these resources, besides the stage's own key. @default none */
  readonly kmsKeyArns?: readonly string[] | undefined;
}

/** Schedule of the score adapter. */
export interface CanvassScoreAdapterProps {
  /** Minutes between runs, 1 to 60. A new score starts a run immediately. @default 1 */
  readonly everyMinutes?: number | undefined;
  /** Minutes that a score may be pending before an alarm. @default 60 */
  readonly alarmAfterMinutes?: number | undefined;
  /** Log streams of this account and region for destinations of type `cloudwatch`. @default none */
  readonly logStreams?: readonly { readonly logGroup: string; readonly logStream: string }[] | undefined;
}

/** A synthetic monitor. */
export interface CanvassProbeProps {
  /** Time between runs, from `5m` to `12h`. @default '15m' */
  readonly every?: string | undefined;
  /** The publishable key that `npm run admin -- probe create` prints. It is not secret. */
  readonly key: string;
  /** Name or ARN of a secret with a mint key of the same project, to answer by link as well (docs/operations.md). */
  readonly mintKeySecret?: string | undefined;
}

/** Events on EventBridge. */
export interface CanvassEventsProps {
  /** A bus of this account and region. @default 'default' */
  readonly busName?: string | undefined;
  /**
   * A bus of another account, in this region, that accepts events from this account. Excludes `busName` and `webhooks`.
   */
  readonly busArn?: string | undefined;
  /** Includes text, traits and contact details in events. @default false */
  readonly includeText?: boolean | undefined;
}

/** Described in docs/events.md. */
export type CanvassEventType =
  | 'Response Recorded'
  | 'Response Revised'
  | 'Response Withdrawn'
  | 'Dismissal Recorded'
  | 'Survey Shown'
  | 'Respondent Erased'
  | 'Survey Purged'
  | 'Account Purged'
  | 'Score Failed'
  | 'Survey Digest'
  | 'Survey Changed'
  | 'Responses Expired';

/** An endpoint that receives events. */
export interface CanvassWebhookProps {
  /** Signed JSON, which is the default. */
  readonly format?: 'json' | undefined;
  /** An https address, unique among the webhooks. */
  readonly url: string;
  /** A secret in Secrets Manager, sent as the header `authorization`. */
  readonly secretName: string;
  /** The version of the secret. Deployments read a new value only if this changes. @default the current version */
  readonly secretVersion?: string | undefined;
  /** @default all types */
  readonly detailTypes?: readonly CanvassEventType[] | undefined;
  /** Sends only responses with a detractor's rating. @default false */
  readonly onlyLow?: boolean | undefined;
}

/** A Slack channel that receives readable messages (docs/events.md). */
export interface CanvassSlackWebhookProps {
  /** Messages for a Slack channel. */
  readonly format: 'slack';
  /** 1 to 32 of `a-z0-9-`, starting with a letter, unique among the channels. */
  readonly name: string;
  /** A secret in Secrets Manager: the address of an incoming webhook, read for every message. */
  readonly secretName: string;
  /** Up to 40 project ids. */
  readonly projects: readonly string[];
  /**
   * `low`: a detractor's rating. `contact`: a request to be contacted. `digest`: the weekly digest; requires `digest`.
   */
  readonly events: readonly ('low' | 'contact' | 'digest')[];
  /** Includes people's text in messages. Requires `events.includeText`. @default false */
  readonly includeText?: boolean | undefined;
}

/** Weekly digests by email. */
export interface CanvassDigestProps {
  /** The digest runs on Mondays at 08:00 in this IANA time zone, such as `Europe/Vienna`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** Recipients, each for the digests of these projects only. They must confirm an SNS email first. @default none */
  readonly mails?: readonly { readonly to: string; readonly projects: readonly string[] }[] | undefined;
}
