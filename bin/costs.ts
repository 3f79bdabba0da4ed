/** `npm run costs`: writes into docs/operations.md what a stage costs, from its templates and list prices. */

import { readFileSync, writeFileSync } from 'node:fs';
import { withCosts } from './costs/table.ts';
import { synthesise } from './costs/template.ts';

const OPERATIONS = new URL('../docs/operations.md', import.meta.url);

writeFileSync(OPERATIONS, withCosts(readFileSync(OPERATIONS, 'utf8'), synthesise));
