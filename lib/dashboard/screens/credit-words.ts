import type { setCreditOperation as SetCreditOperation } from '#disputes/costs/api/set-credit/operation.ts';
import type { ReplyOf } from '../app/client.ts';
import { translate } from '../language/translate.ts';

export type CreditReason = NonNullable<ReplyOf<typeof SetCreditOperation>['credit_reason']>;

export const creditReasons: Readonly<Record<CreditReason, string>> = {
  refunded_before: translate('Refunded before the alert'),
  charged_back_before: translate('Charged back before the alert'),
  duplicate: translate('Repeats another alert'),
  not_ours: translate('Not about this merchant'),
};
