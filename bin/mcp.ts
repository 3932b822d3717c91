import { parseArgs } from 'node:util';
import { helpOption, runCommand } from '#lib/local/command.ts';

/** `npm run mcp`: the MCP server of a stack, over stdio, for agents that start their servers as programs. */
const help = `npm run --silent mcp -- [--url <url>]    Serve agents over stdio, with the MCP server of a stack

  --url <url>    Address of the service, such as https://api.example.com (default: the running local stack)

The API key is read from FOREWARN_API_KEY. Without one, the local stack's demo merchant is used. Messages are lines of JSON, so
npm must not print its own: run it with --silent.
`;

const options = { url: { type: 'string' }, ...helpOption } as const;

const main = async (args: string[]): Promise<void> => {
  const { values: flags } = parseArgs({ args, options });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const { serveOverStdio } = await import('#lib/local/developer/mcp-bridge.ts');
  await serveOverStdio({ url: flags.url, apiKey: process.env['FOREWARN_API_KEY'] || undefined });
};

await runCommand(main);
