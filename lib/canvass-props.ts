/** What a stage may be set to, for an app of your own: the same as under `stages` in cdk.json (lib/settings/settings.ts). */

import type { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/**
 * Checked where a `Canvass` is made. What is wrong is said in a `SettingsError`, by the name of the prop. An ARN is a
 * text that is known then; what this app makes goes into the props that take a construct. Tags, and names of buses, log
 * groups and secrets, and the ARNs of certificates, may be those of constructs.
 */
export interface CanvassProps {
  /**
   * 1 to 16 of `a-z0-9-`, beginning with a letter. Sealed into show-tokens: a token of one stage is worth nothing in
   * another. With `name` it names API, logs, alarms, dashboard and metrics: two of one name and stage cannot share an
   * account and region.
   */
  readonly stage: string;
  /** 1 to 32 of `a-z0-9-`, beginning with a letter. @default 'canvass' */
  readonly name?: string | undefined;
  /**
   * What becomes of tables and secrets when they leave the stack: `retain` keeps them and protects the tables against
   * deletion. @default 'retain'
   */
  readonly removalPolicy?: 'retain' | 'destroy' | undefined;
  /** What access keys start with, 1 to 16 of `a-z0-9`. Changing it makes every issued key invalid. @default 'svc' */
  readonly keyAbbreviation?: string | undefined;
  /** Shards of each index per project, 1 to 256. May be raised on a live table, never lowered. @default 16 */
  readonly indexShards?: number | undefined;
  /**
   * Requests a second of one source address on publishable routes, where a project sets none; 0 is no limit.
   * @default 20
   */
  readonly defaultAddressRate?: number | undefined;
  /** Days that logs are kept. @default 30 */
  readonly logRetentionDays?: CanvassLogRetentionDays | undefined;
  /** `essential`: what callers, answers and erasures suffer from; `all`: where that comes from, too. @default 'essential' */
  readonly alarms?: 'essential' | 'all' | undefined;
  /** A dashboard of what is counted, and of the alarms. @default false */
  readonly dashboard?: boolean | undefined;
  /**
   * Where alarms go, a topic of this region. Its policy is yours: SNS's own lets alarms of the account in; where this
   * app has given the topic another, alarms are let in by it. Excludes `alarmEmail`.
   * @default a topic is made, without a subscriber
   */
  readonly alarmTopic?: ITopic | undefined;
  /** Subscribed to the topic that is made; needs `runbookUrl`. @default nobody is subscribed */
  readonly alarmEmail?: string | undefined;
  /**
   * Where your team reads the runbook, docs/operations.md; each alarm appends its section. An https address when
   * `alarmEmail` is set. @default 'docs/operations.md'
   */
  readonly runbookUrl?: string | undefined;
  /**
   * Encrypts tables, secrets, queues, alarm topic and logs. A key of this app lets CloudWatch Logs, alarms and
   * EventBridge of the account use it; the policy of any other has to (docs/iam.md). Excludes `kmsKeyArn`.
   * @default AWS's own keys
   */
  readonly kmsKey?: IKey | undefined;
  /** The same by its complete ARN. Excludes `kmsKey`. */
  readonly kmsKeyArn?: string | undefined;
  /** Of every resource that takes tags, besides those of the app. @default none */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Bounds every role that is made. Excludes `permissionsBoundaryArn`. @default none */
  readonly permissionsBoundary?: IManagedPolicy | undefined;
  /** The same by its ARN. Excludes `permissionsBoundary`. */
  readonly permissionsBoundaryArn?: string | undefined;
  /**
   * `canary`: a tenth of the requests that end users wait for goes to a new version, the others ten minutes later; back
   * when an alarm goes off. @default 'all-at-once'
   */
  readonly deployment?: 'all-at-once' | 'canary' | undefined;
  /** Traces of function invocations in X-Ray, billed per trace. @default false */
  readonly tracing?: boolean | undefined;
  /** A domain, CloudFront and a firewall in front of the gateway, with a `CanvassEdgeStack`. @default none */
  readonly edge?: CanvassEdgeProps | undefined;
  /** A domain of the gateway's own, without CloudFront; its own address stays open. Excludes `edge`. @default none */
  readonly domain?: CanvassDomainProps | undefined;
  /** Data to lie on in place of its own: after a restore, or in another region. @default its own */
  readonly existing?: CanvassExistingData | undefined;
  /** Backs both tables up each night, into another account as well. @default point-in-time recovery alone */
  readonly backup?: CanvassBackupProps | undefined;
  /** By route name, in place of the route's own: requests per second, and burst. @default those of the routes */
  readonly throttles?:
    | Readonly<Record<string, { readonly rate: number; readonly burst: number }>>
    | undefined;
  /**
   * By the name of a function, as in `functions`: how many of it may run at once. They are kept free for it: neighbours
   * in the account cannot take them, and it takes no more.
   * @default the account's concurrency is shared
   */
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
  /** Pushes scores to observability platforms (docs/scores.md); `{}` switches it on. @default off */
  readonly scoreAdapter?: CanvassScoreAdapterProps | undefined;
  /** Asks and answers as a visitor would, again and again, and alarms when that fails. @default off */
  readonly probe?: CanvassProbeProps | undefined;
  /** Puts events on a bus (docs/events.md); `{}` switches it on. @default off */
  readonly events?: CanvassEventsProps | undefined;
  /** Addresses that events are posted to, and channels of Slack; they need `events`. @default none */
  readonly webhooks?: readonly (CanvassWebhookProps | CanvassSlackWebhookProps)[] | undefined;
  /** Tells each project on Mondays what was answered in the week before (docs/events.md); needs `events`. @default off */
  readonly digest?: CanvassDigestProps | undefined;
}

/** Those that CloudWatch Logs knows, up to ten years. */
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
  /** Where clients reach the service. */
  readonly domainName: string;
  /** Of a certificate for `domainName`, in us-east-1. */
  readonly certificateArn: string;
  /** Where CloudFront reaches the gateway, whose own address is closed unless `open`. */
  readonly originDomainName: string;
  /** Of a certificate for `originDomainName`, in the region of the construct. */
  readonly originCertificateArn: string;
  /** Requests of one address in five minutes, above which the firewall blocks it; at least 10. @default 6000 */
  readonly addressRatePer5Minutes?: number | undefined;
  /**
   * A web ACL of yours, of CloudFront's scope in us-east-1, in place of the firewall that is made; rules and log are
   * then yours. Excludes `addressRatePer5Minutes`. @default a firewall is made
   */
  readonly webAclArn?: string | undefined;
  /** Serves the gateway's own address too, until callers have moved to `domainName`. @default false */
  readonly open?: boolean | undefined;
  /** The version of the origin secret that CloudFront brings. @default the current one at the deployment */
  readonly originSecretVersionId?: string | undefined;
  /** Taken as well while the secret is rotated. @default none */
  readonly previousOriginSecretVersionId?: string | undefined;
  /** A key of us-east-1 for logs, alarm topic and replica of the origin secret there. @default AWS's own keys */
  readonly kmsKeyArn?: string | undefined;
}

