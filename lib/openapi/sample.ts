import { readFileSync } from 'node:fs';
import { sampleOf } from '../../functions/core/operation.ts';
import { operations } from '../../functions/operations.ts';
import { openApiDocument } from './document.ts';

/** The document of all operations as text, with the bodies of the sample events for examples. */
export const operationsDocument = (): string => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const exampleOf = (operation: Parameters<typeof sampleOf>[0]) => {
    const { body } = JSON.parse(readFileSync(sampleOf(operation), 'utf8'));
    return body ? JSON.parse(body) : {};
  };
  return `${JSON.stringify(openApiDocument(operations, exampleOf, version), null, 2)}\n`;
};
