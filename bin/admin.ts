/** `npm run admin`: what an operator does, under the caller's own AWS identity (contract, decisions §10). */

import { runAdmin } from './admin/program.ts';

process.exitCode = await runAdmin(process.argv.slice(2), process);
