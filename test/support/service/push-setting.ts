import { type CanvassClient, createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import type { PendingScore } from '../../../sdk/server/contract-types.ts';
import type { Destination, Outcome, Withdrawal } from '../../../shared/delivery/destinations/destination.ts';
import type { Timers } from '../../../shared/delivery/timing.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { linkedAnswer, NO_LIMITS } from '../fixtures/linked-answer.ts';
import { serveService } from './served-service.ts';
import { createVirtualTimers } from './test-clock.ts';
import { createTestService, type Tenant, type TestService } from './test-service.ts';

export interface PushSetting {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly client: CanvassClient;
  readonly timers: Timers;
  readonly url: string;
  /** Stores answers a millisecond apart, and returns their ids, oldest first. */
  answers(count: number): Promise<string[]>;
  /** Returns waiting scores, oldest first, including withdrawn ones. */
  open(includeFailed?: boolean): Promise<string[]>;
  stop(): Promise<void>;
}

export async function createPushSetting(surveys?: readonly Survey[]): Promise<PushSetting> {
  const service = await createTestService();
  const gateway = await serveService(service);
  const tenant = await service.tenant({ limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } }, surveys);
  const timers = createVirtualTimers(service.clock);
  const client = createCanvassClient({ baseUrl: gateway.url, secretKey: tenant.secretKey, timers });
  return {
    service,
    tenant,
    client,
    timers,
    url: gateway.url,
    async answers(count) {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        service.clock.advance(1);
        ids.push((await linkedAnswer(service, tenant)).id);
      }
      return ids;
    },
    async open(includeFailed = false) {
      const ids: string[] = [];
      for await (const { id } of client.eachPendingScore({ includeFailed, includeWithdrawn: true }))
        ids.push(id);
      return ids;
    },
    stop: () => gateway.stop(0),
  };
}

export function toldDestination(
  outcomeOf: (score: PendingScore) => Outcome = () => ({ kind: 'delivered' }),
): Destination & { readonly given: string[]; readonly withdrawn: Withdrawal[] } {
  const given: string[] = [];
  const withdrawn: Withdrawal[] = [];
  return {
    name: 'told',
    given,
    withdrawn,
    deletes: true,
    async deliver(score) {
      given.push(score.id);
      return outcomeOf(score);
    },
    async withdraw(withdrawal) {
      withdrawn.push(withdrawal);
      return { kind: 'delivered' };
    },
  };
}
