/** `npm run admin`: what an operator does, under the caller's own AWS identity (docs/contract.md §14). */

import { runAdmin } from './admin/program.ts';
import { standardOutput } from './admin/terminal.ts';

const { stdin, stderr } = process;
process.exitCode = await runAdmin(process.argv.slice(2), { stdin, stdout: standardOutput(), stderr });
