import { sitePages } from '#accounts/documents/site/catalog.ts';
import { isObject } from '#core/kernel/is-object.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { headings } from './headings.ts';
import { fieldsIn } from './json-schema.ts';
import { webhooks } from './webhooks.ts';

/** Describes the service in one file for language models: operations, webhooks, commands and pages. See https://llmstxt.org. */

/** Names the callers of an operation in words; undefined if the operation identifies them in its own way. */
const sayCaller = ({ auth, permission }: Operation): string | undefined => {
  if (auth === 'admin') return 'token of an operator';
  if (auth === 'site') return 'rcode of the site';
  if (auth !== 'bearer' || permission === undefined) return undefined;
  return permission === 'person' ? 'token of a person' : `token, or API key with \`${permission}\``;
};

const operationLine = (operation: Operation): string => {
  const caller = sayCaller(operation);
  return `- \`${operation.method} ${operation.path}\`: ${operation.summary}${caller === undefined ? '' : ` (${caller})`}`;
};

/** The operations for programs, by their headings. Pages and scripts are left out. */
const operationSections = (operations: readonly Operation[]): string[] =>
  headings.flatMap(({ name, title }) => {
    const own = operations.filter(({ tag, area, replyType }) => (tag ?? area) === name && replyType === undefined);
    return own.length === 0 ? [] : [`### ${title}\n\n${own.map(operationLine).join('\n')}`];
  });

const webhookLines = (): string[] =>
  Object.entries(webhooks({})).map(([name, item]) => {
    const { summary } = fieldsIn(item, 'post');
    if (!isObject(item) || typeof summary !== 'string') throw new Error(`The webhook ${name} has no summary`);
    return `- \`${name}\`: ${summary}`;
  });

const commandRow = /^\| (`npm .+?`) \| (.+) \|$/gm;

/** The commands of docs/cli.md, which links to pages next to it. */
const commandLines = (commands: string): string[] =>
  [...commands.matchAll(commandRow)].map(
    ([, command = '', words = '']) =>
      `- ${command}: ${words.replace(/\]\((?:guides\/)?([\w-]+\.md(?:#[\w-]+)?)\)/g, ']($1)')}`,
  );

/** Returns the text of llms.txt. `commands`: docs/cli.md. */
export const llmsText = (operations: readonly Operation[], commands: string): string =>
  `# Forewarn

> An open, self-hosted service that warns merchants about card disputes before they become chargebacks, reports their answers to the card networks,
> checks for fraud, authenticates payers with 3-D Secure, and processes card payments.

Every operation is described in openapi.json, next to the folder of this file. Bodies and replies are JSON. Refusals have \`code\`, \`msg\` and \`details\`.
Agents use the MCP server at \`/mcp\`: see [Let agents work with alerts](agents.md).

## API

Programs authenticate with \`authorization: Bearer\` and an [API key](api-keys.md), or with a token of a person.

${operationSections(operations).join('\n\n')}

## Webhooks

Merchants receive these at their own URL, signed as [Webhooks](webhooks.md) describes.

${webhookLines().join('\n')}

## Commands

Commands with \`--json\` print JSON for programs. \`-- --help\` explains each.

${commandLines(commands).join('\n')}

## Pages

${sitePages.map(({ slug, title }) => `- [${title}](${slug}.md)`).join('\n')}
`;
