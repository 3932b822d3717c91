import type { ComponentChildren } from 'preact';
import { address, link } from '../app/address.ts';
import { presentLocale, translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { dateText } from '../parts/dates.ts';
import { amountText } from '../parts/money.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../parts/words.ts';
import { chargebackReason } from './chargeback-words.ts';
import { listSteps, pickSteps, type Shown, type Step, shownSteps } from './customer-facts.ts';
import type { CustomerDto, PurchaseDto } from './customer-operations.ts';
import { reasonWords } from './reason-words.ts';

const shownWords: Readonly<Record<Shown, string>> = {
  all: translate('All'),
  money: translate('Money'),
  disputes: translate('Banks and disputes'),
  notes: translate('Notes'),
};
const shownNames = Object.keys(shownSteps) as Shown[];

/** Everything that happened with a customer, by month, newest first. Steps with money have a line of their own. */
export const CustomerStory = ({ customer }: { customer: CustomerDto }) => {
  const month = new Intl.DateTimeFormat(presentLocale(), { month: 'long', year: 'numeric' });
  const { path, query } = address.value;
  const present = shownNames.find((name) => name === query.get('show')) ?? 'all';
  const steps = listSteps(customer);
  const months = Map.groupBy(pickSteps(steps, present), ({ at }) => month.format(new Date(at)));
  const counts = shownNames.map((name) => ({ name, count: pickSteps(steps, name).length }));
  return (
    <section class="fact">
      <h2>{translate('Everything, newest first')}</h2>
      <Tabs
        label={translate('Which steps')}
        tabs={counts
          .filter(({ name, count }) => count > 0 || name === present)
          .map(({ name, count }) => ({
            href: link(path, { show: name === 'all' ? undefined : name }),
            label: `${shownWords[name]} ${countText(count)}`,
            isPresent: name === present,
          }))}
      />
      {[...months].map(([name, steps]) => (
        <section key={name}>
          <h3 class="when">{name}</h3>
          <ol class="story">
            {steps.map((step, at) => (
              <StepLine key={`${step.kind} ${step.at} ${at}`} step={step} />
            ))}
          </ol>
        </section>
      ))}
      {customer.more && <p class="quiet small">{translate('Older ones are not shown.')}</p>}
    </section>
  );
};

type LineProps = {
  look?: string;
  what: ComponentChildren;
  detail?: ComponentChildren;
  sum?: string;
  at: string;
  children?: ComponentChildren;
};

const Line = ({ look = '', what, detail, sum, at, children }: LineProps) => (
  <li class={look}>
    <span class="mark" aria-hidden="true" />
    <span class="what">
      {what}
      {detail && <small>{detail}</small>}
      {children}
    </span>
    <span class="sum">{sum}</span>
    <Time at={at} />
  </li>
);

const StepLine = ({ step }: { step: Step }) => {
  switch (step.kind) {
    case 'purchase':
      return <PurchaseLine purchase={step.purchase} />;
    case 'refund':
      return (
        <Line
          what={translate('Refunded')}
          detail={step.purchase.reference}
          sum={`−${amountText(step.refund.amount, step.refund.currency)}`}
          at={step.at}
        />
      );
    case 'alert':
      return <AlertLine alert={step.alert} />;
    case 'chargeback':
      return <ChargebackLine chargeback={step.chargeback} />;
    case 'lookup':
      return (
        <Line
          look="tiny"
          what={translate('A bank looked the order up')}
          detail={stateWords(step.lookup.result)}
          at={step.at}
        />
      );
    case 'note':
      return <Line look="said" what={<q>{step.note.text}</q>} detail={step.note.by} at={step.at} />;
  }
};

const purchaseHref = ({ txid, order_id }: PurchaseDto): string =>
  txid !== null ? link(`/payments/${txid}`) : link(`/orders/${order_id}`);

const PurchaseLine = ({ purchase }: { purchase: PurchaseDto }) => (
  <Line
    look={purchase.status === 'OK' ? '' : 'tiny'}
    what={
      <a href={purchaseHref(purchase)}>
        {purchase.status === 'OK'
          ? translate('Paid, {reference}', { reference: purchase.reference || purchase.purchase_id })
          : translate('Not paid, {reference}', { reference: purchase.reference || purchase.purchase_id })}
      </a>
    }
    detail={
      <>
        <SiteName sid={purchase.sid} />
        {purchase.items.length > 0 && `: ${purchase.items.join(', ')}`}
      </>
    }
    sum={amountText(purchase.amount, purchase.currency)}
    at={purchase.at}
  >
    <ul class="beneath">
      {purchase.card && (
        <li>
          <CardNumber card={purchase.card} />
        </li>
      )}
      {purchase.liability_shift !== null && (
        <li>
          {purchase.liability_shift
            ? translate('3-D Secure: confirmed. The issuer bears fraud.')
            : translate('3-D Secure: liability did not shift.')}
        </li>
      )}
      {(purchase.device_id ?? purchase.ip) && <li>{[purchase.device_id, purchase.ip].filter(Boolean).join(', ')}</li>}
      {purchase.delivered_at && (
        <li>
          {purchase.signed_by
            ? translate('Delivered on {date}, signed by {name}', {
                date: dateText(purchase.delivered_at),
                name: purchase.signed_by,
              })
            : translate('Delivered on {date}', { date: dateText(purchase.delivered_at) })}
        </li>
      )}
    </ul>
  </Line>
);

const AlertLine = ({ alert }: { alert: CustomerDto['alerts'][number] }) => (
  <Line
    look={['OPEN', 'WIP', 'OTHER'].includes(alert.status) ? 'open' : ''}
    what={
      <a href={link(`/alerts/${alert.alert_id}`)}>{translate('Alert: {reason}', { reason: reasonWords(alert) })}</a>
    }
    detail={[alert.test && translate('Test'), stateWords(alert.status), alert.issuer_name].filter(Boolean).join(', ')}
    sum={amountText(alert.amount, alert.currency)}
    at={alert.alert_date}
  />
);

const ChargebackLine = ({ chargeback }: { chargeback: CustomerDto['chargebacks'][number] }) => (
  <Line
    look={chargeback.status === 'won' ? 'won' : 'lost'}
    what={
      <a href={link(`/chargebacks/${chargeback.chargeback_id}`)}>
        {translate('Chargeback: {reason}', { reason: chargebackReason(chargeback) })}
      </a>
    }
    detail={stateWords(chargeback.status)}
    sum={amountText(chargeback.amount, chargeback.currency)}
    at={chargeback.opened_at}
  />
);
