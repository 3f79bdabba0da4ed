/**
 * A write requires that its item exists and that its project is not being purged, so it never brings purged items back.
 */

import type { IdentitySecret, Project, ProjectChange, ProjectKey } from '../../domain/project.ts';
import type { Retention } from '../../domain/retention.ts';
import type { Survey } from '../../domain/surveys/survey.ts';
import { ABSENT, all, CHANGEABLE, equalTo } from '../table/expressions.ts';
import { eachPage, type ReadIndex } from '../table/index-reader.ts';
import {
  accessKeyKey,
  identitySlotKey,
  PROJECT_LIST_PARTITION,
  projectKey,
  projectTotalKey,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { keyItem, projectItem, readKey, readProject } from './project-item.ts';
import { type ProjectRecord, readProjectRecord } from './project-record.ts';
import { createSurveyStore } from './survey-store.ts';

function pathsOf({ limits = {}, rates = {}, ...own }: ProjectChange): Record<string, unknown> {
  const nested = Object.entries({ limits, rates }).flatMap(([parent, fields]) =>
    Object.entries(fields).map(([name, value]) => [`${parent}.${name}`, value]),
  );
  return { ...own, ...Object.fromEntries(nested) };
}

const PAGE = 500;

export function createProjectStore(table: Table, readIndex: ReadIndex) {
  const surveys = createSurveyStore(table);

  async function raiseLongestLifetime(projectId: string, lifetime: number): Promise<void> {
    const isShorter = { text: '#longestTokenLifetimeMs < :lifetime', values: { lifetime } };
    const set = { longestTokenLifetimeMs: lifetime };
    await table.update(projectKey(projectId), { set }, all(CHANGEABLE, isShorter));
  }

  return {
    async createProject(project: Project, keys: readonly ProjectKey[]) {
      const total = { ...projectTotalKey(project.id), type: 'project-total' };
      const items = [projectItem(project), total, ...keys.map((key) => keyItem(project.id, key))];
      const written = await table.transact(items.map((put) => ({ put, when: ABSENT })));
      if (!written.done) throw new Error('the project already exists');
    },

    read: (projectId: string): Promise<ProjectRecord | undefined> => readProjectRecord(table, projectId),

    /** Includes projects being purged. A new project may be missing for a moment. */
    async list(): Promise<Project[]> {
      const projects: Project[] = [];
      const query = { index: 'byProject', partition: PROJECT_LIST_PARTITION, limit: PAGE } as const;
      for await (const { keys } of eachPage(readIndex, query)) {
        const rows = await table.getMany(keys);
        projects.push(...rows.filter((row) => row !== undefined).map(readProject));
      }
      return projects.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },

    /** The change must not be empty. */
    async updateProject(projectId: string, change: ProjectChange): Promise<Project | undefined> {
      const { tokenLifetimeMs } = change;
      // Answers older than the longest lifetime are folded, so that lifetime is raised first.
      if (tokenLifetimeMs !== undefined) await raiseLongestLifetime(projectId, tokenLifetimeMs);
      const set = pathsOf(change);
      const written = await table.update(projectKey(projectId), { set }, CHANGEABLE, 'ALL_NEW');
      return written.done && written.row !== undefined ? readProject(written.row) : undefined;
    },

    async setRetention(
      projectId: string,
      retention: Retention,
      before: Retention | undefined,
    ): Promise<'done' | 'changed' | 'gone'> {
      const key = projectKey(projectId);
      const isAsBefore = all(CHANGEABLE, equalTo({ retention: before }));
      const written = await table.update(key, { set: { retention } }, isAsBefore);
      if (written.done) return 'done';
      const row = await table.get(key);
      return row === undefined || row.purgedAt !== undefined ? 'gone' : 'changed';
    },

    async addKey(projectId: string, key: ProjectKey): Promise<boolean> {
      const written = await table.transact([
        { check: projectKey(projectId), when: CHANGEABLE },
        { put: keyItem(projectId, key), when: ABSENT },
      ]);
      return written.done;
    },

    async revokeKey(projectId: string, hash: string, at: string): Promise<ProjectKey | undefined> {
      const key = accessKeyKey(projectId, hash);
      const written = await table.update(key, { set: { revokedAt: at } }, CHANGEABLE, 'ALL_NEW');
      return written.done && written.row !== undefined ? readKey(written.row) : undefined;
    },

    /** The slug must not be in use. */
    async createSurvey(projectId: string, survey: Survey) {
      if (!(await surveys.write(projectId, { created: [survey], updated: [] }))) {
        throw new Error('the project does not exist, or the survey already exists');
      }
    },
  };
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

const IDENTITY_SLOTS = [0, 1] as const;

/** A project has two slots, so that one secret can replace the other while both are valid. */
export function createIdentitySecretStore(table: Table) {
  return {
    async add(
      projectId: string,
      secret: IdentitySecret,
    ): Promise<'added' | 'both slots are taken' | 'no project'> {
      for (const slot of IDENTITY_SLOTS) {
        const put = { ...identitySlotKey(projectId, slot), type: 'identity-secret', ...secret };
        const written = await table.transact([
          { check: projectKey(projectId), when: CHANGEABLE },
          { put, when: { text: 'attribute_not_exists(#sealed)' } },
        ]);
        if (written.done) return 'added';
        if (written.failed.has(0)) return 'no project';
      }
      return 'both slots are taken';
    },

    async revoke(projectId: string, id: string, at: string): Promise<boolean> {
      const isIt = { text: '#id = :id AND attribute_exists(#sealed)', values: { id } };
      const change = { set: { sealed: null, revokedAt: at } };
      for (const slot of IDENTITY_SLOTS) {
        if ((await table.update(identitySlotKey(projectId, slot), change, isIt)).done) return true;
      }
      return false;
    },
  };
}
