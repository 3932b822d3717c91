import type { GatewayTransaction } from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';

/** A charge at a merchant's own processor as notifications show it. */
export const toChargeDto = ({
  reference,
  secondReference,
  type,
  date,
}: Pick<ChargeCandidate, 'reference' | 'secondReference' | 'type' | 'date'>): GatewayTransaction => ({
  payment_gateway_reference: reference,
  payment_gateway_reference2: secondReference,
  payment_gateway_tx_type: type,
  payment_gateway_transaction_date: date,
});
