import { readPayerBrowser } from '#payments/payments/payer-browser.ts';
import type { Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import { mayMoveOn } from '#payments/processors/routing/routing.ts';
import type { PaymentContext } from '../start/payment-context.ts';
import { moveToRoute } from '../start/start-store.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Known } from '../transaction/transaction-store.ts';
import { askSafely, usableProcessor } from './processor-flow.ts';

/** Asks one route after the other, as long as the failure is definite and another route may succeed. */
export const askRoutes = async (
  begun: Known,
  payment: PaymentContext,
): Promise<{ known: Known; outcome: ProcessorResult }> => {
  let known = begun;
  let outcome: ProcessorResult = { outcome: 'EXC', code: 'no_processor', reference: null };
  for (const [index, route] of payment.routes.entries()) {
    if (index > 0) known = await moveToRoute(known, { processor: route.processor, routeId: route.id });
    const { transaction } = known;
    const processor = await usableProcessor(route, { sid: transaction.sid, ring: payment.ring });
    outcome = processor
      ? await askSafely(() => ask(processor, transaction, payment))
      : { outcome: 'EXC', code: 'processor_credentials', reference: null };
    if (!mayMoveOn(outcome)) break;
  }
  return { known, outcome: withPage(outcome, payment.returnUrl) };
};

/** A shop without a page for the payer's code can use Forewarn's. */
const withPage = (outcome: ProcessorResult, url: string): ProcessorResult =>
  outcome.outcome === 'PEND' && outcome.nextAction?.type === 'otp'
    ? { ...outcome, nextAction: { ...outcome.nextAction, url } }
    : outcome;

const ask = (
  processor: Processor,
  transaction: Transaction,
  { order, site, card, storedCard, charged, authentication, authenticate, returnUrl }: PaymentContext,
): Promise<ProcessorResult> => {
  const { payer, descriptor, action } = order;
  const command = { idempotencyKey: transaction.idempotencyKey, txid: transaction.txid, money: charged };
  const { routeId } = transaction;
  if (action === 'PAYOUT') return processor.payout({ ...command, card, payer, descriptor });
  const { result: threeDs } = authentication;
  if (!card) throw new Error('A payment without a card came as far as the processor');
  const capture = action === 'PAYMENT';
  const shown = { payer, descriptor, shopName: site.name, returnUrl };
  const browser = readPayerBrowser(order.device);
  return processor.pay({ ...command, ...shown, browser, routeId, capture, card, threeDs, authenticate, storedCard });
};
