import { endpoint } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { bankHeaders, bankPage, chooserPage } from '../../bank/bank-page.ts';
import { readStatement } from '../../bank/bank-store.ts';
import { sandboxBankOperation } from './operation.ts';

export const handler = endpoint(
  sandboxBankOperation,
  async ({ params: { client } }) => {
    if (client === '') return chooserPage(null);
    const charges = await readStatement(client);
    return charges
      ? bankPage(client, charges, { kind: 'nothing' })
      : chooserPage('No merchant that keeps orders has this name.');
  },
  { errorPage: refusalPage, headers: bankHeaders },
);
