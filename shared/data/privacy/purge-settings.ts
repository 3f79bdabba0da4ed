/** The settings of what is purged: closed first, so that no request begins any more, and deleted last. */

import type { PurgeScope } from '../../domain/purge.ts';
import type { Survey } from '../../domain/survey.ts';
import { readSurvey } from '../projects/project-item.ts';
import { CHANGEABLE } from '../table/expressions.ts';
import type { Row } from '../table/row.ts';
import {
  ADDRESS_LEASES,
  foldRequestPartition,
  type Key,
  projectKey,
  rateLeasePartition,
  settingsPartition,
  surveyKey,
  surveyTotalKey,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface PurgeSettings {
  /** From now on the survey is unknown, or no key of the project valid, once caches expire. Harmless to repeat. */
  mark(scope: PurgeScope, at: string): Promise<void>;
  /** Surveys whose purge has begun and not ended. */
  markedSurveys(projectId: string): Promise<Survey[]>;
  /** Deletes what no index names: definition and total, or everything; returns how many items. */
  remove(scope: PurgeScope): Promise<number>;
  /** Of a project. */
  isAnythingLeft(projectId: string): Promise<boolean>;
}

const keyOf = ({ pk, sk }: Row): Key => ({ pk: String(pk), sk: String(sk) });
const isSame = (a: Key, b: Key): boolean => a.pk === b.pk && a.sk === b.sk;

export function createPurgeSettings(table: Table): PurgeSettings {
  const readSettings = (projectId: string) => table.query({ partition: settingsPartition(projectId) });

  async function keysOfSurvey({ projectId, surveyId = '' }: PurgeScope): Promise<Key[]> {
    const rows = await readSettings(projectId);
    const own = [surveyTotalKey(projectId, surveyId), surveyKey(projectId, surveyId)];
    return own.filter((key) => rows.some((row) => isSame(keyOf(row), key)));
  }

  /** Leases and uses of the access keys among these settings, leases of addresses, and requests to fold. */
  async function leasesOf(projectId: string, settings: readonly Row[]): Promise<Key[]> {
    const keyHashes = settings.filter(({ type }) => type === 'key').map(({ hash }) => String(hash));
    const partitions = [...keyHashes, ADDRESS_LEASES].map((name) => rateLeasePartition(projectId, name));
    partitions.push(foldRequestPartition(projectId));
    const leases = await Promise.all(partitions.map((partition) => table.query({ partition })));
    return leases.flat().map(keyOf);
  }

  /**
   * One step after the other, so that a run after a crash finds what is left. With an
   * access key goes the only trace of its leases: they go before it, and what came meanwhile after.
   */
  async function removeProject(projectId: string): Promise<number> {
    const settings = await readSettings(projectId);
    const isProject = (row: Row) => isSame(keyOf(row), projectKey(projectId));
    const isKey = ({ type }: Row) => type === 'key';
    const keysOf = (isMeant: (row: Row) => boolean) => settings.filter(isMeant).map(keyOf);
    const steps = [
      () => leasesOf(projectId, settings),
      () => keysOf((row) => !isKey(row) && !isProject(row)),
      () => leasesOf(projectId, settings),
      () => keysOf(isKey),
      () => leasesOf(projectId, settings),
      () => keysOf(isProject),
    ];
    let removed = 0;
    for (const step of steps) {
      const keys = await step();
      await table.deleteMany(keys);
      removed += keys.length;
    }
    return removed;
  }

  return {
    async mark({ projectId, surveyId }, at) {
      const key = surveyId === undefined ? projectKey(projectId) : surveyKey(projectId, surveyId);
      await table.update(key, { set: { purgedAt: at } }, CHANGEABLE);
    },

    async markedSurveys(projectId) {
      const rows = await readSettings(projectId);
      const surveys = rows.filter(({ type }) => type === 'survey').map(readSurvey);
      return surveys.filter(({ purgedAt }) => purgedAt !== undefined);
    },

    async remove(scope) {
      if (scope.surveyId === undefined) return removeProject(scope.projectId);
      const keys = await keysOfSurvey(scope);
      // The definition is what a repeated request finds the survey by.
      for (const key of keys) await table.deleteMany([key]);
      return keys.length;
    },

    async isAnythingLeft(projectId) {
      const settings = await readSettings(projectId);
      return settings.length > 0 || (await leasesOf(projectId, settings)).length > 0;
    },
  };
}
