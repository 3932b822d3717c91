import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import { saveFigures } from '../../figures-store.ts';
import type { MonthFigures } from '../../programme.ts';
import { setFiguresOperation } from './operation.ts';

export const handler = auditedEndpoint(setFiguresOperation, async ({ body, caller }, _, comparison) => {
  const { mid, month, scheme, settled_count: settled, chargeback_count: chargebacks, fraud_count: fraud } = body;
  const place = {
    ...(body.region !== undefined && { region: body.region }),
    ...(body.amount_usd !== undefined && { amountUsd: body.amount_usd }),
    ...(body.fraud_chargeback_count !== undefined && { fraudChargebacks: body.fraud_chargeback_count }),
    ...(body.fraud_chargeback_usd !== undefined && { fraudUsd: body.fraud_chargeback_usd }),
    ...(body.three_ds_percent !== undefined && { threeDsPercent: body.three_ds_percent }),
    ...(body.enumerated_count !== undefined && { enumerated: body.enumerated_count }),
    ...(body.authorisation_count !== undefined && { authorisations: body.authorisation_count }),
  };
  const figures = { settled, chargebacks, fraud, ...place };
  const before = await saveFigures(merchantOfRequest(mid, caller), month, scheme, figures);
  comparison.compare(before ? namedFigures(before) : {}, namedFigures(figures));
  return { status: 'ok' as const };
});

const namedFigures = (figures: MonthFigures) => ({
  ...{ settled_count: figures.settled, chargeback_count: figures.chargebacks, fraud_count: figures.fraud },
  ...{ region: figures.region, amount_usd: figures.amountUsd, fraud_chargeback_count: figures.fraudChargebacks },
  ...{ fraud_chargeback_usd: figures.fraudUsd, three_ds_percent: figures.threeDsPercent },
  ...{ enumerated_count: figures.enumerated, authorisation_count: figures.authorisations },
});
