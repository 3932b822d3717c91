import { translate } from '../language/translate.ts';
import { Check } from '../parts/field.tsx';
import type { RuleDto } from './rule-operations.ts';

type RefundAction = RuleDto['action'];

/** Returns the options of a rule's refund, as they are sent; a box that is not ticked is left out. */
export const refundOptions = ({
  already,
  cancel_subscription: cancel,
  block,
}: Readonly<Record<string, string | undefined>>) => ({
  ...(already && { already: 'leave' as const }),
  ...(cancel && { cancel_subscription: true as const }),
  ...(block && { block: true as const }),
});

/** The same in words, for the list of versions. */
export const refundWords = ({ already, cancel_subscription: cancel, block }: RefundAction): string[] => [
  ...(already === 'leave' ? [translate('leave what is settled')] : []),
  ...(cancel ? [translate('cancel the subscription')] : []),
  ...(block ? [translate('block the payer')] : []),
];

/** The options of a refund. */
export const RefundOptions = ({ action, onChange }: { action: RefundAction | undefined; onChange: () => void }) => (
  <>
    <Check
      label={translate('Cancel the subscription that the charge came from')}
      name="cancel_subscription"
      defaultChecked={action?.cancel_subscription ?? false}
      onChange={onChange}
      hint={translate('For fraud and cancel alerts, at processors that allow it.')}
    />
    <Check
      label={translate('Block the card and the e-mail address')}
      name="block"
      defaultChecked={action?.block ?? false}
      onChange={onChange}
      hint={translate('For fraud and cancel alerts, at all your payment sites.')}
    />
    <Check
      label={translate('Leave what is already refunded or charged back to people')}
      name="already"
      defaultChecked={action?.already === 'leave'}
      onChange={onChange}
      hint={translate('Otherwise the network is notified that it is.')}
    />
  </>
);
