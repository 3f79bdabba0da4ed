import { expect } from 'vitest';
import type { Reply } from './service/test-service.ts';

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

type Query = Readonly<Record<string, string>>;

export async function eachPage(ask: (query: Query) => Promise<Reply>, query: Query = {}): Promise<Reply[]> {
  const pages: Reply[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await ask({ ...query, ...(cursor !== undefined && { cursor }) });
    expect(page.status).toBe(200);
    pages.push(page);
    cursor = page.body.nextCursor;
    if (cursor === undefined) return pages;
  }
}
