import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { typesOf } from '../../bin/admin/survey/commands.ts';
import { runInProcess } from '../support/admin-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { freshApp, RESOLUTIONS, typeErrors } from './support/fresh-app.ts';

const app = freshApp({
  packages: ['browser', 'react', 'server'],
  others: ['react', '@types/react', '@types/node'],
});

const SURVEYS = typesOf([
  {
    slug: 'helpful',
    type: 'thumbs',
    question: 'Helpful?',
    presentation: 'inline',
    trigger: 'manual',
    reasons: [{ code: 'slow', label: 'Slow' }],
  },
  { slug: 'after-checkout', type: 'nps', question: 'How likely?', presentation: 'corner', trigger: 'auto' },
]);

const check = (line: string): string =>
  typeErrors(app, {
    'surveys.d.ts': SURVEYS,
    'app.tsx': `
      import { createCanvass } from '@canvass-surveys/browser';
      import { InlineSurvey, useCanvass, useFeedback } from '@canvass-surveys/react';
      import { createCanvassClient, type CanvassClient, type MintTokensReply } from '@canvass-surveys/server';
      import type { Surveys } from './surveys';
      const page = createCanvass<Surveys>({ key: 'svc_pk_1', baseUrl: '' });
      const server = createCanvassClient<Surveys>({ baseUrl: 'https://h', secretKey: async () => 'svc_sk_1' });
      const anyServer: CanvassClient = createCanvassClient({ baseUrl: 'https://h', secretKey: 'svc_sk_1' });
      const person = { respondentId: 'ann', sessionId: 's' };
      page.show('helpful');
      export const Place = () => {
        useCanvass<Surveys>()?.show('after-checkout');
        useCanvass()?.show('any slug');
        useFeedback<Surveys>(undefined).rate(0, { reasons: ['slow'] });
        useFeedback(undefined).rate(0, { reasons: ['any reason'] });
        return <InlineSurvey<Surveys> slug="helpful" />;
      };
      export async function agent() {
        const { bindings } = await server.mintTokens({ ...person, surveySlug: 'helpful' });
        page.bind(bindings.helpful);
        const minted: MintTokensReply = await anyServer.mintTokens({ ...person, surveySlug: 'any slug' });
        const { bindings: others, none } = minted;
        page.bind(others['any slug']);
        if (none?.['any slug'] === 'unknown_survey') return;
        ${line}
      }`,
  });

it('accepts the slugs of typed surveys, and any slug if they are not typed', () =>
  expect(check('')).toBe(''));

it.each([
  "page.show('helpfull');",
  "page.preview('other');",
  "await server.mintTokens({ ...person, surveySlug: 'other' });",
  "await server.deferredAskLink({ respondentId: 'ann', surveySlug: 'other' });",
  'bindings.other;',
  "others['any slug'].showToken;",
  "none?.['any slug'] === 'other';",
  "useFeedback<Surveys>(undefined).rate(0, { reasons: ['other'] });",
  '<InlineSurvey<Surveys> slug="other" />;',
])('refuses %s', (line) => expect(check(line)).toMatch(/app\.tsx.* error TS2\d{3}/));

it.each([
  ['react', 'canvass-survey.tsx'],
  ['next', 'canvass-survey.tsx'],
  ['server', 'canvass-survey.ts'],
])('accepts what `canvass init` writes for %s', async (framework, code) => {
  const folder = temporaryFolder();
  const { status } = await runInProcess(['init', folder, '--yes', '--framework', framework]);
  expect(status).toBe(0);
  const files = ['surveys.d.ts', code].map(
    (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
  );
  for (const resolution of RESOLUTIONS)
    expect(
      typeErrors(app, Object.fromEntries(files), { ...resolution, types: ['node'], skipLibCheck: true }),
    ).toBe('');
});
