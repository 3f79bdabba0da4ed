import type { Page } from 'playwright-core';

/** Holds the first matching reply until it is released, and counts requests. */
export async function holdReply(page: Page, pattern: RegExp) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: begin } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(pattern, async (route) => {
    asked += 1;
    const isFirst = asked === 1;
    const response = await route.fetch();
    begin();
    if (isFirst) await released;
    await route.fulfill({ response });
  });
  return {
    isAsked,
    asked: () => asked,
    async release(): Promise<void> {
      const late = page.waitForEvent('requestfinished', (request) => pattern.test(request.url()));
      release();
      await (await (await late).response())?.finished();
      // Waits one frame for code that awaits the reply.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    },
  };
}
