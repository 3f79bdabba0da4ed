/** The Python package as its users have it: its wheel in a fresh environment. Skipped where there is no Python. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { pythonSources } from '../../shared/contract/clients/python-client.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { freshPython, HAS_PYTHON, runPython } from './support/python-venv.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/python/', import.meta.url));

it('has a call for every route that a secret key opens, and for no other', () => {
  const calls = [...pythonSources()['routes.py'].matchAll(/^ {4}def ([a-z]\w*)/gm)].map(([, name]) => name);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const opened = Object.entries<Route>(routes).filter(([, { key }]) => key === 'secret');
  expect(calls).toEqual(opened.map(([name]) => snake(name)));
});

describe.runIf(HAS_PYTHON)('installed', () => {
  const python = freshPython();

  it("passes its own tests: replies, retries, pages, both clients' parity", async () => {
    const tests = join(temporaryFolder(), 'tests');
    cpSync(join(SOURCE, 'tests'), tests, { recursive: true });
    const said = await runPython(python(), ['-m', 'unittest', 'discover', '-s', tests]);
    expect(said).toMatch(/Ran \d+ tests[\s\S]*OK/);
  });

  it('brings its types, its licence and its README, and depends on nothing', async () => {
    const program = `
import json
from importlib.metadata import distribution
made = distribution("canvass-surveys")
files = sorted(str(file) for file in made.files if file.suffix in ("", ".typed"))
print(json.dumps([made.version, made.requires, made.metadata["License"], made.metadata["Requires-Python"], files]))
print(made.metadata.get_payload()[:17] if made.metadata.get_payload() else made.metadata["Description"][:17])`;
    const [facts = '', readme] = (await runPython(python(), ['-c', program])).trim().split('\n');
    const [version, requires, licence, requiresPython, files] = JSON.parse(facts);
    expect([version, requires, licence, requiresPython]).toEqual([project.version, null, 'MIT', '>=3.10']);
    expect(files).toEqual(expect.arrayContaining(['canvass_surveys/py.typed']));
    expect(files.some((file: string) => /dist-info\/(licenses\/)?LICENSE$/.test(file))).toBe(true);
    expect(readme).toBe('# canvass-surveys');
  });
});
