import { siteEntity } from '#accounts/merchants/site/site.ts';
import { maskKept } from '#core/kernel/card/card.ts';
import { facetsOf } from '#core/platform/lists/listing.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { BegunRefund } from '#disputes/alerts/automatic/decision-row.ts';
import { type GatewayFor, gatewayOfConnection } from '#disputes/connections/gateway-flow.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { blockPayer } from '#payments/fraud/lists/lists-store.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';

/**
 * Does what else a rule wants once it has refunded an alert of fraud or of a cancelled order: the subscription that charges the card is
 * ended, and the payer is blocked. Both may be repeated without harm, so that a worker that is cut off starts again. Returns in words what
 * was done and what could not be; the refund remains in any case.
 */
export const afterRefund = async (
  alert: Alert,
  begun: Pick<BegunRefund, 'rule' | 'transaction' | 'place'>,
  gatewayFor: GatewayFor = gatewayOfConnection,
): Promise<string[]> => {
  const { action } = begun.rule;
  const { type } = alert.providerAlert;
  if (action.type !== 'refund' || (type !== 'FRAUD' && type !== 'CANCEL')) return [];
  const asked = [
    ...(action.cancel_subscription
      ? [tryStep('subscription not ended', () => endSubscription(alert, begun, gatewayFor))]
      : []),
    ...(action.block ? [tryStep('payer not blocked', () => block(alert, begun))] : []),
  ];
  return Promise.all(asked);
};

const tryStep = async (failure: string, work: () => Promise<string>): Promise<string> => {
  try {
    return await work();
  } catch (error) {
    log('error', 'aftermath_failed', { failure, error: describeError(error) });
    return `${failure}: it could not be tried`;
  }
};

const endSubscription = async (
  { alertId, owner }: Alert,
  { place }: Pick<BegunRefund, 'place'>,
  gatewayFor: GatewayFor,
): Promise<string> => {
  if (!place || !owner) return 'subscription not ended: payments taken here come from none';
  const gateway = await gatewayFor({ mid: owner.mid, connection: place.connection });
  if (!gateway?.cancelSubscription) return 'subscription not ended: its processor cannot be told to';
  const answer = await gateway.cancelSubscription(place.reference, `fw-alert-${alertId}-end`, alertId);
  if (answer.outcome === 'OK') return `subscription ${answer.reference} ended`;
  if (answer.outcome === 'EXC' && answer.code === 'not_found_at_processor') {
    return 'subscription not ended: the charge came from none';
  }
  return `subscription not ended: ${answer.outcome === 'EXC' ? answer.code : 'the processor did not answer'}`;
};

const block = async (alert: Alert, begun: Pick<BegunRefund, 'transaction' | 'place'>): Promise<string> => {
  const { owner } = alert;
  const payer = await findPayer(alert, begun);
  const words = [...(payer.card ? ['card'] : []), ...(payer.email === null ? [] : ['e-mail'])].join(' and ');
  if (!owner || words === '') return 'payer not blocked: neither the number of the card nor an e-mail address is known';
  const sites = await readFirst<{ sid: number }>({
    entity: siteEntity,
    scopeIndex: 2,
    scope: `M${owner.mid}`,
    facets: facetsOf(['payment'], ['-']),
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
const findPayer = async (
  { owner, providerAlert }: Alert,
  { transaction, place }: Pick<BegunRefund, 'transaction' | 'place'>,
) => {
  if (!place) {
    const { card = null, email = null } = (await getTransaction(Number(transaction.payment_gateway_reference2))) ?? {};
    return { card: card && { token: card.token, card: maskKept(card) }, email };
  }
  const match = owner ? await findOrderOfAlert(owner.mid, providerAlert) : undefined;
  return { card: null, email: (match?.found === 'one' ? match.order.content.customer?.email : null) ?? null };
};
