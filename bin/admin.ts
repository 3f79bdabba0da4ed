/** `npm run admin`: what an operator does, under the caller's own AWS identity (docs/admin.md). */

import { runAdmin } from './admin/program.ts';

process.exitCode = await runAdmin(process.argv.slice(2), process);
