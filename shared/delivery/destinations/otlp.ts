/**
 * OTLP over HTTP in JSON, one `gen_ai.evaluation.result` log record per score under the rated trace and span.
 *
 * Sources: opentelemetry-proto `docs/specification.md` ("OTLP/HTTP", "JSON Protobuf Encoding"),
 * open-telemetry/semantic-conventions-genai `model/gen-ai/events.yaml`, Amazon CloudWatch Logs, "Sending logs using the
 * OTLP endpoint"; read 2026-11-22. Logs are append-only: a change adds a record with a higher `canvass.revision`, a
 * withdrawal one with `canvass.withdrawn`.
 */

import {
  categoryOf,
  type DeliveryOptions,
  type Destination,
  type Outcome,
  type PushedScore,
  type Reply,
  type Withdrawal,
} from './destination.ts';
import { scoreName } from './langfuse.ts';
import { outcomeOf, requestReply } from './request.ts';

/** Options of the OpenTelemetry destination. */
export interface OtlpOptions {
  /** The complete address, such as `https://collector.example:4318/v1/logs`. */
  readonly url: string;
  /** Additional headers, such as credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Template with the survey's `{type}` and `{slug}`; defaults to `canvass.{type}`. */
  readonly name?: string;
  /** Whether to send the free text as the explanation; defaults to true. */
  readonly includeText?: boolean;
  /** Returns the request's headers, including the signature. */
  readonly sign?: (post: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }) => Promise<Readonly<Record<string, string>>>;
  /** Name for logs; defaults to `otlp`. */
  readonly destination?: string;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. Defaults to the clock. */
  readonly now?: () => number;
}

const EVENT = 'gen_ai.evaluation.result';
/** `SEVERITY_NUMBER_INFO`. */
const INFO = 9;

type Value = string | number | boolean | readonly string[] | null | undefined;

function attribute(key: string, value: Exclude<Value, null | undefined>) {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  if (typeof value === 'object')
    return { key, value: { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } } };
  // JSON encodes 64-bit integers as decimal strings.
  return { key, value: key === 'canvass.revision' ? { intValue: String(value) } : { doubleValue: value } };
}

const attributes = (values: Readonly<Record<string, Value>>) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [attribute(key, value)],
  );

const nanoseconds = (milliseconds: number): string => `${milliseconds}000000`;

/** Returns lower-case hex, or undefined for zeros and other lengths. Removes the hyphens of a UUID. */
function hexId(id: string | null, digits: number): string | undefined {
  const text = id?.replace(
    /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i,
    '$1$2$3$4$5',
  );
  if (text === undefined || text.length !== digits) return undefined;
  return /^[0-9a-f]+$/i.test(text) && !/^0+$/.test(text) ? text.toLowerCase() : undefined;
}

/** A span requires its trace. Other ids become attributes. */
function placeOf({ traceId, observationId, sessionId }: PushedScore) {
  const trace = hexId(traceId, 32);
  const span = trace === undefined ? undefined : hexId(observationId, 16);
  return {
    context: { ...(trace !== undefined && { traceId: trace }), ...(span !== undefined && { spanId: span }) },
    ids: {
      'session.id': sessionId,
      'canvass.trace.id': trace === undefined ? traceId : undefined,
      'canvass.observation.id': span === undefined ? observationId : undefined,
    },
  };
}

function envelope(record: object): string {
  const resource = { attributes: attributes({ 'service.name': 'canvass' }) };
  const scopeLogs = [{ scope: { name: 'canvass' }, logRecords: [record] }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] });
}

const recordBase = (time: number, now: number) => ({
  timeUnixNano: nanoseconds(time),
  observedTimeUnixNano: nanoseconds(now),
  severityNumber: INFO,
  severityText: 'INFO',
  eventName: EVENT,
});

/** Older services omit labels. */
const labelsOf = ({ labels }: Partial<Pick<PushedScore, 'labels'>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels ?? {}).map(([name, value]) => [`canvass.label.${name}`, value]));

/** Older services omit answers. A skipped question has no attribute. */
const answersOf = ({ answers }: Partial<Pick<PushedScore, 'answers'>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(answers ?? {}).map(([id, value]) => [`canvass.answer.${id}`, value]));

type SurveyType = PushedScore['surveyType'];

