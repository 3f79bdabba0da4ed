/** `npm run build:page`: writes the script of the page of results to where functions import it from. */

import { writeFileSync } from 'node:fs';
import { buildPageScript, SCRIPT_FILE } from './results-page/build-script.ts';

const text = await buildPageScript();
writeFileSync(SCRIPT_FILE, text);
console.log(`${SCRIPT_FILE}: ${text.length} characters`);
