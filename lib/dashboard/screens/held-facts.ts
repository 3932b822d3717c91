import type { PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { amountText, isAbove } from '../parts/money.ts';

/** Returns how much of a payment open alerts hold. */
export const heldFacts = ({
  alerts,
  currency,
}: Pick<PaymentDto, 'alerts' | 'currency'>): readonly (readonly [string, string])[] =>
  alerts
    .filter(({ held }) => isAbove(held, '0'))
    .map(
      ({ alert_id, held }) => [translate('Held for alert {id}', { id: alert_id }), amountText(held, currency)] as const,
    );
