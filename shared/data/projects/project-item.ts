/** How projects, keys and surveys lie in the table. */

import type { Project, ProjectKey } from '../../domain/project.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Item } from '../table/item.ts';
import { accessKeyKey, projectKey, projectListEntry, surveyKey } from '../table/schema.ts';

export function projectItem(project: Project): Item {
  return { ...projectKey(project.id), ...projectListEntry(project.id), type: 'project', ...project };
}

export function projectOfItem(item: Item): Project {
  return {
    id: item.id,
    name: item.name,
    status: item.status,
    allowedOrigins: item.allowedOrigins,
    limits: item.limits,
    rates: item.rates,
    tokenLifetimeMs: item.tokenLifetimeMs,
    createdAt: item.createdAt,
    ...(item.purgedAt !== undefined && { purgedAt: item.purgedAt }),
  };
}

export function keyItem(projectId: string, key: ProjectKey): Item {
  return { ...accessKeyKey(projectId, key.hash), type: 'key', ...key };
}

export function keyOfItem(item: Item): ProjectKey {
  return {
    id: item.id,
    kind: item.kind,
    hash: item.hash,
    createdAt: item.createdAt,
    ...(item.revokedAt !== undefined && { revokedAt: item.revokedAt }),
  };
}

export function surveyItem(projectId: string, survey: Survey): Item {
  return { ...surveyKey(projectId, survey.id), type: 'survey', ...survey };
}

export function surveyOfItem(item: Item): Survey {
  return {
    id: item.id,
    status: item.status,
    content: item.content,
    limits: item.limits,
    ...(item.startsAt !== undefined && { startsAt: item.startsAt }),
    ...(item.endsAt !== undefined && { endsAt: item.endsAt }),
    ...(item.purgedAt !== undefined && { purgedAt: item.purgedAt }),
  };
}
