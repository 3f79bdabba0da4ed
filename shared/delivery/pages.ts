/** The last page may have `null` or no cursor. */
interface Page {
  readonly nextCursor?: string | null | undefined;
}

/** Stops at a repeated cursor, which would never end. */
export function nextCursor(page: Page, current: string | null | undefined): string | undefined {
  return page.nextCursor && page.nextCursor !== current ? page.nextCursor : undefined;
}

export async function* eachPage<One extends Page, Query extends { readonly cursor?: string | undefined }>(
  query: Query,
  ask: (query: Query) => Promise<One>,
): AsyncGenerator<One> {
  let page = await ask(query);
  yield page;
  for (let cursor = nextCursor(page, query.cursor); cursor !== undefined; cursor = nextCursor(page, cursor)) {
    page = await ask({ ...query, cursor });
    yield page;
  }
}
