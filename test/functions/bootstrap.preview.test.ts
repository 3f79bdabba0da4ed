import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { HOUR, SECOND } from '../../shared/domain/duration.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { DRAFT, usePreviews } from '../support/service/previews.ts';

const { current, anEditor, drafts, make, service, show } = await usePreviews();

it('200 with the draft only, whatever its pages and event, and without tokens', async () => {
  const { tenant } = current();
  const made = await make();
  expect(made.status).toBe(201);
  const shown = await show(made.body.preview);
  const { status: _, endsAt: _end, limits: _limits, ...content } = DRAFT;
  expect([shown.status, shown.body]).toEqual([
    200,
    {
      surveys: [{ id: 'preview', ...content, scale: { min: 0, max: 1 } }],
      suppression: [],
      preview: true,
    },
  ]);
  const query = `key=${tenant.publishableKey}&types=thumbs&preview=${made.body.preview}`;
  const byQuery = await service.call(bootstrap, { method: 'GET', path: '/v1/definitions', query });
  expect(byQuery.body).toEqual(shown.body);
});

it('returns no survey to a client that does not support its type', async () => {
  const { preview } = (await make()).body;
  expect((await show(preview, { types: 'pages' })).body).toEqual({
    surveys: [],
    suppression: [],
    preview: true,
  });
  const first = (await make({ ...DRAFT, type: 'nps' })).body.preview;
  expect((await show(first, { types: undefined })).body.surveys).toHaveLength(1);
});

it('needs no proof of identity', async () => {
  const proven = await service.tenant({ identity: 'required' });
  const { preview } = (await make(DRAFT, await anEditor(proven))).body;
  expect((await show(preview, {}, proven.publishableKey)).body.preview).toBe(true);
});

it('expires after an hour, even before the table deletes it', async () => {
  const { preview } = (await make()).body;
  service.clock.advance(HOUR - 2 * SECOND);
  expect((await show(preview)).status).toBe(200);
  service.clock.advance(2 * SECOND);
  expect(await drafts()).toHaveLength(1);
  expect(codeOf(await show(preview))).toBe('404 preview_not_found');
});

it('404 for a token that is foreign, changed or made up, and never returns other surveys instead', async () => {
  const { preview } = (await make()).body;
  const other = await service.tenant();
  expect(codeOf(await show(preview, {}, other.publishableKey))).toBe('404 preview_not_found');
  for (const made of [
    preview.slice(1),
    preview.replace(/^./, (first: string) => (first === '_' ? 'A' : '_')),
    'none',
    'a'.repeat(128),
  ])
    expect(codeOf(await show(made))).toBe('404 preview_not_found');
  await service.table.table.deleteMany(
    (await drafts()).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
  );
  expect(codeOf(await show(preview))).toBe('404 preview_not_found');
});

it('400 for a preview token of more than 128 characters', async () => {
  for (const made of ['', 7, ['a'], 'a'.repeat(129)])
    expect(codeOf(await show(made))).toBe('400 invalid_request');
});

it('is not accepted as a show-token, nor a show-token as a preview', async () => {
  const { tenant } = current();
  const { preview } = (await make()).body;
  const { showTokens } = (
    await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } })
  ).body;
  const [[surveyId = '', showToken] = []] = Object.entries(showTokens);
  expect(codeOf(await show(String(showToken).slice(0, 128)))).toBe('404 preview_not_found');
  const body = { key: tenant.publishableKey, userId: 'ann', showToken: preview, rating: 1 };
  for (const endpoint of [submitResponse, submitDismissal, submitImpression]) {
    const refused = await service.call(endpoint, { body: { ...body, surveyId } });
    expect(codeOf(refused)).toBe('401 invalid_token');
    const unknown = await service.call(endpoint, { body: { ...body, surveyId: 'preview' } });
    expect(codeOf(unknown)).toBe('404 survey_not_found');
  }
});
