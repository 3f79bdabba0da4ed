import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { checkAddress } from '../../sdk/server/address-and-key.ts';
import { createMcpServer, type Place } from './server.ts';

const HELP = `Usage: canvass mcp [--comments]

Serves survey results to a model, over the Model Context Protocol on standard input and output. The tools are
list_surveys, get_results and, with --comments, list_comments, which returns no contacts, IDs or traits. All tools
are read-only.

Environment variables:
  CANVASS_URL  address of the service
  CANVASS_KEY  reader key (svc_rk_…); create it with "canvass key create --project ID --kind reader", and with
               --comments if you use --comments

Comments may contain instructions to a model: do not combine --comments with tools that send data anywhere.
`;

type Surroundings = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>;

/** Loopback addresses (RFC 6761 §6.3, RFC 1122 §3.2.1.3) stay on this machine. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function placeIn({ env, stderr }: Surroundings): Place | undefined {
  const { CANVASS_URL: baseUrl, CANVASS_KEY: key = '' } = env;
  const problems: string[] = [];
  let url = '';
  try {
    url = checkAddress(baseUrl);
    if (!isPrivate(url))
      problems.push(`CANVASS_URL must begin with https://, because ${url} would show the key.`);
  } catch (error) {
    problems.push(`CANVASS_URL: ${error instanceof Error ? error.message : ''}`);
  }
  if (!/^[a-z0-9]+_rk_[\w-]+$/.test(key))
    problems.push(
      'CANVASS_KEY must be a reader key (svc_rk_…). Create one with "canvass key create --project ID --kind reader". Other kinds are refused because they could change data.',
    );
  for (const problem of problems) stderr.write(`error: ${problem}\n`);
  return problems.length === 0 ? { url, key } : undefined;
}

export async function serveMcp(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number | undefined> {
  const { stdout, stderr } = surroundings;
  let flags: { readonly comments?: boolean; readonly help?: boolean };
  try {
    const options = { comments: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    flags = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    stderr.write(`error: ${error instanceof Error ? error.message : ''}\n`);
    return 2;
  }
  if (flags.help) {
    stdout.write(HELP);
    return 0;
  }
  const place = placeIn(surroundings);
  if (place === undefined) return 2;
  await createMcpServer(place, flags.comments === true).connect(new StdioServerTransport());
  return undefined;
}
