/**
 * Projects and keys, as operators write them. Requests read them through settings.ts. Nothing here brings back what
 * is being purged: a change needs its item to exist and its project not to be going.
 */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Project, ProjectKey } from '../../domain/project.ts';
import type { Survey } from '../../domain/survey.ts';
import { queryAll } from '../table/query-all.ts';
import { readItems } from '../table/read-items.ts';
import { accessKeyKey, PROJECT_LIST_PARTITION, projectKey, projectTotalKey, TABLE } from '../table/schema.ts';
import { transact } from '../table/transact.ts';
import { STANDS, updateStanding } from '../table/update-standing.ts';
import { keyItem, keyOfItem, projectItem, projectOfItem } from './project-item.ts';
import type { ProjectRecord } from './project-record.ts';
import { readProjectRecord } from './settings-loader.ts';
import { createSurveyStore } from './survey-store.ts';

/** What is absent or undefined stays as it is; `null` clears. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly status?: Project['status'] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly tokenLifetimeMs?: number | undefined;
  readonly limits?: {
    readonly quietPeriodMs?: number | undefined;
    readonly monthlyCap?: number | undefined;
    readonly monthlyQuota?: number | null | undefined;
  };
  readonly rates?: {
    readonly publishable?: number | undefined;
    readonly secret?: number | undefined;
    readonly address?: number | null | undefined;
  };
}

export interface ProjectStore {
  /** Creates a project with its totals and first keys, all or nothing. */
  createProject(project: Project, keys: readonly ProjectKey[]): Promise<void>;
  /** One strongly consistent query. Undefined when there is no such project, or when it is being purged. */
  read(projectId: string): Promise<ProjectRecord | undefined>;
  /** All projects, oldest first, those being purged too; one just created may be missing for a moment. */
  list(): Promise<Project[]>;
  /** The project as it is then; undefined when there is none to change. There must be at least one change. */
  updateProject(projectId: string, change: ProjectChange): Promise<Project | undefined>;
  /** False when there is no project to add it to. */
  addKey(projectId: string, key: ProjectKey): Promise<boolean>;
  /** The key as it is then; undefined when there is none. */
  revokeKey(projectId: string, hash: string, at: string): Promise<ProjectKey | undefined>;
  /** Creates a survey with its total. Its slug must be free. */
  createSurvey(projectId: string, survey: Survey): Promise<void>;
}

/** Settings by their path in the project's item. */
function pathsOf({ limits = {}, rates = {}, ...own }: ProjectChange): Record<string, unknown> {
  const nested = Object.entries({ limits, rates }).flatMap(([parent, fields]) =>
    Object.entries(fields).map(([name, value]) => [`${parent}.${name}`, value]),
  );
  return { ...own, ...Object.fromEntries(nested) };
}

export function createProjectStore(client: DynamoDBDocumentClient, tableName: string): ProjectStore {
  const surveys = createSurveyStore(client, tableName);
  const put = (item: object) => ({
    Put: { TableName: tableName, Item: { ...item }, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  return {
    async createProject(project, keys) {
      const total = { ...projectTotalKey(project.id), type: 'project-total' };
      const items = [projectItem(project), total, ...keys.map((key) => keyItem(project.id, key))];
      if (!(await transact(client, items.map(put)))) throw new Error('the project exists already');
    },

    read: (projectId) => readProjectRecord(client, tableName, projectId),

    async list() {
      const { name, partitionKey } = TABLE.indexes.byProject;
      const entries = await queryAll(client, {
        TableName: tableName,
        IndexName: name,
        KeyConditionExpression: '#partition = :projects',
        ExpressionAttributeNames: { '#partition': partitionKey },
        ExpressionAttributeValues: { ':projects': PROJECT_LIST_PARTITION },
      });
      const items = await readItems(
        client,
        tableName,
        entries.map(({ pk, sk }) => ({ pk, sk })),
      );
      return items
        .filter((item) => item !== undefined)
        .map(projectOfItem)
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },

    async updateProject(projectId, change) {
      const item = await updateStanding(client, tableName, projectKey(projectId), pathsOf(change));
      return item === undefined ? undefined : projectOfItem(item);
    },

    addKey: (projectId, key) =>
      transact(client, [
        {
          ConditionCheck: {
            TableName: tableName,
            Key: projectKey(projectId),
            ConditionExpression: STANDS,
          },
        },
        put(keyItem(projectId, key)),
      ]),

    async revokeKey(projectId, hash, at) {
      const key = accessKeyKey(projectId, hash);
      const item = await updateStanding(client, tableName, key, { revokedAt: at });
      return item === undefined ? undefined : keyOfItem(item);
    },

    async createSurvey(projectId, survey) {
      const changes = { created: [survey], updated: [] };
      if (!(await surveys.write(projectId, changes))) {
        throw new Error('there is no project to create the survey in, or the survey exists already');
      }
    },
  };
}
