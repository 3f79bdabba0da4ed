/** Every command in docs/operations.md exists and has the documented flags. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/admin-cli.ts';

const OPERATIONS = readFileSync('docs/operations.md', 'utf8');

const helps = new Map<string, Promise<string>>();
function helpOf(path: readonly string[]): Promise<string> {
  const known = helps.get(path.join(' '));
  if (known !== undefined) return known;
  const help = runInProcess([...path, '--help']).then(({ stdout }) => stdout);
  helps.set(path.join(' '), help);
  return help;
}
const commandsIn = (help: string): readonly string[] =>
  [...(help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);

/** Matches `npm run admin -- --stack canvass-prod purge status` as well as `purge status`, without line breaks. */
const PREFIX = /^(?:AWS_REGION=\S+ )?npm run admin -- (?:--stack \S+ )?/;
const PROSE = OPERATIONS.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
const written = [
  ...PROSE.matchAll(/`([^`]+)`/g),
  ...OPERATIONS.matchAll(/^ *((?:AWS_REGION=\S+ )?npm run admin -- .+)$/gm),
].map(([, code = '']) => code.replaceAll(/\s+/g, ' ').replace(/ #.*$/, '').trim());

/** Log lines that begin like a command. */
const LOGGED = ['results were not counted'];

const top = commandsIn(await helpOf([]));
const COMMANDS = [...new Set(written.map((code) => code.replace(PREFIX, '')))].filter((code) => {
  if (LOGGED.includes(code)) return false;
  const [first = '', second = ''] = code.split(' ');
  return top.includes(first) && (/^[a-z-]{2,}$/.test(second) || written.includes(`npm run admin -- ${code}`));
});

describe('a command of docs/operations.md', () => {
  it('is found for the runbook, for a restore and for moving a stage', () => {
    expect(COMMANDS.length).toBeGreaterThan(25);
    const said = COMMANDS.join('\n');
    for (const one of ['purge retry', 'webhook resend', 'erasures replay', 'key list', 'backup check'])
      expect(said).toContain(one);
  });

  it.each(COMMANDS)('exists in the program, with its flags: %s', async (code) => {
    const words = code.split(' ');
    const path: string[] = [];
    for (const word of words) {
      const commands = commandsIn(await helpOf(path));
      if (commands.length === 0) break;
      expect(commands).toContain(word);
      path.push(word);
    }
    const help = await helpOf(path);
    expect(help).toContain(path.join(' '));
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(help).toContain(flag);
  });
});
