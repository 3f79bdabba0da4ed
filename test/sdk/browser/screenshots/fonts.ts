/**
 * Uses one font family on every machine: Open Sans, which the browser's package contains. Other scripts, serif and
 * monospace use the machine's fonts.
 */

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FAMILIES = ['system-ui', 'sans-serif', 'Sans'];
const alias = (family: string) =>
  `<alias binding="strong"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`;

/**
 * The browser's environment (https://www.freedesktop.org/software/fontconfig/fontconfig-user.html).
 *
 * @param folder for the generated configuration
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
