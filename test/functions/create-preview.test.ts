import { describe, expect, it } from 'vitest';
import { listDefinitions } from '../../functions/list-definitions.ts';
import { HOUR, SECOND } from '../../shared/domain/duration.ts';
import { DRAFT, usePreviews } from '../support/service/previews.ts';

const { current, drafts, make, service, show } = await usePreviews();

describe('a preview', () => {
  it('201 with a token valid for an hour, for which bootstrap returns the draft', async () => {
    const made = await make();
    const expiresAt = new Date(Math.floor((service.clock.now() + HOUR) / SECOND) * SECOND).toISOString();
    expect([made.status, made.body]).toEqual([201, { preview: expect.any(String), expiresAt }]);
    expect((await show(made.body.preview)).body.surveys).toMatchObject([
      { slug: 'orders', pages: DRAFT.pages },
    ]);
  });

  it('is a row that expires after an hour, separate from all surveys', async () => {
    const { editor } = current();
    await make();
    const [row] = await drafts();
    expect(row?.ttl).toBe(Math.floor((service.clock.now() + HOUR) / SECOND));
    const { surveys } = (await service.call(listDefinitions, { secretKey: editor })).body;
    expect(surveys).toHaveLength(1);
    expect(surveys[0].question).not.toBe(DRAFT.question);
  });
});

it.each<[object, object[]]>([
  [{ slug: 'a', type: 'nps' }, [{ path: 'survey.question', message: 'is missing' }]],
  [
    JSON.parse('{"slug":"a","type":"nps","question":"Q?","locales":{"__proto__":{}}}'),
    [{ path: 'survey.locales.__proto__', message: 'is not a field here.' }],
  ],
  [
    { slug: 'a', type: 'nps', question: 'x'.repeat(8_200) },
    [{ path: 'survey', message: 'must be at most 8192 bytes as JSON' }],
  ],
  [
    {
      slug: 'a',
      type: 'nps',
      question: 'Q?',
      thanks: { text: 'T', link: { label: 'L', url: 'http://a.example' } },
    },
    [{ path: 'survey.thanks.link.url', message: 'must start with https://' }],
  ],
])('400 for anything that a survey file may not contain either: %o', async (survey, issues) => {
  const { status, body } = await make(survey);
  expect([status, body.error.issues]).toEqual([400, issues]);
  expect(await drafts()).toEqual([]);
});
