import { readFileSync } from 'node:fs';

type Entry = Readonly<{ resolved?: string; integrity?: string; inBundle?: true; link?: true }>;
const { packages }: { packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);
for (const [path, { resolved, integrity, inBundle, link }] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || inBundle || link) continue;
  if (resolved?.startsWith('https://registry.npmjs.org/') && integrity?.startsWith('sha512-')) continue;
  console.error(`package-lock.json: ${path} lacks its tarball's address or its SHA-512.`);
  process.exitCode = 1;
}
