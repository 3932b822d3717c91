import { useState } from 'preact/hooks';
import { link, previousHash } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { dateText } from '../parts/dates.ts';
import { Dialog } from '../parts/dialog.tsx';
import { LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { BlockCustomer } from './customer-block.tsx';
import { MoneyChart } from './customer-chart.tsx';
import { type Fact, sumMoney, type Weighed, weigh } from './customer-facts.ts';
import { type CustomerDto, customerDetails, noteCustomer, toSubject } from './customer-operations.ts';
import { CustomerStory } from './customer-story.tsx';

type Params = Readonly<Record<string, string | undefined>>;

const places = [
  { path: '/alerts/', label: translate('The alert') },
  { path: '/queue', label: translate('Queue') },
  { path: '/payments', label: translate('Payments') },
  { path: '/orders', label: translate('Orders') },
  { path: '/chargebacks', label: translate('Chargebacks') },
] as const;

/** The screen from which this one was opened, or else the payments. */
const wayBack = () => {
  const from = previousHash.peek();
  const place = places.find(({ path }) => from.startsWith(`#${path}`));
  return place ? { label: place.label, href: from } : { label: translate('Payments'), href: link('/payments') };
};

/** One buyer: what the records say, the money, everything that happened, and what can be done. */
export const CustomerPage = ({ params: { kind = '', id = '' } }: { params: Params }) => {
  const subject = toSubject(kind, id);
  const [from] = useState(wayBack);
  const { data, error, reload } = useLoad(`customer ${kind} ${id}`, (signal) =>
    customerDetails({ body: subject, signal }),
  );
  const name = data?.name ?? data?.email ?? data?.account_id;
  return (
    <Screen
      title={name ?? translate('Customer')}
      from={from}
      actions={data && <Actions customer={data} subject={subject} onChanged={reload} />}
      {...(data && { lede: <Lede customer={data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known customer={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const Lede = ({ customer: { purchases, email, account_id, more } }: { customer: CustomerDto }) => {
  const first = purchases.at(-1);
  if (email === null && account_id === null) {
    return <>{translate('No e-mail address and no account is known, so only what this is about is shown.')}</>;
  }
  if (!first) return null;
  return (
    <>
      {translateCount(purchases.length, '{count} purchase since {date}', '{count} purchases since {date}', {
        date: dateText(first.at),
      })}
      {more && ` ${translate('or earlier')}`}
    </>
  );
};

type ActionsProps = { customer: CustomerDto; subject: ReturnType<typeof toSubject>; onChanged: () => void };

const Actions = ({ customer, subject, onChanged }: ActionsProps) => {
  const open = customer.alerts.find(
    ({ status, deadline }) => deadline !== null && ['OPEN', 'WIP', 'OTHER'].includes(status),
  );
  return (
    <>
      <NoteCustomer customer={customer} subject={subject} onChanged={onChanged} />
      <BlockCustomer customer={customer} />
      {open && (
        <a class="button main" href={link(`/alerts/${open.alert_id}`)}>
          {translate('Answer the alert')}
        </a>
      )}
    </>
  );
};

const NoteCustomer = ({ customer: { email, account_id }, subject, onChanged }: ActionsProps) => {
  const [attempt, setAttempt] = useState<string>();
  if (!noteCustomer.isAllowed() || (email === null && account_id === null)) return null;
  const send = async ({ note = '' }: Record<string, string>) => {
    await noteCustomer({ body: { ...subject, note }, ...(attempt && { idempotencyKey: attempt }) });
    say(translate('The note is kept.'));
    setAttempt(undefined);
    onChanged();
  };
  return (
    <>
      <Button onPress={() => setAttempt(crypto.randomUUID())}>{translate('Note')}</Button>
      {attempt && (
        <Dialog title={translate('Note about this customer')} onClose={() => setAttempt(undefined)}>
          <Form onSend={send} send={translate('Save the note')}>
            {(problems) => (
              <LongField
                label={translate('Note')}
                name="note"
                required
                maxLength={2000}
                hint={translate('Your colleagues see it for 400 days. It is deleted with the customer’s data.')}
                problem={problems['note']}
              />
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
};

const Known = ({ customer }: { customer: CustomerDto }) => (
  <div class="customer split">
    <div class="stack">
      <Verdict weighed={weigh(customer, serviceNow())} />
      <Money customer={customer} />
      <MoneyChart customer={customer} />
      <CustomerStory customer={customer} />
    </div>
    <Aside customer={customer} />
  </div>
);

const Facts = ({ title, facts }: { title: string; facts: readonly Fact[] }) =>
  facts.length === 0 ? null : (
    <div>
      <h3>{title}</h3>
      <ul class="why">
        {facts.map(({ text, source, href }) => (
          <li key={text}>
            {text} <small>{href ? <a href={href}>{source}</a> : source}</small>
          </li>
        ))}
      </ul>
    </div>
  );

const Verdict = ({ weighed: { title, own, doubt, missing } }: { weighed: Weighed }) => (
  <section class="advice decide">
    <h2>{title}</h2>
    <div class="weigh">
      <Facts title={translate('Says that they are the customer’s own')} facts={own} />
      <Facts title={translate('Leaves a doubt')} facts={doubt} />
      {missing.length > 0 && (
        <div>
          <h3>{translate('Missing, and would settle it')}</h3>
          <ul class="why">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
    <p class="quiet small">{translate('A reading of your own records, not a score. No rule uses it.')}</p>
  </section>
);

const Money = ({ customer }: { customer: CustomerDto }) => {
  const { paid, refunded, taken, claimed } = sumMoney(customer);
  const sums = [
    { label: translate('Paid|sum'), sum: paid, look: '' },
    { label: translate('Refunded'), sum: refunded, look: '' },
    { label: translate('Charged back'), sum: taken, look: 'spent' },
    { label: translate('Claimed now'), sum: claimed, look: 'spent' },
  ];
  return (
    <dl class="sums">
      {sums
        .filter(({ sum }, at) => at === 0 || sum.length > 0)
        .map(({ label, sum, look }) => (
          <div key={label} class={look}>
            <dt>{label}</dt>
            <dd>{sumsText(sum)}</dd>
          </div>
        ))}
    </dl>
  );
};

const countOthers = ({ others, more }: { others: number; more: boolean }): string =>
  others === 0
    ? translate('no other customer')
    : more
      ? translate('{count} other customers or more', { count: others })
      : translateCount(others, '{count} other customer', '{count} other customers');

const Aside = ({ customer: { cards, ips, lookups, email, account_id } }: { customer: CustomerDto }) => (
  <aside class="stack side-facts" aria-label={translate('About the customer')}>
    <section class="fact">
      <h2>{translate('Cards')}</h2>
      {cards.length === 0 && <p class="quiet">{translate('None.')}</p>}
      <ul class="ticks">
        {cards.map((one) => (
          <li key={one.card}>
            <CardNumber card={one.card} />
            <span>
              {translateCount(one.purchases, '{count} purchase', '{count} purchases')}, {countOthers(one)}
            </span>
          </li>
        ))}
      </ul>
    </section>
    {ips.length > 0 && (
      <section class="fact">
        <h2>{translate('Connections')}</h2>
        <ul class="ticks">
          {ips.map((one) => (
            <li key={one.ip}>
              {one.ip}
              <span>
                {translateCount(one.purchases, '{count} purchase', '{count} purchases')}, {countOthers(one)}
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
    <section class="fact">
      <h2>{translate('Bank look-ups')}</h2>
      <p class="quiet">
        {translateCount(
          lookups.length,
          '{count} look-up of the newest ten orders',
          '{count} look-ups of the newest ten orders',
        )}
      </p>
    </section>
    {(email ?? account_id) && (
      <section class="fact">
        <h2>{translate('References')}</h2>
        <ul class="ticks">
          {email && (
            <li>
              {translate('E-mail')}
              <span>
                <Copied text={email} label={translate('Copy the e-mail address')} />
              </span>
            </li>
          )}
          {account_id && (
            <li>
              {translate('Account')}
              <span>
                <Copied text={account_id} label={translate('Copy the account')} />
              </span>
            </li>
          )}
        </ul>
      </section>
    )}
  </aside>
);
