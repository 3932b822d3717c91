import * as v from 'valibot';
import { defineProcessor } from '../declaration.ts';
import { sandboxCurrency } from './sandbox-currencies.ts';

export const sandbox = defineProcessor({
  credentials: v.object({}),
  connectionKeys: v.object({}),
  identity: () => [],
  shown: () => ({}),
  currency: sandboxCurrency,
});
