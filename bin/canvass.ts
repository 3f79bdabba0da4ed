import { VERSION } from '../shared/settings/version.ts';
import { addDocsCommand } from './admin/docs-command.ts';
import { runAdmin } from './admin/program.ts';
import { standardOutput } from './admin/terminal.ts';

/** This is a call, because bundlers drop imports that only have side effects. */
function supportNode20(): void {
  Map.groupBy ??= <Key, Item>(
    items: Iterable<Item>,
    keyOf: (item: Item, index: number) => Key,
  ): Map<Key, Item[]> => {
    const groups = new Map<Key, Item[]>();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index);
      groups.set(key, [...(groups.get(key) ?? []), item]);
      index += 1;
    }
    return groups;
  };

  URL.parse ??= (text: string | URL, base?: string | URL): URL | null =>
    URL.canParse(String(text), base === undefined ? undefined : String(base)) ? new URL(text, base) : null;
}

supportNode20();

const { argv, stdin, stderr } = process;
const args = argv.slice(2);
if (args[0] === 'dev') {
  const { serveFromTerminal } = await import('../local/serve-from-terminal.ts');
  await serveFromTerminal(args.slice(1));
} else if (args[0] === 'mcp') {
  const { serveMcp } = await import('./mcp/run.ts');
  process.exitCode = await serveMcp(args.slice(1), process);
} else {
  const streams = { stdin, stdout: standardOutput(), stderr };
  process.exitCode = await runAdmin(args, streams, {
    version: VERSION,
    addMore: (program) => {
      program
        .command('dev')
        .description('run the service on this machine, with an embedded DynamoDB (see dev --help)');
      program
        .command('mcp')
        .description('serve results to models on standard input and output (see mcp --help)');
      addDocsCommand(program, new URL('docs/', import.meta.url));
    },
  });
}
