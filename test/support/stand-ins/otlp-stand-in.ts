/**
 * Sources: opentelemetry-proto, docs/specification.md, "OTLP/HTTP"; Amazon CloudWatch Logs, "Sending logs using the
 * OTLP endpoint"; read 2026-11-22. Returns 400 for fields that a receiver would ignore.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { serve } from '../serve.ts';

export type OtlpFault = '400' | '401' | '429' | '503' | 'partial' | 'hang' | 'reset' | 'lost';

/** CloudWatch Logs limits a log event to 1 MB. */
const MOST_BYTES = 1_048_576;

const nano = z.string().regex(/^\d{19}$/, 'nanoseconds since the epoch, as a decimal string');
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((id) => /[^0]/.test(id), 'all zero is no id');
const logRecord = z
  .strictObject({
    timeUnixNano: nano,
    observedTimeUnixNano: nano,
    severityNumber: z.int().min(1).max(24),
    severityText: z.string(),
    eventName: z.literal('gen_ai.evaluation.result'),
    attributes,
    traceId: hex(32).optional(),
    spanId: hex(16).optional(),
  })
  .refine(({ traceId, spanId }) => spanId === undefined || traceId !== undefined, 'a span without its trace')
  .refine((record) => new Set(record.attributes.map(({ key }) => key)).size === record.attributes.length)
  .refine((record) => record.attributes.some(({ key }) => key === 'gen_ai.evaluation.name'));
const exportLogs = z.strictObject({
  resourceLogs: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeLogs: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          logRecords: z.array(logRecord).min(1),
        }),
      ]),
    }),
  ]),
});

export type LogRecord = z.output<typeof logRecord>;

export function said(record: LogRecord, key: string): string | number | boolean | string[] | undefined {
  const found = record.attributes.find((attribute) => attribute.key === key)?.value;
  if (found === undefined) return undefined;
  if ('intValue' in found) return Number(found.intValue);
  if ('arrayValue' in found) return found.arrayValue.values.map(({ stringValue }) => stringValue);
  return Object.values(found)[0];
}

const REPLIES: Partial<Record<OtlpFault, readonly [number, object, Record<string, string>?]>> = {
  '400': [400, { code: 3, message: 'cannot be decoded' }],
  '401': [401, { message: 'The security token included in the request is invalid.' }],
  '429': [429, { message: 'Rate exceeded' }, { 'retry-after': '2' }],
  '503': [503, { message: 'Service Unavailable' }, { 'retry-after': '1' }],
  partial: [200, { partialSuccess: { rejectedLogRecords: '1', errorMessage: '{"tooOldLogEventCount": 1}' } }],
};

export async function startOtlpStandIn(faultOf: () => OtlpFault | undefined = () => undefined) {
  const records: LogRecord[] = [];
  let headers: IncomingMessage['headers'] = {};

  function reply(response: ServerResponse, status: number, body: object, more = {}): void {
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    headers = request.headers;
    const fault = faultOf();
    if (fault === 'hang') return;
    if (fault === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const told = fault === undefined ? undefined : REPLIES[fault];
    if (told !== undefined) return reply(response, ...told);
    if (request.method !== 'POST') return reply(response, 405, {});
    if (request.url !== '/v1/logs') return reply(response, 404, {});
    if (headers['content-type'] !== 'application/json') return reply(response, 415, {});
    if (Buffer.byteLength(text) > MOST_BYTES) return reply(response, 413, { message: 'too large' });
    const body = exportLogs.safeParse(JSON.parse(text));
    if (!body.success) return reply(response, 400, { message: JSON.stringify(body.error.issues) });
    records.push(...body.data.resourceLogs[0].scopeLogs[0].logRecords);
    if (fault === 'lost') request.socket.destroy();
    else reply(response, 200, {});
  }

  const { url, stop } = await serve((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    url: `${url}/v1/logs`,
    records,
    headers: () => headers,
    stop,
  };
}
