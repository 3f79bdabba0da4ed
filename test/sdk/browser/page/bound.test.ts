import { describe, expect, it } from 'vitest';
import { hearErrors } from '../support/hear-errors.ts';
import { eventually } from '../support/patience.ts';
import { bench, isAsked, openShop, openShopShowing, storedRows, useShops } from '../support/shop.ts';

useShops();

const MESSAGE = { sessionId: 'session-1', traceId: 'trace-1', observationId: 'observation-1' };

describe('a session-bound token', () => {
  async function mint(respondentId: string, slug: string) {
    const reply = await fetch(`${bench.service}/v1/sdk/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.tenant.secretKey}` },
      body: JSON.stringify({ respondentId, ...MESSAGE, taskType: 'refund' }),
    });
    const { tokens } = (await reply.json()) as { tokens: Record<string, string> };
    const surveyId = bench.tenant.surveys[slug] ?? '';
    return { surveyId, showToken: tokens[surveyId] ?? '', ...MESSAGE };
  }

  it('stores an answer linked to the respondent that it was minted for', async () => {
    const respondent = `chat-${crypto.randomUUID()}`;
    const binding = await mint(respondent, 'csat-corner');
    const shop = await openShopShowing('csat-corner', {
      anonymous: true,
      calls: [
        ['bind', binding],
        ['show', 'csat-corner'],
      ],
    });
    await shop.radio(5).click();
    await shop.send().click();
    await shop.send().click();
    await eventually(async () => {
      expect(await storedRows(respondent)).toMatchObject([
        {
          rating: 5,
          linked: true,
          scoreState: 'pending',
          ...MESSAGE,
          taskType: 'refund',
          identityKind: null,
        },
      ]);
    });
  });

  it('shows nothing if it was not minted', async () => {
    const shop = await openShopShowing('plain');
    await shop.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => storedRows(shop.user)).toHaveLength(1);
    const { showToken, ...gated } = await mint(shop.user, 'plain');
    expect(showToken).toBe('');
    const again = await openShop({
      user: shop.user,
      calls: [
        ['bind', gated],
        ['bind', { ...gated, showToken }],
        ['show', 'plain'],
      ],
    });
    await expect.poll(() => again.requests).toHaveLength(1);
    await again.page.waitForLoadState('networkidle');
    expect(await isAsked(again)).toBe(false);
  });

  it('belongs to the previous person after another signs in', async () => {
    const binding = await mint(`chat-${crypto.randomUUID()}`, 'plain');
    const other = `other-${crypto.randomUUID()}`;
    const { page, sent } = await openShop({
      calls: [
        ['bind', binding],
        ['identify', other],
        ['show', 'plain'],
      ],
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => sent.at(-1)?.path).toBe('/v1/dismissals');
    expect(sent.at(-1)?.body).toMatchObject({ userId: other });
    expect(sent.at(-1)?.body.showToken).not.toBe(binding.showToken);
    expect(sent.at(-1)?.body).not.toHaveProperty('sessionId');
  });

  it('is kept when an anonymous person signs in, and can be used to dismiss', async () => {
    const respondent = `chat-${crypto.randomUUID()}`;
    const binding = await mint(respondent, 'plain');
    const { page, sent } = await openShop({
      anonymous: true,
      calls: [
        ['bind', binding],
        ['identify', 'somebody'],
        ['show', 'plain'],
      ],
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => sent.at(-1)?.body).toMatchObject(binding);
    await expect.poll(() => storedRows(respondent)).toMatchObject([{ surveySlug: 'plain' }]);
  });

  it('shows nothing without its session, and reports what is missing', async () => {
    const { sessionId: _, ...rest } = await mint(`chat-${crypto.randomUUID()}`, 'plain');
    const shop = await openShop({ prepare: (page) => hearErrors(page, ['bind', rest]) });
    await expect.poll(() => shop.page.evaluate('told')).toEqual([{ missing: ['sessionId'] }]);
  });
});
