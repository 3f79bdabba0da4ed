/** The page at `/` of a local run: what this is, which surveys there are, where to go on. */

import type { DemoProject } from './demo-project.ts';
import type { GatewayRoute } from './gateway.ts';

function page({ surveys, publishableKey }: DemoProject): string {
  const rows = surveys
    .map(
      ({ slug, type, id }) =>
        `<tr><td>${slug}</td><td>${type.toUpperCase()}</td><td><code>${id}</code></td></tr>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Canvass, running locally</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  code { font-size: .9em; overflow-wrap: anywhere; }
</style>
<h1>Canvass</h1>
<p>In-product rating surveys. This is a local instance with a demo project; its data stays on this machine.</p>
<h2>Surveys of the demo project</h2>
<table><thead><tr><th>Slug</th><th>Type</th><th>Id</th></tr></thead><tbody>${rows}</tbody></table>
<h2>Go on</h2>
<ul>
  <li><a href="/v1/definitions?key=${publishableKey}">What a browser is told</a> (without a user, so without show-tokens)</li>
  <li><a href="/openapi.yaml">The interface, as OpenAPI</a></li>
</ul>
<p>Publishable key: <code>${publishableKey}</code></p>
</html>
`;
}

export function pageRoute(demo: DemoProject): GatewayRoute {
  const body = page(demo);
  return {
    method: 'GET',
    path: '/',
    functionName: 'local-page',
    handler: async ({ requestContext: { requestId } }) => ({
      statusCode: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'x-request-id': requestId },
      body,
    }),
  };
}
