import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processors } from '#payments/processors/registered/registered.ts';
import { useAccounts } from '#test/payments/transactions/accounts.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { useOperations } from '#test/support/operations.ts';
import { describeLife } from './life.ts';
import type { StartStandIn } from './stand-in.ts';

useOperations();
useSandbox();
const accounts = useAccounts();

const accountFile = (name: string): string => join(import.meta.dirname, 'accounts', `${name.replaceAll('_', '-')}.ts`);

for (const traits of processors) {
  it(`says in ${accountFile(traits.name)} how the stand-in of ${traits.name} is used`, () =>
    expect(existsSync(accountFile(traits.name))).toBe(true));
  if (!existsSync(accountFile(traits.name))) continue;
  const { standIn }: { standIn: StartStandIn } = await import(accountFile(traits.name));
  describeLife(traits, standIn, accounts);
}
