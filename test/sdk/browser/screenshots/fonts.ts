/**
 * One family for all that the browser draws, frames and buttons as well, whatever the machine has: the browser's package
 * unpacks Open Sans beside the browser. Scripts that it lacks, and serifs and monospace where a page asks for them, are
 * the machine's.
 */

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FAMILIES = ['system-ui', 'sans-serif', 'Sans'];
const alias = (family: string) =>
  `<alias binding="strong"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`;

/**
 * The environment of a browser that draws so (https://www.freedesktop.org/software/fontconfig/fontconfig-user.html).
 * @param folder where what it reads may be written
 */
export function withOneFamily(folder: string): NodeJS.ProcessEnv {
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(tmpdir(), 'fonts')}</dir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  ${FAMILIES.map(alias).join('\n  ')}
</fontconfig>
`,
  );
  return { ...process.env, FONTCONFIG_FILE: file };
}
