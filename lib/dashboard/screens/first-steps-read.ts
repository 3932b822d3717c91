import { link } from '../app/address.ts';
import { connectionsOf, listAlerts, listSites } from '../app/operations.ts';
import { translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/state-words.ts';
import { listEnrollments } from './enrollments.tsx';
import { processorTitle } from './processor-fields.ts';
import { listRules } from './rule-operations.ts';
import { processorsOf, type SiteDto, siteDetails } from './site-operations.ts';

/** `fact`: what is set up; absent: nothing yet. `minutes`: how long it takes about, as tried. */
export type Step = {
  id: 'site' | 'descriptor' | 'endpoint' | 'test' | 'answer' | 'processor' | 'rule';
  label: string;
  href: string;
  why: string;
  minutes: number;
  fact: string | undefined;
};

/** `watched`: each network with the state of its enrollment. */
export type Setup = {
  steps: readonly Step[];
  site: SiteDto | undefined;
  watched: readonly { provider: string; state: string }[];
};

/** The step that comes next, until an alert was answered; undefined from then on. */
export const nextStep = ({ steps }: Pick<Setup, 'steps'>): Step | undefined => {
  const left = steps.filter(({ fact }) => fact === undefined);
  return left.some(({ id }) => id === 'answer') ? left[0] : undefined;
};

const read = async (mid: number, signal: AbortSignal) => {
  const [alertSites, paymentSites, enrolled, alerts, answered, rules, connected] = await Promise.all([
    listSites({ body: { mid, type: ['alert'], size: 1 }, signal }),
    listSites({ body: { mid, type: ['payment'], size: 1 }, signal }),
    listEnrollments({ body: { mid: [mid], offset: 0, size: 20 }, signal }),
    listAlerts({ body: { mid: [mid], size: 1 }, signal }),
    listAlerts({ body: { mid: [mid], status: ['RESOLVED', 'DECLINED'], size: 1 }, signal }),
    listRules({ body: { mid }, signal }),
    connectionsOf({ params: { mid }, body: {}, signal }),
  ]);
  const [sid, paymentSid] = [alertSites.list[0]?.sid, paymentSites.list[0]?.sid];
  const [site, processors, ownRules] = await Promise.all([
    sid === undefined ? undefined : siteDetails({ params: { sid }, signal }),
    paymentSid === undefined ? undefined : processorsOf({ params: { sid: paymentSid }, signal }),
    sid === undefined ? undefined : listRules({ body: { sid }, signal }),
  ]);
  return {
    ...{ site, sid, paymentSid, alerts: alerts.list.length, answered: answered.list.length },
    items: enrolled.list.flatMap(({ enrollment_items }) => enrollment_items),
    processors: [
      ...connected.connections.map(({ kind }) => kind),
      ...(processors?.routes ?? []).map((one) => one.processor),
    ],
    rules: rules.list.length + (ownRules?.list.length ?? 0),
  };
};

/** Returns the address to which a site's alerts are sent; undefined if there is none. */
export const endpointUrl = (site: SiteDto | undefined): string | undefined =>
  (site?.settings && 'alertapiurl' in site.settings && site.settings.alertapiurl) || undefined;

/** Reads how far a merchant is set up. */
export const readSetup = async (mid: number, signal: AbortSignal): Promise<Setup> => {
  const { site, sid, paymentSid, items, processors, rules, alerts, answered } = await read(mid, signal);
  const descriptors = [...new Set(items.map(({ descriptor }) => descriptor).filter(Boolean))];
  const wordsIf = (count: number, words: string) => (count > 0 ? words : undefined);
  const steps: Step[] = [
    {
      ...{ id: 'site', label: translate('Create a site for alerts'), href: link('/settings'), minutes: 3 },
      why: translate('A shop with its own descriptors, secrets and address.'),
      fact: site && [site.name, site.currency].filter(Boolean).join(', '),
    },
    {
      ...{ id: 'descriptor', label: translate('Enroll a descriptor'), href: link('/enrollments'), minutes: 2 },
      why: translate('Networks send alerts for the names that they watch. They need hours to days to confirm one.'),
      fact: wordsIf(descriptors.length, descriptors.join(', ')),
    },
    {
      ...{ id: 'endpoint', label: translate('Name your endpoint'), minutes: 5 },
      href: link(sid === undefined ? '/settings' : `/settings/${sid}`),
      why: translate(
        'Your service hears of each alert at once. Without it, alerts come by e-mail and wait in the queue.',
      ),
      fact: endpointUrl(site),
    },
    {
      ...{
        id: 'test',
        label: translate('Send a test alert'),
        href: link('/deliveries', { do: 'test-alert' }),
        minutes: 2,
      },
      why: translate('It takes the way of a real one: queue, endpoint, e-mail and deadline. No money moves.'),
      fact: wordsIf(alerts, translate('The first alert is here.')),
    },
    {
      ...{ id: 'answer', label: translate('Answer an alert'), href: link('/queue'), minutes: 2 },
      why: translate('You see what an answer costs, and what the network hears.'),
      fact: wordsIf(answered, translate('The first answer is sent.')),
    },
    {
      ...{ id: 'processor', label: translate('Connect a processor'), minutes: 5 },
      href: link(paymentSid === undefined ? '/connections' : `/settings/${paymentSid}/processors`),
      why: translate('Then each alert finds its charge, and you refund with one key.'),
      fact: wordsIf(processors.length, [...new Set(processors)].map(processorTitle).join(', ')),
    },
    {
      ...{ id: 'rule', label: translate('Make a rule'), href: link('/rules'), minutes: 5 },
      why: translate('Small or hopeless disputes are answered at once, at any hour. Put it on trial first.'),
      fact: wordsIf(rules, translateCount(rules, '{count} rule', '{count} rules')),
    },
  ];
  const watched = [...Map.groupBy(items, ({ provider }) => provider)].map(([provider, own]) => ({
    provider: stateWords(provider),
    state: stateWords(own.find(({ status }) => status === 'ENROLLED')?.status ?? own[0]?.status ?? ''),
  }));
  return { steps, site, watched };
};
