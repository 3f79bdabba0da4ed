/**
 * Items that are in no index are marked first, so that no new request begins, and deleted last. Totals are deleted
 * before results, so that nothing is counted afterwards.
 */

import type { PurgeScope } from '../../domain/purge.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import { readSurvey } from '../projects/project-item.ts';
import { CHANGEABLE, PRESENT } from '../table/expressions.ts';
import { keyOf, type Row } from '../table/row.ts';
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

const isSame = (a: Key, b: Key): boolean => a.pk === b.pk && a.sk === b.sk;

export function createPurgedDefinitions(table: Table) {
  const readSettings = (projectId: string) => table.query({ partition: settingsPartition(projectId) });

  async function listResults({ projectId, surveyId }: PurgeScope): Promise<Key[]> {
    const partition = resultsPartition(projectId);
    const ranges = surveyId === undefined ? [{}] : resultPrefixes(surveyId).map((prefix) => ({ prefix }));
    const attributes = [TABLE.partitionKey, TABLE.sortKey];
    const rows = await Promise.all(ranges.map((range) => table.query({ partition, ...range, attributes })));
    return rows.flat().map(keyOf);
  }

  async function forgetChange(projectId: string, surveyId: string): Promise<Key[]> {
    const when = { text: 'contains(#surveysChanged.#ids, :surveyId)', values: { surveyId } };
    await table.update(projectKey(projectId), { remove: ['surveysChanged'] }, when);
    return [];
  }

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
      // A logged change to a missing survey would make readers of the settings retry.
      () => forgetChange(projectId, surveyId),
      // A repeated request finds the survey by its definition.
      () => present(surveyKey(projectId, surveyId)),
    ]);
  }

  async function leasesOf(projectId: string, settings: readonly Row[]): Promise<Key[]> {
    const keyHashes = settings.filter(({ type }) => type === 'key').map(({ hash }) => String(hash));
    const partitions = [...keyHashes, LINK_LEASES, ADDRESS_LEASES].map((name) =>
      rateLeasePartition(projectId, name),
    );
    partitions.push(foldRequestPartition(projectId), sweepPartition(projectId), draftPartition(projectId));
    const leases = await Promise.all(partitions.map((partition) => table.query({ partition })));
    return leases.flat().map(keyOf);
  }

  /** Leases are found by their access keys. New ones may appear until the keys are deleted. */
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
    async mark({ projectId, surveyId }: PurgeScope, at: string) {
      const change = { set: { purgedAt: at } };
      if (surveyId === undefined) return void (await table.update(projectKey(projectId), change, CHANGEABLE));
      // People who saw the survey cannot recreate it by accident.
      await table.transact([
        { update: surveyKey(projectId, surveyId), change, when: CHANGEABLE },
        { update: projectKey(projectId), change: { add: { surveysVersion: 1 } }, when: PRESENT },
      ]);
    },

    async markedSurveys(projectId: string): Promise<Survey[]> {
      const rows = await readSettings(projectId);
      const surveys = rows.filter(({ type }) => type === 'survey').map(readSurvey);
      return surveys.filter(({ purgedAt }) => purgedAt !== undefined);
    },

    async remove(scope: PurgeScope): Promise<number> {
      return scope.surveyId === undefined ? removeProject(scope.projectId) : removeSurvey(scope);
    },

    async isAnythingLeft(projectId: string): Promise<boolean> {
      const settings = await readSettings(projectId);
      if (settings.length > 0 || (await leasesOf(projectId, settings)).length > 0) return true;
      return (await listResults({ projectId })).length > 0;
    },
  };
}

export type PurgedDefinitions = ReturnType<typeof createPurgedDefinitions>;
