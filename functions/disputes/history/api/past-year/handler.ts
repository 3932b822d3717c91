import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { draftFieldsOf } from '#disputes/rules/decide/rule-fields.ts';
import { importSpan } from '../../import/history-import.ts';
import { assumptionsInWords, yearEstimate } from '../../past/past-year.ts';
import { judgePast } from '../../past/past-year-store.ts';
import { pastYearOperation } from './operation.ts';

export const handler = endpoint(pastYearOperation, async ({ body, caller }) => {
  const { sid, caught_percent: caughtPercent, chargeback_cost: chargebackCost } = body;
  const now = nowIso();
  const span = importSpan(body, now);
  const rules = draftFieldsOf('rules', body.rules);
  const { judged, alertPrice } = await judgePast({ sid, ...span, rules }, caller, now);
  const assumptions = { caughtPercent, chargebackCost, alertPrice: body.alert_price ?? alertPrice };
  return { ...span, assumptions: assumptionsInWords(assumptions), ...yearEstimate(judged, assumptions) };
});
