/** The documentation site: the repository's own Markdown files, and the API reference from the OpenAPI document. */

import { defineConfig } from 'vitepress';

const page = (text: string, path: string) => ({ text, link: `/${path.replace(/README$/, '')}` });

/** Pictures of one paragraph stand in pairs, as on GitHub. */
const PAIRS = `.vp-doc p:has(> :is(img, picture) + :is(img, picture)) {
  display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; justify-content: center;
}
@media (min-width: 640px) { .vp-doc p > :is(img, picture):not(:only-child) { max-width: calc(50% - 6px); } }`;

export default defineConfig({
  title: 'Canvass',
  description: 'In-product surveys and agent ratings in your own AWS account',
  head: [['style', {}, PAIRS]],
  srcDir: './pages',
  outDir: './dist',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md', ':path(.*)/README.md': ':path/index.md' },
  // Links to source files lead out of the site.
  ignoreDeadLinks: [(link) => !/\.md($|#)/.test(link) && !link.startsWith('/')],
  markdown: {
    config(md) {
      // Source files and folders are named, not linked: they are in the repository.
      const isPage = (href: string) => /^(https?:|mailto:|#)/.test(href) || /\.md($|#)/.test(href);
      md.core.ruler.push('source-links', ({ tokens }) => {
        for (const { children } of tokens) {
          let isSource = false;
          for (const token of children ?? []) {
            if (token.type === 'link_open') isSource = !isPage(token.attrGet('href') ?? '');
            if (!isSource || !token.type.startsWith('link_')) continue;
            token.tag = 'span';
            token.attrs = null;
            if (token.type === 'link_close') isSource = false;
          }
        }
      });
    },
  },
  vite: { esbuild: { tsconfigRaw: '{}' }, build: { chunkSizeWarningLimit: 5_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Tour', 'docs/tour'),
      page('Contract', 'docs/contract'),
      page('API reference', 'api'),
      page('Changelog', 'CHANGELOG'),
    ],
    sidebar: [
      {
        text: 'Start here',
        items: [
          page('Overview', 'README'),
          page('Tour', 'docs/tour'),
          page('Comparison', 'docs/comparison'),
          page('Migrating', 'docs/migrating'),
        ],
      },
      {
        text: 'Product managers',
        items: [
          page('The console', 'docs/product-managers'),
          page('How often people are asked', 'docs/ask-policy'),
          page('The survey file', 'docs/admin'),
        ],
      },
      {
        text: 'Front-end developers',
        items: [
          page('Browser SDK', 'docs/browser-sdk'),
          page('Browser package', 'sdk/browser/README'),
          page('React package', 'sdk/react/README'),
        ],
      },
      {
        text: 'Agent and backend developers',
        items: [
          page('Agents', 'docs/agents'),
          page('JavaScript servers', 'sdk/server/README'),
          page('Python', 'sdk/python/README'),
          page('Scores', 'docs/scores'),
          page('Events, Slack and digest', 'docs/events'),
          page('API reference', 'api'),
          page('Contract', 'docs/contract'),
        ],
      },
      {
        text: 'Operators',
        items: [
          page('A pilot', 'docs/pilot'),
          page('Operations', 'docs/operations'),
          page('Command line', 'docs/admin'),
          page('Command line package', 'sdk/cli/README'),
          page('CDK construct', 'lib/README'),
          page('Permissions', 'docs/iam'),
          page('Sign-in to the console', 'docs/console'),
          page('Performance', 'docs/performance'),
        ],
      },
      {
        text: 'Privacy, security, accessibility',
        items: [
          page('Privacy', 'docs/privacy'),
          page('Identity', 'docs/identity'),
          page('Security', 'SECURITY'),
          page('Accessibility', 'docs/accessibility'),
        ],
      },
      {
        text: 'Contributors',
        items: [
          page('Contributing', 'CONTRIBUTING'),
          page('Data model', 'docs/data-model'),
          page('Releasing', 'docs/releasing'),
          {
            text: 'Decisions',
            collapsed: true,
            items: [
              page('Data and structure', 'docs/decisions/0001-data-and-structure'),
              page('Browser', 'docs/decisions/0010-browser'),
              page('Scores', 'docs/decisions/0020-scores'),
              page('Operation', 'docs/decisions/0030-operation'),
              page('Speed', 'docs/decisions/0040-speed'),
              page('Privacy', 'docs/decisions/0050-privacy'),
              page('Composition and tokens', 'docs/decisions/0060-composition-and-tokens'),
              page('What callers send', 'docs/decisions/0070-what-callers-send'),
              page('Results', 'docs/decisions/0080-results'),
              page('Who is asked', 'docs/decisions/0090-who-is-asked'),
              page('Events', 'docs/decisions/0100-events'),
              page('Links and revisions', 'docs/decisions/0110-links-and-revisions'),
              page('Packages', 'docs/decisions/0120-packages'),
              page('Clients and examples', 'docs/decisions/0130-clients-and-examples'),
              page('The console', 'docs/decisions/0140-console'),
            ],
          },
        ],
      },
    ],
  },
});
