import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { revision } from '../app/alert-pulse.ts';
import { serviceNow } from '../app/clock.ts';
import { isOperator, ofMerchant, presentMid } from '../app/merchant.ts';
import type { AlertRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { answersSent } from '../app/undo.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { NextIcon } from '../parts/icons.tsx';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { SiteText } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { listChargebacks } from './chargeback-operations.ts';
import { FirstSteps } from './home-checklist.tsx';
import { splitByUrgency, sumRisk, withoutTests } from './home-figures.ts';
import { RiskChart } from './home-risk.tsx';
import { ConnectionsNow, MonthSoFar, ProgrammesNow, RulesLately } from './home-side.tsx';
import { useRates } from './rates-used.tsx';
import { type AlertsRead, readAlerts, readMonth } from './read-alerts.ts';
import { readFailing } from './read-failing.tsx';

const listSize = 200;
const readOpen = (signal: AbortSignal) =>
  readAlerts({ status: ['OPEN', 'WIP', 'OTHER'], alert_type: ['FRAUD', 'DISPUTE', 'CANCEL'], order: 'ASC' }, signal);

const readHome = async (signal: AbortSignal) => {
  const [open, chargebacks, failing] = await Promise.all([
    readOpen(signal),
    listChargebacks({ body: { ...ofMerchant(), status: ['open'], size: listSize, order: 'ASC' }, signal }),
    readFailing(ofMerchant(), signal),
  ]);
  return { ...open, chargebacks, failing };
};
type HomeData = Awaited<ReturnType<typeof readHome>>;

/** The first screen: money at risk, tasks for a person, and the month so far. */
export const Home = () => {
  const mid = presentMid();
  const present = revision.value;
  const [first, setFirst] = useState(present);
  // Reading has begun when the first revision arrives, and is not begun again for it.
  if (first === undefined && present !== undefined) setFirst(present);
  const key = `home ${mid ?? ''} ${present === (first ?? present) ? '' : present} ${answersSent.value}`;
  const { data, error, reload } = useLoad(key, readHome);
  const rates = useRates();
  const [next, setNext] = useState<string>();
  const { data: month } = useLoad(`month ${mid ?? ''}`, readMonth);
  if (!data) {
    return (
      <Screen title={translate('Home')}>{error ? <Trouble error={error} onRetry={reload} /> : <Waiting />}</Screen>
    );
  }
  const now = serviceNow();
  const { late, soon } = splitByUrgency(data.rows, now);
  const waiting = withoutTests(data.rows).length - late.length;
  const risks = sumRisk(data.rows, now);
  return (
    <Screen
      title={translate('Home')}
      above={<Time at={new Date(now).toISOString()} />}
      heading={next ?? sayNext(soon, late)}
      actions={
        next === undefined &&
        waiting > 0 && (
          <a class="button main" href={link('/queue')}>
            {soon.length > 0
              ? translateCount(soon.length, 'Decide it first', 'Decide these {count} first')
              : data.isWhole
                ? translateCount(waiting, 'Decide {count} alert', 'Decide {count} alerts')
                : translate('Decide alerts')}
          </a>
        )
      }
    >
      {mid !== undefined && <FirstSteps mid={mid} onNext={setNext} />}
      <div class="home">
        {(next === undefined || risks.length > 0) && (
          <>
            <RiskChart {...{ risks, now, rates }} isWhole={data.isWhole} />
            <NeedsPerson {...{ data, late, soon }} />
          </>
        )}
        {next === undefined && <Lately {...{ data, month, rates }} currency={risks[0]?.currency} />}
      </div>
    </Screen>
  );
};

type LatelyProps = {
  data: HomeData;
  month: AlertsRead | undefined;
  rates: ReturnType<typeof useRates>;
  currency: string | undefined;
};

/** The month so far, and what is connected; nothing of it is filled before the first alert was answered. */
const Lately = ({ data, month, rates, currency }: LatelyProps) => (
  <>
    {isOperator() && presentMid() === undefined ? (
      <ByMerchant what={translate('Programmes and months')}>{null}</ByMerchant>
    ) : (
      <>
        <ProgrammesNow />
        <MonthSoFar currency={currency} rates={rates} />
      </>
    )}
    <ConnectionsNow failing={data.failing} month={month} />
    <RulesLately month={month} />
  </>
);

/** The title: the work that is due first, and its deadline. */
const sayNext = (soon: readonly AlertRow[], late: readonly AlertRow[]): string => {
  if (soon.length > 0)
    return translateCount(
      soon.length,
      '{count} alert worth {amount} is due within six hours',
      '{count} alerts worth {amount} are due within six hours',
      { amount: sumsText(soon) },
    );
  return late.length > 0
    ? translateCount(late.length, '{count} alert is past its deadline', '{count} alerts are past their deadline')
    : translate('No alert is due within six hours');
};

type Needs = { data: HomeData; late: readonly AlertRow[]; soon: readonly AlertRow[] };

const NeedsPerson = ({ data: { chargebacks, failing }, late, soon }: Needs) => {
  const plus = chargebacks.next_cursor === null ? '' : '+';
  const all = [
    {
      count: soon.length,
      what: translateCount(soon.length, 'Alert due within six hours', 'Alerts due within six hours'),
      why: sumsText(soon),
      href: link('/queue'),
    },
    {
      count: late.length,
      what: translateCount(late.length, 'Alert past its deadline', 'Alerts past their deadline'),
      why: translate('A refund can still avoid the chargeback.'),
      href: link('/queue', { tab: 'late' }),
    },
    {
      count: chargebacks.list.length,
      plus,
      what: translateCount(
        chargebacks.list.length,
        'Chargeback to contest or accept',
        'Chargebacks to contest or accept',
      ),
      why: sumsText(chargebacks.list),
      href: link('/chargebacks', { status: 'open' }),
    },
    {
      count: failing.sites.length,
      what: translateCount(failing.sites.length, 'Failing endpoint', 'Failing endpoints'),
      why: failing.sites.map(({ sid }) => <SiteText key={sid} sid={sid} />),
      href: link('/deliveries'),
    },
  ].filter(({ count }) => count > 0);
  return (
    <section class="fact narrow" aria-labelledby="needs-person">
      <h2 id="needs-person">{translate('Needs a person')}</h2>
      {all.length === 0 && <p class="quiet">{translate('Nothing is due soon, late or failing.')}</p>}
      <ul class="todo">
        {all.map(({ count, plus: more = '', what, why, href }) => (
          <li key={what}>
            <a href={href}>
              <b>
                {countText(count)}
                {more}
              </b>
              <span>
                {what}
                <span class="quiet small">{why}</span>
              </span>
              <NextIcon />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
