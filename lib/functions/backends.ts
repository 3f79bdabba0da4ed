import type { ErasureLogTable } from '../data/erasure-log.ts';
import type { ServiceSecrets } from '../data/secrets.ts';
import type { ServiceTable } from '../data/table.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** A function as far as events connect it. */
export interface Connected {
  readonly may: {
    allow(actions: readonly string[], resources: readonly string[]): void;
    allowQueue(queueArn: string): void;
  };
  setEnvironment(variables: Readonly<Record<string, string>>): void;
}

/** Events of a stage, as functions are connected to them. */
interface EventConnections {
  /** Allows queueing events, and says where. */
  connect(queueing: Connected): void;
  /** Allows putting events on the bus, and says where it is in this partition. */
  connectBus(sending: Connected): void;
}

/** What functions are made of and connected to. */
export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  /** Absent unless the stage has events on. */
  readonly events?: EventConnections | undefined;
  /** What only erasing is connected to, and the purge's own steps, which start none. */
  readonly erasure?: {
    readonly log: ErasureLogTable;
    readonly purge?: { readonly stateMachineArn: string };
  };
}
