import * as v from 'valibot';
import { defineProcessor, type ProcessorWords } from '../ports/declaration.ts';

export const sandbox = defineProcessor({
  name: 'sandbox',
  place: 1,
  takesPayments: true,
  sendsWebhooks: false,
  tellsOfLapses: true,
  capturesLater: false,
  paysOut: true,
  namesAccount: false,
  connection: { place: 5, listsDisputes: false, isAtMerchant: false },
  credentials: v.object({}),
  connectionKeys: v.object({}),
  identity: () => [],
  toDto: () => ({}),
});

export const sandboxWords = {
  title: 'the sandbox',
  fields: {},
  credentials: null,
  connectionKeys: null,
  webhook: null,
} as const satisfies ProcessorWords;
