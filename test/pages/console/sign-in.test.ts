import { expect, it } from 'vitest';
import { HOUR } from '../../../shared/domain/duration.ts';
import { useChromium } from '../../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { useServedService } from '../../support/service/served-service.ts';
import { createRunningClock } from '../../support/service/test-clock.ts';
import { startOpenidProvider } from '../../support/stand-ins/openid-provider.ts';
import { openConsole } from './support/open-console.ts';

const QUESTION = 'How likely?';
const PEOPLE = {
  ann: { groups: ['research'], email: 'ann@example.com', email_verified: true },
  cy: { groups: ['sales'] },
  ed: { groups: ['editors'] },
  max: { groups: Array.from({ length: 400 }, (_, index) => `a group with a long name ${index}`) },
  olga: { groups: ['research'], hasgroups: true },
  pia: { groups: ['research'], _claim_names: { groups: 'src1' } },
};

const browser = useChromium();
// The provider uses this machine's clock for its tokens.
const { service, gateway } = await useServedService({ clock: createRunningClock() });

async function open(hash = '') {
  const { project } = await service.tenant({}, [aSurvey({}, { question: QUESTION })]);
  const address = `${gateway.url}/console/${project.id}`;
  const provider = await startOpenidProvider(PEOPLE, undefined, address);
  await createAdminCli(service).json(
    ...(['project', 'update', project.id, '--console-issuer', provider.issuer] as const),
    ...['--console-client-id', 'console', '--console-viewers', 'group:research'],
    ...['--console-editors', 'group:editors'],
  );
  const opened = await openConsole(browser, { url: gateway.url, projectId: project.id }, hash);
  const signIn = async (who: keyof typeof PEOPLE): Promise<void> => {
    provider.choose(who);
    await opened.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  return { ...opened, address, provider, signIn };
}

it('shows the surveys, takes the code out of the address, and stores only the ID token', async () => {
  const { page, problems, requests, signIn, address, provider } = await open('#/none');
  await signIn('ann');
  await page.getByText('Page not found').waitFor();
  expect(page.url()).toBe(`${address}#/none`);
  await page.getByRole('link', { name: 'See all surveys' }).click();
  await page.getByText(QUESTION).waitFor();
  await page.getByText('ann@example.com').waitFor();
  const asked = new Set(requests.map((path) => path.replace(/[?#].*/s, '')));
  expect([...asked].filter((path) => !path.startsWith('/'))).toEqual([
    expect.stringMatching(/\/auth$/),
    expect.stringMatching(/\/sign-in\//),
    expect.stringMatching(/\/auth\//),
    `${provider.issuer}/token`,
  ]);
  expect(problems).toEqual([]);
  await page.reload();
  await page.getByText(QUESTION).waitFor();
  const kept = String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'));
  expect(kept).not.toMatch(/code|state|refresh|access_token/);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).toBe('{}');
});

it('shows a viewer the results without comments, and offers a new sign-in when it expires', async () => {
  const { page, signIn } = await open();
  await signIn('ann');
  await page.getByRole('link', { name: QUESTION }).click();
  await page.getByText('No responses yet').waitFor();
  expect(await page.getByText('Your sign-in has expired').count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Comments' }).isVisible()).toBe(false);
  service.clock.advance(13 * HOUR);
  await page.reload();
  await page.getByText('Your sign-in has expired').waitFor();
  service.clock.advance(-13 * HOUR);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByText('No responses yet').waitFor();
});

it('lets an editor edit although replies about the role are lost or throttled', async () => {
  const { page, signIn } = await open();
  let asked = 0;
  await page.route(/\/v1\/surveys\/definitions\?limit=1$/, (route) => {
    asked++;
    if (asked === 1) return route.abort();
    return asked === 2 ? route.fulfill({ status: 429, json: {} }) : route.continue();
  });
  await signIn('ed');
  await page.getByRole('link', { name: 'New survey' }).waitFor();
  expect(asked).toBe(3);
});

it('explains when the sign-in script does not load, and offers to sign in again', async () => {
  const { page, signIn, address } = await open();
  await page.route(/\/auth\?/, async (route) => {
    // The file loaded before the sign-in and is missing after it.
    await page.route(/oauth[^/]*\.m?js/, (lost) => lost.abort());
    await route.continue();
  });
  await signIn('ann');
  await page.getByText('part of the page failed to load').waitFor();
  expect(page.url()).toBe(address);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
});

it('tells people if they have no role, and does not sign in again', async () => {
  const { page, requests, signIn } = await open();
  await signIn('cy');
  await page.getByText('your role does not allow this').waitFor();
  expect(requests.filter((asked) => asked.includes('/auth?'))).toHaveLength(1);
});

it.each(['max', 'olga', 'pia'] as const)(
  'sends no token of a person in too many groups (%s)',
  async (who) => {
    const { page, signIn } = await open();
    const sent: string[] = [];
    page.on('request', (request) => {
      const { authorization } = request.headers();
      if (authorization !== undefined) sent.push(authorization);
    });
    await signIn(who);
    await page.getByText('--console-groups-claim roles').waitFor();
    expect(sent).toEqual([]);
  },
);

it('does not redeem an answer that this tab did not request', async () => {
  const { page, requests, address } = await open('?code=stolen&state=theirs');
  await page.getByText('not started in this tab').waitFor();
  expect(page.url()).toBe(`${address}#/`);
  expect(requests.filter((asked) => asked.includes('/token'))).toEqual([]);
});

it.each(['state', 'nonce'])('does not sign in with another %s than that of the request', async (name) => {
  const { page, signIn } = await open();
  await page.route(/\/auth\?/, (route) => {
    const asked = new URL(route.request().url());
    asked.searchParams.set(name, 'another');
    return route.continue({ url: asked.href });
  });
  await signIn('ann');
  await page.getByText('did not match the request').waitFor();
  expect(await page.getByText(QUESTION).count()).toBe(0);
});
