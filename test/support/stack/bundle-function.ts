import { build } from 'esbuild';
import { BUNDLING } from '../../../bin/build/function-bundles.ts';

interface Bundle {
  readonly kilobytes: number;
  /** Empty if the bundle is written to a file. */
  readonly text: string;
  /** Paths of the bundled files. */
  readonly inputs: readonly string[];
  /** The kinds of import that lead to a file, by its path. */
  readonly importKinds: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Bundles functions/<name>.ts as deployed, optionally into a file. */
export async function bundleFunction(name: string, outfile?: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    ...BUNDLING,
    entryPoints: [`functions/${name}.ts`],
    metafile: true,
    ...(outfile === undefined ? { write: false, outfile: `${name}.cjs` } : { outfile }),
  });
  const output = Object.entries(metafile.outputs).find(([path]) => !path.endsWith('.map'))?.[1];
  const importKinds = new Map<string, Set<string>>();
  for (const { path, kind } of Object.values(metafile.inputs).flatMap(({ imports }) => imports)) {
    importKinds.set(path, (importKinds.get(path) ?? new Set()).add(kind));
  }
  const inputs = Object.keys(output?.inputs ?? {});
  const text = outputFiles?.find(({ path }) => path.endsWith('.cjs'))?.text ?? '';
  return { kilobytes: (output?.bytes ?? Number.NaN) / 1_024, text, inputs, importKinds };
}
