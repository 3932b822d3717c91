import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, transact } from '#core/platform/table/table.ts';
import type { Chargeback } from '#disputes/chargebacks/chargeback.ts';
import { chargebackWrite } from '#disputes/chargebacks/chargeback-row.ts';
import { fresh } from '#test/disputes/alerts/seed.ts';
import { now } from '#test/payments/orders/samples.ts';

/** Stores a chargeback. Returns its number and its row. */
export const putChargeback = async (change: Partial<Chargeback>): Promise<{ id: string; item: Item }> => {
  const id = `cb_${fresh()}`;
  const chargeback: Chargeback = {
    ...{ id, mid: 1, processor: 'stripe', sid: null, routeId: null, connection: 'cn_1', reference: `dp_${id}` },
    ...{ paymentReference: 'ch_1', txid: null, alertId: null, reasonCode: '10.4', network: 'visa', amount: '58.00' },
    ...{ currency: 'USD', stage: 'chargeback', status: 'open', isTaken: true, dueBy: null, openedAt: now },
    ...{ closedAt: null, accepted: null, evidence: null, files: [], droppedFiles: [], response: null, history: [] },
    ...{ nextLookAt: null, version: 1 },
    ...change,
  };
  await transact({ chargeback: chargebackWrite(chargeback) });
  return { id, item: (await getItem(keys.chargeback(id))) ?? {} };
};
