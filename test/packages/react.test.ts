import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshApp, packed, RESOLUTIONS, typeErrors } from './support/fresh-app.ts';

const app = freshApp({ packages: ['browser', 'react'], others: ['react', '@types/react'] });
// Makes Node treat its files as ES modules.
writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module' }));
const module = readFileSync(join(packed('react').folder, 'dist/index.js'), 'utf8');

it('begins with `use client`', () => {
  expect(module.split('\n')[0]).toBe("'use client';");
});

it('contains only its own code', () => {
  const imported = [...module.matchAll(/^} from "([^"]+)"|^import .* from "([^"]+)"/gm)];
  expect(new Set(imported.map(([, several, one]) => several ?? one))).toEqual(
    new Set(['react', '@canvass-surveys/browser', './provided.js']),
  );
});

describe.each(RESOLUTIONS)('a type checker that resolves modules as $moduleResolution', (options) => {
  const check = (line: string): string =>
    typeErrors(
      app,
      {
        'app.tsx': `
          import { type Binding, CanvassProvider, Feedback, InlineSurvey, useCanvass, useCanvassEvent } from '@canvass-surveys/react';
          export function Inner({ binding }: { binding?: Binding | null }) {
            const canvass = useCanvass();
            useCanvassEvent('answered', ({ survey, rating }) => canvass?.show(survey.slug + rating));
            return <Feedback binding={binding} className="thumbs" aria-label="Feedback" />;
          }
          export const App = () => (
            <CanvassProvider clientKey="svc_pk_1" baseUrl="https://surveys.example" userId={null} traits={{ plan: 'pro' }}
              userToken={async () => 'token'} locale="de" theme="dark" strings={{ send: 'Senden' }} storage={false}>
              <Inner />
              <InlineSurvey slug="after-checkout" id="place" />
              ${line}
            </CanvassProvider>
          );`,
      },
      options,
    );

  it('accepts correct use and refuses incorrect use', () => {
    expect(check('')).toBe('');
    expect(check('<InlineSurvey />')).toContain('TS2741');
    expect(check('<Feedback binding={{ surveyId: "sv_1" }} />')).toContain('TS2741');
    expect(check('<CanvassProvider key="svc_pk_1" baseUrl="" />')).toContain('TS2741');
  });
});
