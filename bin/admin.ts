/** `npm run admin`: what an operator does, under the caller's own AWS identity (docs/contract.md §14). */

import { runAdmin } from './admin/program.ts';

process.exitCode = await runAdmin(process.argv.slice(2), process);