/** A name of your own for the gateway, without CloudFront. */
export interface CanvassDomainProps {
  /** Where clients reach the service, such as `surveys.example.com`. */
  readonly name: string;
  /** Of a certificate for `name`, in the region of the construct. */
  readonly certificateArn: string;
  /** A zone of the account that gets the record. @default none: the output `DomainTarget` is what `name` has to lead to */
  readonly hostedZoneId?: string | undefined;
}

/** A copy of both tables in another account. */
export interface CanvassBackupProps {
  /** A vault of another account, or region, that lets this account copy into it (docs/operations.md). */
  readonly copyToVaultArn: string;
  /** Days that a backup is kept, 1 to 35: an erased person is in none that is older. @default 35 */
  readonly keepDays?: number | undefined;
}

/** Data that the stage lies on, in place of its own. */
export interface CanvassExistingData {
  /** The stream, of both images, of the table that answers lie in. */
  readonly tableStreamArn?: string | undefined;
  readonly erasureLogTableArn?: string | undefined;
  /** Complete, as all ARNs of secrets here. */
  readonly hashSecretArn?: string | undefined;
  readonly tokenRingArn?: string | undefined;
  /** With an edge. */
  readonly originSecretArn?: string | undefined;
  /** Keys that these are encrypted under, besides the stage's own. @default none */
  readonly kmsKeyArns?: readonly string[] | undefined;
}

