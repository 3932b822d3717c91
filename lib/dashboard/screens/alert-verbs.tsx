import { useId, useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { type AlertDto, answerAlert, type ChargesFound, noteAlert, refundAlert } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { decide } from '../app/undo.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { cardBrand, cardText } from '../parts/card-text.ts';
import { amountText } from '../parts/money.ts';
import { isAnySelected } from '../parts/selection.ts';
import type { Advice } from './advice.ts';
import { type AlertFacts, isAwaited, listPayments } from './alert-facts.ts';
import { NoteAlert } from './alert-note.tsx';
import type { Preset } from './answer.tsx';
import { Later, useDialogsAhead } from './answer-later.tsx';
import { type PlainRefund, plainRefund, refundedText } from './plain-refund.ts';

type VerbsProps = {
  facts: AlertFacts;
  charges: ChargesFound | undefined;
  advice: Advice | undefined;
  /** The charge is known, or the search for it has ended. */
  isReady: boolean;
  evidence: string;
  onChanged: () => void;
  /** Called when an answer is pending. */
  onDecided: (() => void) | undefined;
};

type Open = 'refund' | 'answer' | Preset;

/** Refunds the whole amount after the time to undo has passed. */
const refundLater = ({ alert_id, card }: AlertDto, { amount, currency, body }: PlainRefund): void =>
  decide({
    alerts: [alert_id],
    text: translate('Refunding {amount} to {card}', {
      amount: amountText(amount, currency),
      card: cardText(card) || translate('the cardholder'),
    }),
    detail: translate('Then {network} is notified', { network: sayNetwork(card) }),
    send: async () => refundedText((await refundAlert({ params: { alert_id }, body })).transaction),
  });

const sayNetwork = (card: string): string => cardBrand(card) ?? translate('the network');

/** Marks the alert as in progress; it still awaits its answer. */
const markInProgress = async ({ alert_id, sid }: AlertDto): Promise<void> => {
  const body = { status: 'WIP' as const, reason_code: '999.002', ...(sid !== null && { sid }) };
  try {
    await answerAlert({ params: { alert_id }, body });
    say(translate('In progress. The alert still awaits its answer.'));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'bad');
  }
};

const already: Preset = { outcome: 'ELSEWHERE' };

/** The actions on an alert, for buttons and keys. */
const answersTo = (
  { facts, charges, advice, evidence, onChanged, onDecided }: VerbsProps,
  open: (one: Open) => void,
) => {
  const { alert } = facts;
  const mayRefund = refundAlert.isAllowed();
  const refund = mayRefund ? plainRefund(facts, charges) : undefined;
  const decline: Preset = { outcome: 'DECLINED', codes: advice?.codes ?? [], comments: evidence };
  const refundNow = refund && (() => [refundLater(alert, refund), onDecided?.()]);
  return {
    refund,
    keys: {
      ...(refundNow && { refundNow }),
      ...(mayRefund && listPayments(alert).length > 0 && { refund: () => open('refund') }),
      ...(alert.status === 'OPEN' && { inProgress: () => markInProgress(alert).then(onChanged) }),
      already: () => open(already),
      decline: () => open(decline),
      answer: () => open('answer'),
    },
  };
};

/** The three answers in their fixed order, each with its consequence, and the actions that are no answer. */
export const Verbs = (props: VerbsProps) => {
  const [open, setOpen] = useState<Open>();
  useDialogsAhead();
  const { alert } = props.facts;
  const isPossible = isAwaited(alert) && answerAlert.isAllowed();
  const { refund, keys } = answersTo(props, setOpen);
  useShortcuts(isPossible && !isAnySelected.value ? keys : {});
  if (!isPossible) {
    return alert.sid !== null && noteAlert.isAllowed() ? (
      <div class="verbs">
        <NoteAlert alertId={alert.alert_id} mid={alert.mid ?? undefined} onNoted={props.onChanged} />
      </div>
    ) : null;
  }
  const close = (isDecided: boolean) => {
    setOpen(undefined);
    if (isDecided) props.onDecided?.();
  };
  return (
    <section class="verbs" aria-label={translate('Answer the alert')}>
      <Choices
        {...{ refund, keys }}
        isReady={props.isReady}
        best={props.advice?.verb}
        network={sayNetwork(alert.card)}
      />
      <div class="buttons besides">
        {keys.inProgress && (
          <Button look="bare" onPress={keys.inProgress}>
            {translate('In progress')}
          </Button>
        )}
        {alert.sid !== null && (
          <NoteAlert alertId={alert.alert_id} mid={alert.mid ?? undefined} onNoted={props.onChanged} />
        )}
        {keys.refund && (
          <Button look="bare" onPress={keys.refund}>
            {translate('Refund another amount…')}
          </Button>
        )}
        <Button look="bare" onPress={keys.answer}>
          {translate('Other answer…')}
        </Button>
      </div>
      {open === 'refund' && (
        <Later>{({ AlertRefundDialog }) => <AlertRefundDialog alert={alert} onClose={close} />}</Later>
      )}
      {open !== undefined && open !== 'refund' && (
        <Later>
          {({ AnswerDialog }) => (
            <AnswerDialog alerts={[alert]} {...(open !== 'answer' && { preset: open })} onClose={close} />
          )}
        </Later>
      )}
    </section>
  );
};

type ChoicesProps = ReturnType<typeof answersTo> &
  Pick<VerbsProps, 'isReady'> & { best: Advice['verb'] | undefined; network: string };

const refundWords = ({ where, isPart }: PlainRefund): string =>
  isPart
    ? translate('{where} Only this part of the disputed amount goes back, and the network is told so.', { where })
    : translate('{where} The money goes back, and the alert is resolved.', { where });

const noRefund = (isReady: boolean): string =>
  isReady ? translate('No certain charge was found.') : translate('Searching …');

const Choices = ({ refund, keys, isReady, best, network }: ChoicesProps) => (
  <>
    <Verb
      isBest={best === 'refund'}
      name={
        refund
          ? translate('Refund {amount} and notify {network}', {
              amount: amountText(refund.amount, refund.currency),
              network,
            })
          : translate('Refund')
      }
      words={refund ? refundWords(refund) : noRefund(isReady)}
      hotkey="1"
      onPress={keys.refundNow}
    />
    <Verb
      isBest={best === 'already'}
      name={translate('Already refunded elsewhere…')}
      words={translate('You give the date and reference. No money moves.')}
      hotkey="2"
      onPress={keys.already}
    />
    <Verb
      isBest={best === 'decline'}
      name={translate('Decline with evidence…')}
      words={translate('No money moves. The bank may still charge it back.')}
      hotkey="3"
      onPress={keys.decline}
    />
  </>
);

type VerbProps = {
  name: string;
  /** Its consequence. */
  words: string;
  hotkey: string;
  isBest: boolean;
  /** Undefined if it is not possible. */
  onPress: (() => unknown) | undefined;
};

const Verb = ({ name, words, hotkey, isBest, onPress }: VerbProps) => {
  const id = useId();
  return (
    <div class={`verb ${isBest ? 'main' : ''} ${onPress ? '' : 'none'}`}>
      <button type="button" disabled={!onPress} aria-describedby={id} onClick={() => void onPress?.()}>
        {name}
      </button>
      <kbd>{hotkey}</kbd>
      <small id={id}>{words}</small>
    </div>
  );
};