/** The highest entry at or below the rating applies. */
const LABELS: Readonly<Record<SurveyType, readonly (readonly [from: number, label: string])[]>> = {
  nps: [
    [9, 'promoter'],
    [7, 'passive'],
    [0, 'detractor'],
  ],
  csat: [
    [4, 'satisfied'],
    [3, 'neutral'],
    [1, 'dissatisfied'],
  ],
  ces: [
    [5, 'agree'],
    [4, 'neutral'],
    [1, 'disagree'],
  ],
  pmf: [
    [2, 'very_disappointed'],
    [1, 'somewhat_disappointed'],
    [0, 'not_disappointed'],
  ],
  thumbs: [
    [1, 'up'],
    [0, 'down'],
  ],
  choice: [],
  open: [],
};

const scoreLabel = (type: SurveyType, rating: number): string | undefined =>
  LABELS[type].find(([from]) => rating >= from)?.[1];

/** A choice is a category, so it has a label and no value. */
function measureOf(score: PushedScore): Readonly<Record<string, Value>> {
  const { scale, rating, surveyType } = score;
  const label = 'gen_ai.evaluation.score.label';
  if (surveyType === 'choice') return { [label]: categoryOf(score) };
  return {
    'gen_ai.evaluation.score.value': rating,
    [label]: scoreLabel(surveyType, rating),
    'canvass.scale.min': scale.min,
    'canvass.scale.max': scale.max,
    'canvass.normalized_value': (rating - scale.min) / (scale.max - scale.min),
  };
}

function otlpScore(
  score: PushedScore,
  { name, includeText = true }: Pick<OtlpOptions, 'name' | 'includeText'>,
  now: number,
): string {
  const { surveyType, text } = score;
  const { context, ids } = placeOf(score);
  return envelope({
    ...recordBase(Date.parse(score.revisedAt ?? score.at), now),
    ...context,
    attributes: attributes({
      'event.name': EVENT,
      'gen_ai.evaluation.name': scoreName(score, name),
      ...measureOf(score),
      'gen_ai.evaluation.explanation': includeText && text !== '' ? text : undefined,
      'canvass.score.id': score.id,
      'canvass.revision': score.revision ?? 0,
      'canvass.survey.id': score.surveyId,
      'canvass.survey.slug': score.surveySlug,
      'canvass.survey.type': surveyType,
      'canvass.reasons': score.reasons,
      'canvass.task_type': score.taskType,
      'canvass.identity_kind': score.identityKind,
      'canvass.channel': score.channel,
      ...labelsOf(score),
      ...answersOf(score),
      'canvass.answered_at': score.at,
      ...ids,
    }),
  });
}

/** An erasure has no revision, because nothing follows it. */
function otlpWithdrawal({ id, revision }: Withdrawal, now: number): string {
  return envelope({
    ...recordBase(now, now),
    attributes: attributes({
      'event.name': EVENT,
      'gen_ai.evaluation.name': 'canvass.withdrawn',
      'gen_ai.evaluation.score.label': 'withdrawn',
      'canvass.score.id': id,
      'canvass.revision': revision,
      'canvass.withdrawn': true,
    }),
  });
}

/** A 200 can report a rejected record, which must not be sent again ("Partial Success"). */
function readPartialSuccess({ status, text }: Reply): Outcome | undefined {
  if (status !== 200) return undefined;
  const rejected = /"rejectedLogRecords"\s*:\s*"?(\d+)/.exec(text)?.[1];
  if (rejected === undefined || Number(rejected) === 0) return undefined;
  return { kind: 'reject', reason: text.slice(0, 400) };
}

/** @throws TypeError for an invalid URL */
export function createOtlpDestination(options: OtlpOptions): Destination {
  const { headers = {}, sign, destination = 'otlp', now = Date.now } = options;
  const url = new URL(options.url).href;

  async function post(body: string, delivery: DeliveryOptions): Promise<Outcome> {
    const plain = { ...headers, 'content-type': 'application/json' };
    const reply = await requestReply({
      ...delivery,
      method: 'POST',
      url,
      headers: sign === undefined ? plain : await sign({ url, headers: plain, body }),
      body,
      fetch: options.fetch ?? fetch,
      refusesPages: true,
      now: now(),
    });
    return ('kind' in reply ? undefined : readPartialSuccess(reply)) ?? outcomeOf(reply);
  }

  return {
    name: destination,
    categories: true,
    deletes: false,
    deliver: (score, delivery) => post(otlpScore(score, options, now()), delivery),
    withdraw: (withdrawal, delivery) => post(otlpWithdrawal(withdrawal, now()), delivery),
  };
}
