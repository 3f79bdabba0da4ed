/** `npm run docs [-- dev]` builds the site in `docs/site/dist`, or serves it. The first run installs VitePress. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { openapiYaml } from '../shared/contract/openapi/openapi.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(ROOT, 'docs/site');
const PAGES = join(SITE, 'pages');

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: SITE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(PAGES, { recursive: true, force: true });
const files = globSync(['*.md', 'LICENSE', '{docs,sdk,lib,examples}/**/*.md', 'docs/images/*'], {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules') || path.startsWith('docs/site/'),
});
for (const file of files) {
  mkdirSync(dirname(join(PAGES, file)), { recursive: true });
  cpSync(join(ROOT, file), join(PAGES, file));
}
cpSync(join(SITE, 'api.md'), join(PAGES, 'api.md'));
writeFileSync(
  join(SITE, '.vitepress/openapi.json'),
  JSON.stringify({ ...parse(openapiYaml()), servers: [{ url: 'http://localhost:8787' }] }),
);
if (!existsSync(join(SITE, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund');
run('npx', 'vitepress', process.argv[2] === 'dev' ? 'dev' : 'build');
