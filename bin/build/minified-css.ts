import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

export const minifiedCss: Plugin = {
  name: 'minified-css',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim().replace(/([:,]) | ([*/]) /g, '$1$2'), loader: 'text' };
    });
  },
};
