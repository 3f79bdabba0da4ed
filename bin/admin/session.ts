/** What a command is given, and how its result is shown. */

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createKeyUseStore, type KeyUseStore } from '../../shared/data/projects/key-use-store.ts';
import { createProjectStore, type ProjectStore } from '../../shared/data/projects/project-store.ts';
import { createSurveyStore, type SurveyStore } from '../../shared/data/projects/survey-store.ts';
import { type Deployment, type DeploymentFlags, openDeployment } from './deployment.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly deployment: Deployment;
  readonly projects: ProjectStore;
  readonly surveys: SurveyStore;
  readonly keyUse: KeyUseStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly terminal: Terminal;
  /** Shows something before the result, where it cannot get between the result and who reads it. */
  readonly show: (text: string) => void;
}

export interface Report {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  /** The same for people. */
  readonly text: string;
}

/** Carries a command out: reads flags and arguments, changes the deployment, and returns what to show. */
type Act<Flags> = (session: Session, flags: Flags, args: readonly string[]) => Promise<Report>;

/** Makes the action of a command: opens the deployment its flags name, acts, shows the report, closes. */
export type Perform = <Flags>(act: Act<Flags>) => (this: Command) => Promise<void>;

interface GlobalFlags extends DeploymentFlags {
  readonly json?: boolean;
}

export function createPerform(terminal: Terminal): Perform {
  return (act) =>
    async function perform() {
      const flags = this.optsWithGlobals<GlobalFlags & Parameters<typeof act>[1]>();
      const deployment = await openDeployment(flags);
      try {
        const { client, tableName } = deployment;
        const session = {
          deployment,
          projects: createProjectStore(client, tableName),
          surveys: createSurveyStore(client, tableName),
          keyUse: createKeyUseStore(client, tableName),
          now: Date.now,
          random: randomBytes,
          terminal,
          show: flags.json ? terminal.note : terminal.print,
        };
        const { json, text } = await act(session, flags, this.args);
        terminal.print(flags.json ? JSON.stringify(json) : text);
      } finally {
        await deployment.close();
      }
    };
}
