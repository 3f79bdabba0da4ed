/** Projects, keys and surveys, as operators write them. Requests read them through settings.ts. */

import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Project, ProjectKey } from '../domain/project.ts';
import type { Survey } from '../domain/survey.ts';
import { keyItem, projectItem, surveyItem } from './settings-item.ts';
import { projectTotalKey, surveyTotalKey } from './table-schema.ts';

export interface ProjectStore {
  /** Creates a project with its totals and first keys, all or nothing. */
  createProject(project: Project, keys: readonly ProjectKey[]): Promise<void>;
  addKey(projectId: string, key: ProjectKey): Promise<void>;
  /** Creates a survey with its total. */
  createSurvey(projectId: string, survey: Survey): Promise<void>;
}

export function createProjectStore(client: DynamoDBDocumentClient, tableName: string): ProjectStore {
  const created = (item: object) => ({
    Put: { TableName: tableName, Item: { ...item }, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  return {
    async createProject(project, keys) {
      const total = { ...projectTotalKey(project.id), type: 'project-total' };
      const items = [projectItem(project), total, ...keys.map((key) => keyItem(project.id, key))];
      await client.send(new TransactWriteCommand({ TransactItems: items.map(created) }));
    },

    async addKey(projectId, key) {
      await client.send(new PutCommand(created(keyItem(projectId, key)).Put));
    },

    async createSurvey(projectId, survey) {
      const total = {
        ...surveyTotalKey(projectId, survey.id),
        type: 'survey-total',
        surveyId: survey.id,
        responses: 0,
      };
      const items = [surveyItem(projectId, survey), total];
      await client.send(new TransactWriteCommand({ TransactItems: items.map(created) }));
    },
  };
}
