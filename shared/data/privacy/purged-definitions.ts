/**
 * What a purge finds without an index: the definition of a survey, or all that a project's partition of settings holds.
 * It is closed first, so that no request begins any more, and deleted last. Totals go before results, so that nothing is
 * counted behind them.
 */

import type { PurgeScope } from '../../domain/purge.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import { readSurvey } from '../projects/project-item.ts';
import { CHANGEABLE, PRESENT } from '../table/expressions.ts';
import type { Row } from '../table/row.ts';
import {
  ADDRESS_LEASES,
  draftPartition,
  foldRequestPartition,
  type Key,
  LINK_LEASES,
  projectKey,
  rateLeasePartition,
  resultPrefixes,
  resultsPartition,
  settingsPartition,
  surveyKey,
  surveyTotalKey,
  sweepPartition,
  TABLE,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface PurgedDefinitions {
  /** From now on the survey is unknown, or no key of the project valid, once caches expire. Harmless to repeat. */
  mark(scope: PurgeScope, at: string): Promise<void>;
  /** Surveys whose purge has begun and not ended. */
  markedSurveys(projectId: string): Promise<Survey[]>;
  /** Deletes what no index names: total, results and definition, or everything; returns how many items. */
  remove(scope: PurgeScope): Promise<number>;
  /** Of a project. */
  isAnythingLeft(projectId: string): Promise<boolean>;
}

const keyOf = ({ pk, sk }: Row): Key => ({ pk: String(pk), sk: String(sk) });
const isSame = (a: Key, b: Key): boolean => a.pk === b.pk && a.sk === b.sk;

export function createPurgedDefinitions(table: Table): PurgedDefinitions {
  const readSettings = (projectId: string) => table.query({ partition: settingsPartition(projectId) });

  async function listResults({ projectId, surveyId }: PurgeScope): Promise<Key[]> {
    const partition = resultsPartition(projectId);
    const ranges = surveyId === undefined ? [{}] : resultPrefixes(surveyId).map((prefix) => ({ prefix }));
    const attributes = [TABLE.partitionKey, TABLE.sortKey];
    const rows = await Promise.all(ranges.map((range) => table.query({ partition, ...range, attributes })));
    return rows.flat().map(keyOf);
  }

  /** Of the last change of the set, where it wrote the survey. */
  async function forgetChange(projectId: string, surveyId: string): Promise<Key[]> {
    const when = { text: 'contains(#surveysChanged.#ids, :surveyId)', values: { surveyId } };
    await table.update(projectKey(projectId), { remove: ['surveysChanged'] }, when);
    return [];
  }

  /** In steps, each ended before the next. @returns how many items */
  async function deleteInSteps(steps: readonly (() => Key[] | Promise<Key[]>)[]): Promise<number> {
    let removed = 0;
    for (const step of steps) {
      const keys = await step();
      await table.deleteMany(keys);
      removed += keys.length;
    }
    return removed;
  }

  async function removeSurvey({ projectId, surveyId = '' }: PurgeScope): Promise<number> {
    const rows = await readSettings(projectId);
    const present = (key: Key) => (rows.some((row) => isSame(keyOf(row), key)) ? [key] : []);
    return deleteInSteps([
      () => present(surveyTotalKey(projectId, surveyId)),
      () => listResults({ projectId, surveyId }),
      // Else settings would be waited for to show what they will never show again.
      () => forgetChange(projectId, surveyId),
      // The definition is what a repeated request finds the survey by.
      () => present(surveyKey(projectId, surveyId)),
    ]);
  }

  /** Leases and uses of the access keys among these settings, leases of links and addresses, requests to fold, sweeps, drafts. */
  async function leasesOf(projectId: string, settings: readonly Row[]): Promise<Key[]> {
    const keyHashes = settings.filter(({ type }) => type === 'key').map(({ hash }) => String(hash));
    const partitions = [...keyHashes, LINK_LEASES, ADDRESS_LEASES].map((name) =>
      rateLeasePartition(projectId, name),
    );
    partitions.push(foldRequestPartition(projectId), sweepPartition(projectId), draftPartition(projectId));
    const leases = await Promise.all(partitions.map((partition) => table.query({ partition })));
    return leases.flat().map(keyOf);
  }

  /**
   * A repetition finds what one that was cut short has left. With an access key goes the only trace of its leases: they
   * go before it, and what came meanwhile after.
   */
  async function removeProject(projectId: string): Promise<number> {
    const settings = await readSettings(projectId);
    const isProject = (row: Row) => isSame(keyOf(row), projectKey(projectId));
    const isKey = ({ type }: Row) => type === 'key';
    const keysOf = (isMeant: (row: Row) => boolean) => settings.filter(isMeant).map(keyOf);
    return deleteInSteps([
      () => leasesOf(projectId, settings),
      () => keysOf((row) => !isKey(row) && !isProject(row)),
      () => listResults({ projectId }),
      () => leasesOf(projectId, settings),
      () => keysOf(isKey),
      () => leasesOf(projectId, settings),
      () => keysOf(isProject),
    ]);
  }

  return {
    async mark({ projectId, surveyId }, at) {
      const change = { set: { purgedAt: at } };
      if (surveyId === undefined) return void (await table.update(projectKey(projectId), change, CHANGEABLE));
      // The set is another one than before: nobody who has seen the survey makes it anew without being told.
      await table.transact([
        { update: surveyKey(projectId, surveyId), change, when: CHANGEABLE },
        { update: projectKey(projectId), change: { add: { surveysVersion: 1 } }, when: PRESENT },
      ]);
    },

    async markedSurveys(projectId) {
      const rows = await readSettings(projectId);
      const surveys = rows.filter(({ type }) => type === 'survey').map(readSurvey);
      return surveys.filter(({ purgedAt }) => purgedAt !== undefined);
    },

    async remove(scope) {
      return scope.surveyId === undefined ? removeProject(scope.projectId) : removeSurvey(scope);
    },

    async isAnythingLeft(projectId) {
      const settings = await readSettings(projectId);
      if (settings.length > 0 || (await leasesOf(projectId, settings)).length > 0) return true;
      return (await listResults({ projectId })).length > 0;
    },
  };
}
