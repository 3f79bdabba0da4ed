import { expect } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import type { Reply, Tenant, TestService } from './test-service.ts';

export const GZIP = { 'accept-encoding': 'gzip, deflate, br' } as const;

export interface ExportedRow {
  readonly id: string;
  readonly surveySlug: string;
}

export interface ExportedPage {
  readonly responses: readonly ExportedRow[];
  readonly dismissals: readonly ExportedRow[];
  readonly count: number;
  readonly nextCursor?: string;
}

export const exportOf = (
  service: TestService,
  { secretKey }: Tenant,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => service.call(exportResponses, { secretKey, query, headers });

/** Every page, one after the other. */
export async function pagesOf(
  service: TestService,
  tenant: Tenant,
  query: Readonly<Record<string, string>>,
): Promise<ExportedPage[]> {
  const pages: ExportedPage[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await exportOf(service, tenant, { ...query, ...(cursor !== undefined && { cursor }) });
    expect(page.status).toBe(200);
    pages.push(page.body);
    cursor = page.body.nextCursor;
    if (cursor === undefined) return pages;
  }
}

export const slugOf = ({ surveys }: Tenant, index: number): string => surveys[index]?.content.slug ?? '';
