/** `npm run clients`: writes what the TypeScript client has of the route table. */

import { writeFileSync } from 'node:fs';
import { typescriptCalls } from '../shared/contract/clients/typescript-client.ts';

writeFileSync(new URL('../shared/contract/clients/server-calls.ts', import.meta.url), typescriptCalls());
