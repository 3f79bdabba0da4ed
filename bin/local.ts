/** `npm start` (docs/contract.md §13). */

import { serveFromTerminal } from '../local/serve-from-terminal.ts';

await serveFromTerminal(process.argv.slice(2));
