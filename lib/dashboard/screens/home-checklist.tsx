import { link } from '../app/address.ts';
import { connectionsOf, listAlerts, listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { useLoad } from '../parts/load.ts';
import { listEnrollments } from './enrollments.tsx';
import { listRules } from './rule-operations.ts';
import { processorsOf, siteDetails } from './site-operations.ts';

const answerStep = translate('Answer an alert');

/** Reads how far a merchant is set up, from the API. */
const readSteps = async (mid: number, signal: AbortSignal) => {
  const [alertSites, paymentSites, enrolled, alerts, answered, rules] = await Promise.all([
    listSites({ body: { mid, type: ['alert'], size: 1 }, signal }),
    listSites({ body: { mid, type: ['payment'], size: 1 }, signal }),
    listEnrollments({ body: { mid: [mid], offset: 0, size: 1 }, signal }),
    listAlerts({ body: { mid: [mid], size: 1 }, signal }),
    listAlerts({ body: { mid: [mid], status: ['RESOLVED', 'DECLINED'], size: 1 }, signal }),
    listRules({ body: { mid }, signal }),
  ]);
  const sid = alertSites.list[0]?.sid;
  const paymentSid = paymentSites.list[0]?.sid;
  const [site, connected, processors, ownRules] = await Promise.all([
    sid === undefined ? undefined : siteDetails({ params: { sid }, signal }),
    connectionsOf({ params: { mid }, body: {}, signal }),
    paymentSid === undefined ? undefined : processorsOf({ params: { sid: paymentSid }, signal }),
    sid === undefined ? undefined : listRules({ body: { sid }, signal }),
  ]);
  const settings = sid === undefined ? '/settings' : `/settings/${sid}`;
  return [
    {
      label: translate('Create a site for alerts'),
      href: link('/settings'),
      isDone: sid !== undefined,
    },
    {
      label: translate('Enroll a descriptor'),
      href: link('/enrollments'),
      isDone: enrolled.list.length > 0,
    },
    {
      label: translate('Name your endpoint'),
      href: link(settings),
      isDone: Boolean(site?.settings && 'alertapiurl' in site.settings && site.settings.alertapiurl),
    },
    {
      label: translate('Send a test alert'),
      href: link('/deliveries'),
      isDone: alerts.list.length > 0,
    },
    {
      label: answerStep,
      href: link('/queue'),
      isDone: answered.list.length > 0,
    },
    {
      label: translate('Connect a processor'),
      href: link(paymentSid === undefined ? '/connections' : `/settings/${paymentSid}/processors`),
      isDone: connected.connections.length + (processors?.routes.length ?? 0) > 0,
    },
    {
      label: translate('Make a rule'),
      href: link('/rules'),
      isDone: rules.list.length + (ownRules?.list.length ?? 0) > 0,
    },
  ];
};

/** The steps from an empty account to the first answer. Once an alert was answered, only those that are left are shown, in one line. */
export const FirstSteps = ({ mid }: { mid: number }) => {
  const { data: steps } = useLoad(`steps ${mid}`, (signal) => readSteps(mid, signal));
  const left = steps?.filter(({ isDone }) => !isDone) ?? [];
  if (!steps || left.length === 0) return null;
  if (steps.some(({ label, isDone }) => label === answerStep && isDone))
    return (
      <p class="small">
        {translate('First steps, {done} of {all} done', { done: steps.length - left.length, all: steps.length })}
        {': '}
        {left.map(({ label, href }, at) => (
          <>
            {at > 0 && ', '}
            <a key={label} href={href}>
              {label}
            </a>
          </>
        ))}
      </p>
    );
  const next = left[0];
  return (
    <section class="fact steps" aria-labelledby="first-steps">
      <h2 id="first-steps">
        {translate('First steps, {done} of {all} done', {
          done: steps.length - left.length,
          all: steps.length,
        })}
      </h2>
      <ol>
        {steps.map((step) => (
          <li
            key={step.label}
            class={step.isDone ? 'done' : undefined}
            aria-current={step === next ? 'step' : undefined}
          >
            <a class={step === next ? 'button main' : undefined} href={step.href}>
              {step.label}
            </a>{' '}
            {step.isDone && <span class="quiet small">{translate('Done')}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
};
