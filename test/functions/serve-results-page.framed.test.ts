/** Clickjacking: another site puts the results page into a frame, with a key in its address. */

import { expect, it } from 'vitest';
import { listSurveys } from '../../functions/list-surveys.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { serveInTest } from '../support/serve.ts';
import { useServedService } from '../support/service/served-service.ts';

const browser = useChromium();
const { service, gateway } = await useServedService();

it('shows nothing in a frame, and sends no request', async () => {
  const { project } = await service.tenant();
  const terms = ['--project', project.id, '--kind', 'reader'];
  const { key } = await createAdminCli(service).json('key', 'create', ...terms);
  const alone = await browser.newPage();
  alone.setDefaultTimeout(PATIENCE_MS);
  await alone.goto(`${gateway.url}/results#key=${key}`);
  await alone.getByLabel('Survey', { exact: true }).waitFor();

  const framed = `<iframe src="${gateway.url}/results#key=${key}"></iframe>`;
  const evil = await serveInTest((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(framed),
  );
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(evil);
  await refused;
  const [, frame] = page.frames();
  expect(await frame?.locator('#survey').count()).toBe(0);
  expect(asked).not.toContain(listSurveys.route.path);
});
