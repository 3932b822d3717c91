import { siteEntity } from '#accounts/merchants/site/site.ts';
import { maskKept } from '#core/kernel/card/card.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { pickExtras } from '#disputes/alerts/automatic/actions.ts';
import type { ExtrasOfRule } from '#disputes/alerts/automatic/refund-port.ts';
import { type FindConnected, findConnectedProcessor } from '#disputes/connections/connected-processor-flow.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { blockPayer } from '#payments/fraud/lists/lists-store.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import { endAtShop, holdOrder, whyNot } from './shop-order-flow.ts';

/**
 * Does what else a rule wants: the order is held, the subscription that charges the card is ended, and the payer is blocked; the last two only for
 * alerts of fraud, warnings of it and cancelled orders. All may be repeated without harm, so that a worker that is cut off starts again. Returns
 * in words what was done and what could not be; a refund remains in any case.
 */
export const doExtras = async (
  alert: Alert,
  wanted: ExtrasOfRule,
  findConnected: FindConnected = findConnectedProcessor,
): Promise<string[]> => {
  const { cancel_subscription, block, hold_order } = pickExtras(wanted.rule.action);
  const isFraudOrCancel = ['FRAUD', 'CANCEL', 'FRAUD_NOTICE'].includes(alert.providerAlert.type);
  return Promise.all([
    ...(hold_order ? [tryStep('order not held', () => holdOrder(alert, wanted, findConnected))] : []),
    ...(cancel_subscription && isFraudOrCancel
      ? [tryStep('subscription not ended', () => endSubscription(alert, wanted, findConnected))]
      : []),
    ...(block && isFraudOrCancel ? [tryStep('payer not blocked', () => blockKnownPayer(alert, wanted))] : []),
  ]);
};

const tryStep = async (failure: string, work: () => Promise<string>): Promise<string> => {
  try {
    return await work();
  } catch (error) {
    log('error', 'aftermath_failed', { failure, error: describeError(error) });
    return `${failure}: it could not be tried`;
  }
};

const endSubscription = async (alert: Alert, wanted: ExtrasOfRule, findConnected: FindConnected): Promise<string> => {
  const { place } = wanted;
  const { alertId, owner } = alert;
  const atProcessor = place && owner && (await findConnected({ mid: owner.mid, connection: place.connection }));
  const answer =
    place && (await atProcessor?.cancelSubscription?.(place.reference, `fw-alert-${alertId}-end`, alertId));
  if (answer?.outcome === 'OK') return `subscription ${answer.reference} ended`;
  const atShop = await endAtShop(alert);
  if (atShop && 'done' in atShop) return atShop.done;
  if (answer === undefined && atShop) return `subscription not ended: ${whyNot(atShop)}`;
  if (!place) return 'subscription not ended: payments taken here come from none';
  if (answer === undefined) return 'subscription not ended: its processor cannot be told to';
  if (answer.outcome === 'EXC' && answer.code === 'not_found_at_processor') {
    return 'subscription not ended: the charge came from none';
  }
  return `subscription not ended: ${answer.outcome === 'EXC' ? answer.code : 'the processor did not answer'}`;
};

const blockKnownPayer = async (alert: Alert, wanted: ExtrasOfRule): Promise<string> => {
  const { owner } = alert;
  const payer = await findPayer(alert, wanted);
  const words = [...(payer.card ? ['card'] : []), ...(payer.email === null ? [] : ['e-mail'])].join(' and ');
  if (!owner || words === '') return 'payer not blocked: neither the number of the card nor an e-mail address is known';
  const sites = await readFirst<{ sid: number }>({
    entity: siteEntity,
    scopeIndex: 2,
    scope: `M${owner.mid}`,
    facets: crossFacets(['payment'], ['-']),
    order: 'ASC',
    size: maxSites,
  });
  const blocked = await Promise.all(sites.map(async ({ sid }) => ({ sid, isDone: await blockPayer(sid, payer) })));
  const full = blocked.filter(({ isDone }) => !isDone).map(({ sid }) => sid);
  const done = `${words} blocked at ${blocked.length - full.length} payment sites`;
  return full.length === 0 ? done : `${done}; not at ${full.join(', ')}, whose lists are full`;
};

const maxSites = 200;

/** Returns the known facts about the payer: the card and e-mail of a payment taken here, else those of the merchant's order. */
const findPayer = async ({ owner, providerAlert }: Alert, { transaction, place }: ExtrasOfRule) => {
  if (!place && transaction) {
    const { card = null, email = null } = (await getTransaction(Number(transaction.payment_gateway_reference2))) ?? {};
    return { card: card && { token: card.token, card: maskKept(card) }, email };
  }
  const match = owner ? await findOrderOfAlert(owner.mid, providerAlert) : undefined;
  return { card: null, email: (match?.found === 'one' ? match.order.content.customer?.email : null) ?? null };
};