/** Scores that are pushed on a schedule. */
export interface CanvassScoreAdapterProps {
  /** Minutes between runs, 1 to 60; a new score wakes it at once. @default 1 */
  readonly everyMinutes?: number | undefined;
  /** Minutes that a score may be pending before an alarm. @default 60 */
  readonly alarmAfterMinutes?: number | undefined;
  /** Log streams of this account and region that destinations of type `cloudwatch` write to. @default none */
  readonly logStreams?: readonly { readonly logGroup: string; readonly logStream: string }[] | undefined;
}

/** A visitor who asks and answers on a schedule. */
export interface CanvassProbeProps {
  /** Between two runs, from `5m` to `12h`. @default '15m' */
  readonly every?: string | undefined;
  /** The publishable key that `npm run admin -- probe create` prints; it is no secret. */
  readonly key: string;
}

/** Events on a bus. */
export interface CanvassEventsProps {
  /** A bus of this account and region. @default 'default' */
  readonly busName?: string | undefined;
  /** A bus of another account, in this region, which lets this account in. Excludes `busName` and `webhooks`. */
  readonly busArn?: string | undefined;
  /** Lets events carry text, traits and contact. @default false */
  readonly includeText?: boolean | undefined;
}

/** docs/events.md says what each tells. */
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

/** An address that events are posted to. */
export interface CanvassWebhookProps {
  readonly format?: 'json' | undefined;
  /** An https address, of one webhook alone. */
  readonly url: string;
  /** A secret of Secrets Manager: its text is sent as the header `authorization`. */
  readonly secretName: string;
  /** The version of it that is sent; a deployment sees a new value only where this changes. @default the current one */
  readonly secretVersion?: string | undefined;
  /** @default all types */
  readonly detailTypes?: readonly CanvassEventType[] | undefined;
  /** Only responses with a detractor's rating. @default false */
  readonly onlyLow?: boolean | undefined;
}

/** A channel of Slack that is told in words (docs/events.md). */
export interface CanvassSlackWebhookProps {
  readonly format: 'slack';
  /** 1 to 32 of `a-z0-9-`, beginning with a letter; of one webhook alone. */
  readonly name: string;
  /** A secret of Secrets Manager: its text is the address of an incoming webhook, read for every message. */
  readonly secretName: string;
  /** Ids, at most 40: whose answers and digests the channel is told. */
  readonly projects: readonly string[];
  /** `low`: a detractor's rating; `contact`: a wish to be contacted; `digest`: on Mondays, with `digest`. */
  readonly events: readonly ('low' | 'contact' | 'digest')[];
  /** Lets lines have what people wrote; needs `events.includeText`. @default false */
  readonly includeText?: boolean | undefined;
}

/** Weekly digests by mail. */
export interface CanvassDigestProps {
  /** In which it is Monday, 08:00, by its name in the IANA database: `Europe/Vienna`. @default 'UTC' */
  readonly timeZone?: string | undefined;
  /** Who is mailed, each the digests of these projects alone; they confirm a mail from SNS first. @default nobody */
  readonly mails?: readonly { readonly to: string; readonly projects: readonly string[] }[] | undefined;
}
