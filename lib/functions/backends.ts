import type { ErasureLogTable } from '../data/erasure-log.ts';
import type { ServiceSecrets } from '../data/secrets.ts';
import type { ServiceTable } from '../data/table.ts';
import type { Events } from '../events.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** What functions are made of and connected to. */
export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  /** Absent unless the stage has events on. */
  readonly events?: Events | undefined;
  /** What only erasing is connected to, and the purge's own steps, which start none. */
  readonly erasure?: {
    readonly log: ErasureLogTable;
    readonly purge?: { readonly stateMachineArn: string };
  };
}
