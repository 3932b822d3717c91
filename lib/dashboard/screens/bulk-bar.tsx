import { useState } from 'preact/hooks';
import { type AlertRow, refundAlert } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { recommended } from './alert-facts.ts';
import { AnswerDialog, type Preset } from './answer.tsx';
import { ApplyDialog } from './apply-recommended.tsx';
import { BulkRefundDialog } from './bulk-refund.tsx';
import { disputedText } from './plain-refund.ts';

const decline: Preset = { outcome: 'DECLINED' };

/** The actions on the selected alerts, with the same keys as for one alert. */
export const BulkBar = ({ rows, done }: { rows: readonly AlertRow[]; done: () => void }) => {
  const [open, setOpen] = useState<'refund' | 'answer' | 'decline' | 'apply'>();
  const canRefund = refundAlert.isAllowed();
  const verbs = rows.map(({ alert_id }) => recommended.value[alert_id]);
  const certain = verbs.filter((verb) => verb === 'refund' || verb === 'decline').length;
  useShortcuts({
    ...(canRefund && { refundNow: () => setOpen('refund'), refund: () => setOpen('refund') }),
    decline: () => setOpen('decline'),
    answer: () => setOpen('answer'),
  });
  const close = (isDecided: boolean) => {
    setOpen(undefined);
    if (isDecided) done();
  };
  return (
    <>
      <p class="small quiet">
        {translateCount(rows.length, '{count} alert, {amount}', '{count} alerts, {amount}', {
          amount: disputedText(rows),
        })}
      </p>
      <Button look="main" onPress={() => setOpen('apply')}>
        {certain === 0
          ? translate('Apply what is recommended…')
          : translateCount(certain, 'Apply {count} recommendation…', 'Apply {count} recommendations…')}
      </Button>
      {canRefund && (
        <Button onPress={() => setOpen('refund')}>{translate('Refund {count}', { count: rows.length })}</Button>
      )}
      <Button onPress={() => setOpen('decline')}>{translate('Decline {count}', { count: rows.length })}</Button>
      <Button look="bare" onPress={() => setOpen('answer')}>
        {translate('Answer {count}', { count: rows.length })}
      </Button>
      {open === 'apply' && <ApplyDialog rows={rows} onClose={close} />}
      {open === 'refund' && <BulkRefundDialog rows={rows} onClose={close} />}
      {(open === 'answer' || open === 'decline') && (
        <AnswerDialog alerts={rows} {...(open === 'decline' && { preset: decline })} onClose={close} />
      )}
    </>
  );
};
