import { resultsPage } from '../../../../pages/results/page.ts';
import { PLAYED_AT, playedResults } from '../support/played-results.ts';
import { type Album, inScheme, SCHEMES, type Scheme, SIZES } from './album.ts';
import { SERVICE } from './scene.ts';

async function openResults(album: Album, viewport: { width: number; height: number }, colorScheme: Scheme) {
  const { raw, headers } = await resultsPage();
  const page = await album.open({ viewport, colorScheme });
  await page.clock.setFixedTime(PLAYED_AT);
  await page.route(`${SERVICE}/**`, (route) => {
    const url = new URL(route.request().url());
    return url.pathname === '/results'
      ? route.fulfill({ body: raw, headers })
      : route.fulfill({ json: playedResults(url) });
  });
  await page.goto(`${SERVICE}/results#key=svc_rk_shown`);
  await page.locator('#contact-list li').waitFor();
  const question = page.getByRole('heading', { name: 'How likely are you' });
  await question.evaluate((heading) => scrollBy(0, heading.getBoundingClientRect().top - 20));
  return page;
}

export async function shootResults(album: Album): Promise<void> {
  for (const scheme of SCHEMES) {
    const name = inScheme('results', scheme);
    if (!album.wants(name)) continue;
    const page = await openResults(album, SIZES.wide, scheme);
    await album.keep(name, page, '.chart');
    await page.context().close();
  }
  for (const scheme of SCHEMES) {
    const name = inScheme('results-phone', scheme);
    if (!album.wants(name)) continue;
    const page = await openResults(album, SIZES.phone, scheme);
    await album.keep(name, page, '.headline');
    await page.context().close();
  }
}
