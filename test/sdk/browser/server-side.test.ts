import { expect, it, vi } from 'vitest';
import { createCanvass } from '../../../sdk/browser/canvass.ts';
import { createCanvass as createHeadless } from '../../../sdk/browser/headless.ts';

it.each([
  ['with the widget', createCanvass],
  ['headless', createHeadless],
])('does nothing when rendering on a server: %s', async (_, create) => {
  const fetch = vi.spyOn(globalThis, 'fetch');
  const heard = vi.fn();
  const canvass = create({ key: 'svc_pk_1', baseUrl: 'https://surveys.example' });
  const stop = canvass.on('error', heard);
  canvass.identify('ann', { plan: 'pro' });
  canvass.show('recommend');
  canvass.open('feedback');
  canvass.bind({ surveyId: 'sv_1', showToken: 'token', sessionId: 'session' });
  stop();
  canvass.destroy();
  await new Promise(setImmediate);
  expect(fetch).not.toHaveBeenCalled();
  expect(heard).not.toHaveBeenCalled();
});
