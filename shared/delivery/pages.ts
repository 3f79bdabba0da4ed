/** Something that answers in pages may also say `null`, or nothing, for "no other follows". */
interface Page {
  readonly nextCursor?: string | null | undefined;
}

/** Where the next page begins; undefined after the last. A cursor that comes again would never come to an end. */
export function nextCursor(page: Page, current: string | null | undefined): string | undefined {
  return page.nextCursor && page.nextCursor !== current ? page.nextCursor : undefined;
}

/** Every page, from the one at this cursor on. */
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
