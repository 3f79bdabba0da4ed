import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshApp, RESOLUTIONS, typeErrors } from './support/fresh-app.ts';
import { OLDEST_NODE } from './support/nodes.ts';

const app = freshApp({
  packages: ['browser', 'react', 'server'],
  others: ['react', 'react-dom', '@types/react', '@types/react-dom', 'scheduler'],
});

const RENDERED = `
  const canvass = createFakeCanvass();
  const Inner = () => createElement('p', {}, String(useCanvass() === canvass));
  const html = renderToString(
    createElement(CanvassTestProvider, { canvass, userId: 'ann' },
      createElement(Inner), createElement(Feedback, { binding: null, className: 'thumbs' })));
  canvass.on('ask', (ask) => ask.answer(9));
  canvass.ask({ slug: 'a' });
  const server = createFakeCanvassClient();
  server.rate({ surveyId: 'sv_helpful', showToken: 't' }, { rating: 11 }).catch((error) =>
    console.log(JSON.stringify([html, canvass.answers, typeof createCanvass, typeof headless.createCanvass,
      error instanceof CanvassError && error.code])));`;

const IN = {
  'app.cjs': `
  const { createElement } = require('react');
  const { renderToString } = require('react-dom/server');
  const { Feedback, useCanvass } = require('@canvass-surveys/react');
  const { CanvassTestProvider, createFakeCanvass } = require('@canvass-surveys/react/testing');
  const { createCanvass } = require('@canvass-surveys/browser');
  const { CanvassError } = require('@canvass-surveys/server');
  const { createFakeCanvassClient } = require('@canvass-surveys/server/testing');
  const headless = require('@canvass-surveys/browser/headless');${RENDERED}`,
  'app.mjs': `
  import { createElement } from 'react';
  import { renderToString } from 'react-dom/server';
  import { Feedback, useCanvass } from '@canvass-surveys/react';
  import { CanvassTestProvider, createFakeCanvass } from '@canvass-surveys/react/testing';
  import { createCanvass } from '@canvass-surveys/browser';
  import { CanvassError } from '@canvass-surveys/server';
  import { createFakeCanvassClient } from '@canvass-surveys/server/testing';
  import * as headless from '@canvass-surveys/browser/headless';${RENDERED}`,
};

describe.each(Object.entries(IN))('%s', (name, source) => {
  it("renders components with a test's fake client", () => {
    writeFileSync(join(app, name), source);
    // Like Jest, which cannot require ES modules.
    const args = process.allowedNodeEnvironmentFlags.has('--no-experimental-require-module')
      ? ['--no-experimental-require-module']
      : [];
    const said = execFileSync(OLDEST_NODE, [...args, join(app, name)], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([
      '<p>true</p><div class="thumbs"></div>',
      [{ slug: 'a', rating: 9 }],
      'function',
      'function',
      'invalid_request',
    ]);
  });
});

it.each(RESOLUTIONS)('passes a type checker that resolves modules as $moduleResolution', (options) => {
  const source = `
    import { createFakeCanvass, type FakeCanvass } from '@canvass-surveys/browser/testing';
    import { CanvassTestProvider } from '@canvass-surveys/react/testing';
    import { createFakeCanvassClient, createFakeService, type FakeCanvassClient } from '@canvass-surveys/server/testing';
    export const server: FakeCanvassClient = createFakeCanvassClient({ surveys: ['b', { slug: 'a', type: 'nps' }] });
    export const handler = ({ request }: { request: Request }) => createFakeService().handle(request);
    const canvass: FakeCanvass = createFakeCanvass({ surveys: [{ slug: 'a', type: 'nps' }] });
    export const App = () => <CanvassTestProvider canvass={canvass} userId={null}>{canvass.answers[0]?.rating}</CanvassTestProvider>;`;
  expect(typeErrors(app, { 'app.tsx': source }, options)).toBe('');
});
