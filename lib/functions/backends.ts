import type { ErasureLogTable } from '../data/erasure-log.ts';
import type { ServiceSecrets } from '../data/secrets.ts';
import type { ServiceTable } from '../data/table.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

export interface Connected {
  readonly may: {
    allow(actions: readonly string[], resources: readonly string[]): void;
    allowQueue(queueArn: string): void;
  };
  setEnvironment(variables: Readonly<Record<string, string>>): void;
}

interface EventConnections {
  connect(queueing: Connected): void;
  connectBus(sending: Connected): void;
}

export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  readonly events?: EventConnections | undefined;
  readonly erasure?: {
    readonly log: ErasureLogTable;
    readonly purge?: { readonly stateMachineArn: string };
  };
}
