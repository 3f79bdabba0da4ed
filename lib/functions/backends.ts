import type { ErasureLogTable } from '../data/erasure-log.ts';
import type { ServiceSecrets } from '../data/secrets.ts';
import type { ServiceTable } from '../data/table.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** The part of a function that events connect to. */
export interface Connected {
  readonly may: {
    allow(actions: readonly string[], resources: readonly string[]): void;
    allowQueue(queueArn: string): void;
  };
  setEnvironment(variables: Readonly<Record<string, string>>): void;
}

interface EventConnections {
  connect(queueing: Connected): void;
  /** Sets the partition's endpoint too. */
  connectBus(sending: Connected): void;
}

export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  readonly events?: EventConnections | undefined;
  /** Absent for the purge's own steps, which start no purge. */
  readonly erasure?: {
    readonly log: ErasureLogTable;
    readonly purge?: { readonly stateMachineArn: string };
  };
}
