import { runAdmin } from './admin/program.ts';
import { standardOutput } from './admin/terminal.ts';

const { stdin, stderr } = process;
process.exitCode = await runAdmin(process.argv.slice(2), { stdin, stdout: standardOutput(), stderr });
