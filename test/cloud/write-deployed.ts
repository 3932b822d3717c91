import { writeFileSync } from 'node:fs';
import { distinctOf, lastingOf } from './deployed.ts';
import { synthesize } from './synthesized.ts';

/**
 * Writes down what a deployed stage consists of, for `upgrade.test.ts` to hold later templates against. To be run when a
 * version has been deployed: `node test/cloud/write-deployed.ts`
 */
const { resources } = synthesize({ context: { operationsEmail: 'ops@shop.example' } });
const text = JSON.stringify(
  { lasting: lastingOf(resources), distinct: Object.fromEntries(distinctOf(resources)) },
  undefined,
  2,
);
writeFileSync('test/cloud/deployed.json', `${text}\n`);
