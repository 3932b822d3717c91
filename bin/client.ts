import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { printJson } from '#lib/local/command.ts';
import { buildClient } from '#lib/openapi/client-package.ts';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { type CollectedDocument, postmanCollection } from '#lib/openapi/postman.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';

/** `npm run client`: makes the clients for TypeScript, Python and PHP and a Postman collection from the API document, in `dist/`. `--json` prints what was made as JSON. */
const folder = 'dist/client';
const collection = 'dist/forewarn.postman_collection.json';
await buildClient(process.cwd(), folder);
const packed = execFileSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' }).trim();
const python = 'dist/python';
await buildPythonClient(process.cwd(), python);
const php = 'dist/php';
await buildPhpClient(process.cwd(), php);
const document: CollectedDocument = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
writeFileSync(collection, `${JSON.stringify(postmanCollection(document), null, 2)}\n`);
const made = [`${folder}/${packed}`, python, php, collection];
if (process.argv.includes('--json')) printJson({ made });
else process.stdout.write(`${made.join('\n')}\n`);
