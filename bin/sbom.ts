/** npm's `--omit dev` would also omit packages that tools and service share, such as zod. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Component {
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ARGS = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];

const isTool = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const bom: Bom = JSON.parse(
  execFileSync('npm', ARGS, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const tools = new Set(bom.components.filter(isTool).map((component) => component['bom-ref']));
const delivered: Bom = {
  ...bom,
  components: bom.components.filter((component) => !isTool(component)),
  dependencies: bom.dependencies
    .filter(({ ref }) => !tools.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => !tools.has(each)) })),
};
process.stdout.write(`${JSON.stringify(delivered, undefined, 2)}\n`);
