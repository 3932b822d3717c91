import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processors } from '../../functions/processors/registered.ts';
import { useProviders } from '../alerts/seed.ts';
import { useOperations } from '../support/operations.ts';
import { useTable } from '../support/table.ts';
import { useAccounts } from '../transactions/accounts.ts';
import { useSandbox } from '../transactions/support.ts';
import { describeLife } from './life.ts';
import type { StartStandIn } from './stand-in.ts';

useTable();
useOperations();
useProviders();
useSandbox();
const accounts = useAccounts();

const fileOf = (name: string): string => join(import.meta.dirname, 'accounts', `${name.replaceAll('_', '-')}.ts`);

for (const traits of processors) {
  it(`says in ${fileOf(traits.name)} how the stand-in of ${traits.name} is used`, () =>
    expect(existsSync(fileOf(traits.name))).toBe(true));
  if (!existsSync(fileOf(traits.name))) continue;
  const { standIn }: { standIn: StartStandIn } = await import(fileOf(traits.name));
  describeLife(traits, standIn, accounts);
}
