import { formPage } from '../../../../pages/link/form-page.ts';
import { type Album, SIZES } from './album.ts';
import { SERVICE } from './scene.ts';

const CONTENT = {
  slug: 'recommend',
  type: 'nps',
  question: 'How likely are you to recommend us to a colleague?',
  followUpQuestion: 'What is the main reason for your score?',
  presentation: 'corner',
  trigger: 'manual',
} as const;
const ASKER = { name: 'Fern & Clay', accent: '#2f6b4a' };

export async function shootLink(album: Album): Promise<void> {
  if (!album.wants('link')) return;
  const survey = { id: 'sv_1', status: 'active', limits: {}, content: CONTENT } as const;
  const { raw, headers } = formPage(survey, ASKER, ['en'], '9');
  const page = await album.open({ viewport: SIZES.phone });
  await page.route(SERVICE, (route) => route.fulfill({ body: raw, headers }));
  await page.goto(SERVICE);
  await page.locator('textarea').fill('You answer within the hour.');
  await page.locator('h1, legend').first().click();
  await album.keep('link', page);
  await page.context().close();
}
