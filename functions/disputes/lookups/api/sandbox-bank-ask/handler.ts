import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { caseAbout, questionAbout } from '../../bank/bank.ts';
import { callAsProviderB } from '../../bank/bank-client.ts';
import { bankHeaders, bankPage } from '../../bank/bank-page.ts';
import { readStatement } from '../../bank/bank-store.ts';
import { sandboxBankAskOperation } from './operation.ts';

export const handler = endpoint(
  sandboxBankAskOperation,
  async ({ body: { client, order: orderId, view, action }, baseUrl }) => {
    const charges = (await readStatement(client)) ?? [];
    const charge = charges.find((one) => one.orderId === orderId);
    if (!charge) throw new Refusal('order_not_found', 'order: is not a charge on this statement.');
    if (action === 'dispute') {
      const answer = await callAsProviderB(baseUrl, '/alerts', caseAbout(charge, nowIso()));
      return bankPage(client, charges, { kind: 'dispute', orderId, answer });
    }
    const answer = await callAsProviderB(baseUrl, '/orders', questionAbout(charge, client, view, newTimedId()));
    return bankPage(client, charges, { kind: 'receipt', orderId, view, answer });
  },
  { errorPage: refusalPage, headers: bankHeaders },
);
