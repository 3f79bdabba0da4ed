import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { DIGEST_ENVIRONMENT } from '../shared/settings/environment.ts';
import { createAlarm, createOverdueAlarm, functionLog } from './alarms/alarm.ts';
import { encryptionKey } from './data/encryption-key.ts';
import { FailureQueue } from './failure-queue.ts';
import type { Backends } from './functions/function-role.ts';
import { runOnSchedule } from './functions/run-on-schedule.ts';
import { ServiceFunction } from './functions/service-function.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { DigestSettings } from './settings/telling-settings.ts';

/** The maximum of Lambda, because a stage may have thousands of projects. */
const TIMEOUT_SECONDS = 900;
const MOST_AGE_SECONDS = 6 * 3_600;
const RETRIES = 60;

/** An alarm cannot watch for a run a week. The function sends on Mondays only. */
const EVERY_DAY_AT_EIGHT = 'cron(0 8 * * ? *)';

interface WeeklyDigestProps {
  readonly backends: Backends;
  readonly digest: DigestSettings;
  readonly url: string;
}

export class WeeklyDigest extends Construct {
  readonly function: IFunction;
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { backends, digest, url }: WeeklyDigestProps) {
    super(scope, id);
    const { settings } = backends;
    this.topic = this.#topic(settings, digest);
    const telling = new ServiceFunction(this, 'weekly-digest', {
      name: 'weekly-digest',
      timeoutSeconds: TIMEOUT_SECONDS,
      backends,
    });
    telling.connect({
      table: ['BatchGetItem', 'Query'],
      byProject: ['Query'],
      byContact: ['Query'],
      queuesEvents: true,
    });
    telling.may.allowPublish(this.topic.topicArn);
    telling.setEnvironment({
      [DIGEST_ENVIRONMENT.url]: url,
      [DIGEST_ENVIRONMENT.topicArn]: this.topic.topicArn,
    });
    this.function = telling.function;
    const missed = new FailureQueue(this, 'Failed', settings);
    const { timeZone } = digest;
    // A run retries its own failures. A second run would mail the other projects twice.
    const schedule = runOnSchedule(this, telling, settings, missed, {
      description: 'Canvass: sends each project its weekly digest',
      scheduleExpression: EVERY_DAY_AT_EIGHT,
      // 08:00 exists on every day in every time zone (EventBridge Scheduler, "Daylight savings time").
      scheduleExpressionTimezone: timeZone,
      // A run that starts late still reports the same week.
      input: JSON.stringify({ at: '<aws.scheduler.scheduled-time>', timeZone }),
      ...{ retries: RETRIES, mostAgeSeconds: MOST_AGE_SECONDS },
    });
    const unsent = createAlarm(this, 'Missed', settings, {
      name: 'digest-missed',
      means: 'The weekly digest could not be sent for every project.',
      first: functionLog(settings, 'weekly-digest', '{ $.message = "digest failed" }', '12h'),
      metric: missed.messages,
    });
    const overdue = createOverdueAlarm(this, settings, telling.function.metricInvocations(), {
      name: 'digest-overdue',
      means: 'The daily run of the digest, which sends on Mondays, did not take place.',
      first: `aws scheduler get-schedule --name ${schedule.ref}`,
    });
    this.alarms = [unsent, overdue];
  }

  #topic(settings: DeploymentSettings, { mails }: DigestSettings): Topic {
    const masterKey = encryptionKey(this, settings.kmsKeyArn);
    const topic = new Topic(this, 'Topic', {
      displayName: 'Survey digest',
      enforceSSL: true,
      ...(masterKey !== undefined && { masterKey }),
    });
    for (const { to, projects } of mails) {
      const filterPolicy = { projectId: SubscriptionFilter.stringFilter({ allowlist: [...projects] }) };
      topic.addSubscription(new EmailSubscription(to, { filterPolicy }));
    }
    return topic;
  }
}
