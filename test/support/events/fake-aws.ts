import type { AwsCall } from '../../../shared/data/aws/aws-call.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';

/** `lost` means that AWS accepted the request but its reply was lost. */
export const FAULTS = ['none', 'throttled', 'page', 'partial', 'lost', 'refuses'] as const;
export type Fault = (typeof FAULTS)[number];

interface Message {
  readonly body: string;
  /** The message is hidden until then, in milliseconds. */
  visibleAt: number;
}

const failure = (name: string, fault: 'server' | 'client') =>
  Object.assign(new Error(`it refused: ${name}`), { name, $fault: fault });

function outcomeOf(fault: Fault, random: () => number): { takes: () => boolean; error?: Error } {
  if (fault === 'throttled') return { takes: () => false, error: failure('ThrottlingException', 'client') };
  if (fault === 'page') return { takes: () => false, error: failure('HTTP 503', 'server') };
  if (fault === 'refuses') return { takes: () => false, error: failure('AccessDeniedException', 'client') };
  if (fault === 'lost') return { takes: () => true, error: failure('TimeoutError', 'server') };
  return { takes: () => fault === 'none' || random() < 0.5 };
}

export class FakeAws {
  queueFault: Fault = 'none';
  busFault: Fault = 'none';
  readonly messages: Message[] = [];
  readonly onBus: CanvassEvent[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  readonly queue: AwsCall = async (_action, input) => {
    const { Entries } = input as { Entries: { Id: string; MessageBody: string }[] };
    const { takes, error } = outcomeOf(this.queueFault, this.#random);
    const Failed: object[] = [];
    for (const { Id, MessageBody } of Entries) {
      if (takes()) this.messages.push({ body: MessageBody, visibleAt: 0 });
      else Failed.push({ Id, Code: 'InternalError' });
    }
    if (error !== undefined) throw error;
    return { Failed };
  };

  readonly bus: AwsCall = async (_action, input) => {
    const { Entries } = input as { Entries: { Source: 'canvass'; DetailType: never; Detail: string }[] };
    const { takes, error } = outcomeOf(this.busFault, this.#random);
    const results = Entries.map(({ Source, DetailType, Detail }) => {
      if (!takes()) return { ErrorCode: 'InternalFailure' };
      this.onBus.push({ source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) });
      return { EventId: 'event' };
    });
    if (error !== undefined) throw error;
    return { FailedEntryCount: 0, Entries: results };
  };
}
