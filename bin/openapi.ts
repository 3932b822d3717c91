import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { operations } from '#functions/operations.ts';
import { printJson } from '#lib/local/command.ts';
import { agentToolsText } from '#lib/openapi/agent-tools.ts';
import {
  errorCodesTable,
  permissionsTable,
  reasonCodesTable,
  toolsTable,
  withTable,
} from '#lib/openapi/guide-tables.ts';
import { llmsText } from '#lib/openapi/llms-text.ts';
import { operationsDocument } from '#lib/openapi/sample.ts';

/** Writes docs/openapi.json, docs/llms.txt and the tools of agents from the operations, and the guides' tables from the code; with `--check`, only says what is not current. `--json` prints the files. */
const reasons = 'docs/guides/reason-codes.md';
const keysPage = 'docs/guides/api-keys.md';
const agents = 'docs/guides/agents.md';
const errors = 'docs/guides/error-codes.md';
const files: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': operationsDocument,
  'docs/tools.json': () => agentToolsText(operations),
  'docs/llms.txt': () => llmsText(operations, readFileSync('docs/cli.md', 'utf8')),
  [agents]: () => withTable(readFileSync(agents, 'utf8'), 'tools', toolsTable(operations)),
  [reasons]: () => withTable(readFileSync(reasons, 'utf8'), 'reason codes', reasonCodesTable()),
  [keysPage]: () => withTable(readFileSync(keysPage, 'utf8'), 'permissions', permissionsTable(operations)),
  [errors]: () => withTable(readFileSync(errors, 'utf8'), 'error codes', errorCodesTable()),
};

const tryWrite = (write: () => string): string => {
  try {
    return write();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
};

const [isCheck, isJson] = ['--check', '--json'].map((flag) => process.argv.includes(flag));
const stale: string[] = [];
for (const [file, write] of Object.entries(files)) {
  const text = tryWrite(write);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(file);
  if (!isCheck) writeFileSync(file, text);
  if (isCheck) process.stderr.write(`${file} is stale: run npm run openapi\n`);
  else if (!isJson) process.stdout.write(`${file} written\n`);
}
if (isCheck && stale.length > 0) process.exitCode = 1;
if (isJson) printJson(isCheck ? { stale } : { written: stale });
