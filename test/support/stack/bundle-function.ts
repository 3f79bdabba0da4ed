import { build } from 'esbuild';
import { BUNDLING } from '../../../bin/build/function-bundles.ts';

interface Bundle {
  readonly kilobytes: number;
  /** Empty if the bundle is written to a file. */
  readonly text: string;
  readonly inputs: readonly string[];
}

/** Bundles functions as deployed, and finds the kinds of import that lead to a file, by its path. */
export async function bundleFunctions<Name extends string>(names: readonly Name[], outfile?: string) {
  const { metafile, outputFiles } = await build({
    ...BUNDLING,
    entryPoints: names.map((name) => `functions/${name}.ts`),
    metafile: true,
    ...(outfile === undefined ? { write: false, outdir: '.', outExtension: { '.js': '.cjs' } } : { outfile }),
  });
  const importKinds = new Map<string, Set<string>>();
  for (const { path, kind } of Object.values(metafile.inputs).flatMap(({ imports }) => imports))
    importKinds.set(path, (importKinds.get(path) ?? new Set()).add(kind));
  const bundles = names.map((name): readonly [Name, Bundle] => {
    const output = Object.values(metafile.outputs).find(
      ({ entryPoint }) => entryPoint === `functions/${name}.ts`,
    );
    const text = outputFiles?.find(({ path }) => path.endsWith(`/${name}.cjs`))?.text ?? '';
    return [
      name,
      { kilobytes: (output?.bytes ?? Number.NaN) / 1_024, text, inputs: Object.keys(output?.inputs ?? {}) },
    ];
  });
  return { bundles: Object.fromEntries(bundles) as Record<Name, Bundle>, importKinds };
}

export async function bundleFunction<Name extends string>(name: Name, outfile?: string): Promise<Bundle> {
  const { bundles } = await bundleFunctions([name], outfile);
  return bundles[name];
}
