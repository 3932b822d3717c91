import { translate } from '../language/translate.ts';
import { Check, LongField } from '../parts/field.tsx';
import type { RuleDto } from './rule-operations.ts';

type RefundAction = RuleDto['action'];
type Fields = Readonly<Record<string, string | undefined>>;

/** The further effects of a rule, as they are sent. */
export const extraOptions = ({ cancel_subscription: cancel, block, hold_order: hold }: Fields) => ({
  ...(cancel && { cancel_subscription: true as const }),
  ...(block && { block: true as const }),
  ...(hold && { hold_order: true as const }),
});

/** Returns the options of a rule's refund, as they are sent; a box that is not ticked is left out. */
export const refundOptions = ({ already, ...fields }: Fields) => ({
  ...(already && { already: 'leave' as const }),
  ...extraOptions(fields),
});

/** The same in words, for the list of versions. */
export const refundWords = ({
  already,
  cancel_subscription: cancel,
  block,
  hold_order: hold,
}: RefundAction): string[] => [
  ...(already === 'leave' ? [translate('leave what is settled')] : []),
  ...(cancel ? [translate('cancel the subscription')] : []),
  ...(block ? [translate('block the payer')] : []),
  ...(hold ? [translate('hold the order')] : []),
];

type OptionsProps = { action: Partial<RefundAction> | undefined; onChange: () => void };

export const HoldOption = ({ action, onChange }: OptionsProps) => (
  <Check
    label={translate('Hold the order in its shop, if it is not shipped yet')}
    name="hold_order"
    defaultChecked={action?.hold_order ?? false}
    onChange={onChange}
    hint={translate('At Shopify, WooCommerce and your own service.')}
  />
);

/** The further effects that a rule about fraud and cancelled orders may have. */
export const ExtraOptions = ({ action, onChange }: OptionsProps) => (
  <>
    <HoldOption action={action} onChange={onChange} />
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
  </>
);

/** The options of a refund. */
export const RefundOptions = ({ action, onChange }: OptionsProps) => (
  <>
    <ExtraOptions action={action} onChange={onChange} />
    <Check
      label={translate('Leave what is already refunded or charged back to people')}
      name="already"
      defaultChecked={action?.already === 'leave'}
      onChange={onChange}
      hint={translate('Otherwise the network is notified that it is.')}
    />
  </>
);

type WarningProps = OptionsProps & { type: string; problems: Readonly<Record<string, string>> };

/** The effects of a rule about early fraud warnings on the order, the subscription and the payer, and its advice. */
export const WarningOptions = ({ action, type, onChange, problems }: WarningProps) => {
  if (type === 'review') return null;
  return (
    <>
      <ExtraOptions action={action} onChange={onChange} />
      {type === 'notify' && (
        <LongField
          label={translate('Advice for your people (optional)')}
          name="advice"
          maxLength={2000}
          defaultValue={action?.comments ?? ''}
          problem={problems['action.comments']}
        />
      )}
    </>
  );
};

/** The rules for RDR as an acquirer gets them. */
export const RdrText = ({ text }: { text: string }) => (
  <section class="note" aria-label={translate('For your acquirer')}>
    <p>{translate('Send this text to your acquirer, or to whom you enrolled with: they enter the rules at Visa.')}</p>
    <pre>{text}</pre>
  </section>
);
