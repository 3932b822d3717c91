import { translate } from '../language/translate.ts';
import { isAbove } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import type { OrderDto } from './order-operations.ts';

/** A step of an order: what happened, and what it moved. */
export type OrderEvent = {
  at: string;
  what: string;
  words?: string | undefined;
  moved?: string;
  look?: 'lost' | 'tiny';
  href?: string;
};

const minus = (amount: string): string => `-${amount}`;

const boughtAndReturned = ({ order, payment }: OrderDto): OrderEvent[] => [
  {
    at: order.order_date,
    what: translate('Ordered'),
    // Nothing has moved of what was only authorised.
    ...((payment === null || isAbove(payment.captured, '0')) && { moved: order.amount }),
  },
  ...[...order.refunds_made, ...(order.refunds ?? [])].map(({ at, amount }) => ({
    ...{ at, what: stateWords('REFUND'), moved: minus(amount) },
  })),
];

const deliveries = ({ order }: OrderDto): OrderEvent[] =>
  (order.deliveries ?? []).flatMap(
    ({ shipped_at, delivered_at, downloaded_at, provider, tracking_number, signed_by }) => {
      const parcel = [provider, tracking_number].filter(Boolean).join(' ') || undefined;
      const events = [
        [shipped_at, 'shipped', parcel],
        [delivered_at, 'delivered', signed_by ?? parcel],
        [downloaded_at, 'downloaded', undefined],
      ] as const;
      return events.flatMap(([at, state, words]) =>
        at === undefined ? [] : [{ at, what: stateWords(state), words, look: 'tiny' as const }],
      );
    },
  );

const disputes = ({ alerts, chargebacks, lookups }: OrderDto): OrderEvent[] => [
  ...alerts.map(({ at, alert_id: id, alert_type, status }) => ({
    ...{ at, what: stateWords(alert_type), words: status === null ? undefined : stateWords(status) },
    href: `#/alerts/${id}`,
  })),
  ...chargebacks.map(({ at, chargeback_id: id, type }) => ({
    ...{ at, what: stateWords(type), look: 'lost' as const, href: `#/chargebacks/${id}` },
    words: type === 'CHARGEBACK' ? translate('The bank took the disputed amount back.') : undefined,
  })),
  ...lookups.map(({ at, provider, result }) => ({
    ...{ at, what: translate('A bank asked about it'), look: 'tiny' as const },
    words: `${stateWords(provider)}: ${stateWords(result)}`,
  })),
];

/** All that happened to an order, the oldest first. Pure. */
export const tellOrder = (shown: OrderDto): OrderEvent[] =>
  [...boughtAndReturned(shown), ...deliveries(shown), ...disputes(shown)].sort((left, right) =>
    left.at < right.at ? -1 : left.at > right.at ? 1 : 0,
  );
