import { readFileSync, writeFileSync } from 'node:fs';
import { listDistinct, listLasting } from './deployed.ts';
import { listAllowedCalls, listCalls, listNeeds } from './deployed-calls.ts';
import { synthesize } from './synthesized.ts';

/**
 * Writes down what a deployed stage consists of, for `upgrade.test.ts` to hold later templates against. To be run when a
 * version has been deployed: `node_modules/.bin/node test/cloud/write-deployed.ts`
 */
const { resources } = synthesize({ context: { operationsEmail: 'ops@shop.example' } });
const text = JSON.stringify(
  {
    lasting: listLasting(resources),
    distinct: Object.fromEntries(listDistinct(resources)),
    calls: listCalls(resources),
    gatewayMayCall: listAllowedCalls(resources),
    needs: listNeeds(),
  },
  undefined,
  2,
);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
writeFileSync(`test/cloud/deployed/${version}.json`, `${text}\n`);
