import { siteSettings } from '#test/payments/threeds/samples.ts';
import { NmiAccount } from '#test/support/fake-nmi.ts';
import { StripeAccount } from '#test/support/fake-stripe.ts';
import { adyenCredentials } from './actors/adyen.ts';
import { nmiCredentials, openNmi } from './actors/nmi.ts';
import { listenAtStripe, stripeCredentials } from './actors/stripe.ts';
import { elsewhereAtStripe, elsewhereCredentials } from './actors/stripe-elsewhere.ts';
import { secrets } from './environment.ts';
import { connect, type OperationName } from './functions.ts';
import { type Call, callOnce } from './gateway.ts';
import { settleModules } from './modules.ts';
import type { PreviousRelease } from './previous/kept-handlers.ts';
import type { Item } from './world/expressions.ts';
import { enter } from './world/machine.ts';
import { json } from './world/network.ts';
import { World } from './world/world.ts';

/** The merchant whose alerts and payments all histories are about, and the table as it is when they begin. */
export type Stage = {
  rows: readonly Item[];
  /** The same with the merchants of those scenes whose merchants cost work in every history that has them. */
  moreRows: readonly Item[];
  mid: number;
  /** Takes alerts; has no rules. */
  alertSite: Site;
  /** Takes alerts too, and has rules: what is below 20 USD is refunded. */
  ruledSite: Site;
  /** Takes payments, by the sandbox. */
  shop: Site;
  /** Takes payments at Stripe, for a merchant that has chargebacks managed. */
  store: Site;
  /** Takes alerts about charges at the merchant's own processor, whose rule refunds what is below 100 USD there. */
  linkedSite: Site;
  /** Where that is. */
  connection: string;
  /** Authenticates payers of the shop's, by the sandbox. */
  gate: Site;
  /** In `moreRows`: takes alerts about charges at the merchant's own account of NMI, whose rule refunds what is below 100 USD there. */
  importer: Site & { mid: number; connection: string };
  /** In `moreRows`: takes payments at Adyen, for a merchant that has chargebacks managed. */
  boutique: Site;
  /** In `moreRows`: takes alerts about charges at the merchant's own account of Stripe, whose rule refunds what is below 100 USD there. */
  exporter: Site & { mid: number; connection: string };
};
/** `host`: where its endpoints are. */
export type Site = { sid: number; rcode: string; signingSecret: string; host: string };

const begin = Date.UTC(2026, 3, 20);
/** When the stage is set: whatever was to become of it has. */
export const stageReady = begin + 5 * 24 * 3_600_000;

/** For the merchants of `moreRows`; histories begin later than that. */
const restOfStage = 2 * 24 * 3_600_000;

const descriptors = {
  plain: 'SHOP PLAIN',
  ruled: 'SHOP RULED',
  linked: 'SHOP LINKED',
  importer: 'SHOP IMPORTS',
  exporter: 'SHOP EXPORTS',
  /** No site has it when a history begins. */
  unknown: 'SHOP UNKNOWN',
} as const;
/** Where alerts come in. */
export type Place = keyof typeof descriptors;
export const descriptorOf = (place: Place): string => descriptors[place];
export const rdrPlaces = {
  plain: { acquirerBin: '423223', cardAcceptorId: 'PLAIN' },
  ruled: { acquirerBin: '423223', cardAcceptorId: 'RULED' },
  linked: { acquirerBin: '423223', cardAcceptorId: 'LINKED' },
  importer: { acquirerBin: '423223', cardAcceptorId: 'IMPORTS' },
  exporter: { acquirerBin: '423223', cardAcceptorId: 'EXPORTS' },
  unknown: { acquirerBin: '423223', cardAcceptorId: 'UNKNOWN' },
} as const;

/** Sets the stage by the service's own operations, of this release or the previous one, in a world where nothing goes wrong. */
export const setStage = async (previous?: PreviousRelease): Promise<Stage> => {
  const world = new World({ seed: 0, secrets, start: begin });
  enter(world);
  settleModules(world, previous);
  connect(world, previous && { previous, isPrevious: () => true });
  world.schedules.sweep(begin, stageReady);
  const admin = { scope: 'admin', subject: 'root', freshUntil: '2999-01-01T00:00:00.000Z' };
  const ask = async (name: OperationName, call: Call): Promise<Record<string, unknown>> => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    callOnce(world, name, { caller: admin, ...call }, ({ status, body }) => {
      if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
      resolve(body);
    });
    await world.timeline.runUntil(world.timeline.now + 60_000);
    return promise;
  };
  const { mid } = await ask('merchants/create-merchant', { body: { name: 'Merchant' } });
  const { rid } = await ask('merchants/create-retailer', { params: { mid: Number(mid) }, body: { name: 'Retailer' } });
  const tree = { mid: Number(mid), rid: Number(rid) };
  const site = async (
    name: string,
    kind: 'alert' | 'payment' | 'three-ds',
    settings: Record<string, unknown>,
    owner = tree,
  ): Promise<Site> => {
    const made = await ask('merchants/create-site', { params: owner, body: { name, currency: 'USD' } });
    const params = { ...owner, sid: Number(made['sid']) };
    await ask(`merchants/set-${kind}-settings`, { params, body: settings });
    const [rcode, signingSecret] = [String(made['rcode']), String(made['signing_secret'])];
    return { sid: params.sid, rcode, signingSecret, host: `${name}.example` };
  };
  const alerts = (name: string) => ({
    alertapiurl: `https://${name}.example/alert`,
    statusupdate_url: `https://${name}.example/status`,
    descriptorid: name,
    alert_triggeremail: 1,
    alert_email: `alerts@${name}.example`,
    status_update_opt_in: true,
    status_update_statuses: 'all',
    deadline_warning: true,
    max_refund_amount: 500,
    deadline_hours: { FRAUD: 24, DISPUTE: 72, CANCEL: 72 },
  });
  const alertSite = await site('plain', 'alert', alerts('plain'));
  const ruledSite = await site('ruled', 'alert', alerts('ruled'));
  const shop = await site('shop', 'payment', {});
  const gate = await site('gate', 'three-ds', { settings: siteSettings });
  const { mid: trader } = await ask('merchants/create-merchant', {
    body: { name: 'Trader', cbm: true, order_insights: true, oi_merchant_id: 'trader' },
  });
  const { rid: trade } = await ask('merchants/create-retailer', {
    params: { mid: Number(trader) },
    body: { name: 'Trade' },
  });
  const trading = { mid: Number(trader), rid: Number(trade) };
  const store = await site('store', 'payment', {}, trading);
  await ask('processors/set-site-processors', {
    params: { sid: store.sid },
    body: { routes: [{ processor: 'stripe', credentials: stripeCredentials }] },
  });
  const linkedSite = await site('linked', 'alert', alerts('linked'), trading);
  const { connections } = await ask('connections/set-connections', {
    params: { mid: trading.mid },
    body: { connections: [{ kind: 'sandbox', label: 'Own', sids: [linkedSite.sid] }] },
  });
  const [{ id: connection } = { id: '' }] = connections as { id: string }[];
  const enroll = async (name: Place, { sid }: Site): Promise<void> => {
    const { acquirerBin, cardAcceptorId } = rdrPlaces[name];
    const item = { descriptor: descriptors[name], match_type: 'Exact', mcc: '5732' };
    const enrollment_items = [
      { provider: ['provider_a', 'provider_b'], ...item },
      { provider: ['rdr'], descriptor: item.descriptor, network_bin: acquirerBin, network_caid: cardAcceptorId },
    ];
    await ask('enrollments/create-enrollment', { body: { sid, email_cc_list: 'a@plain.example', enrollment_items } });
  };
  await enroll('plain', alertSite);
  await enroll('ruled', ruledSite);
  await enroll('linked', linkedSite);
  const refundBelow = async ({ sid }: Site, value: number, ...others: readonly object[]): Promise<void> => {
    const small = { fact: 'amount', operator: 'lessThan', value, params: { currency: 'USD' } };
    await ask('rules/create-rule', {
      body: {
        sid,
        name: 'Refund what is small',
        mode: 'live',
        enabled: true,
        conditions: { all: [small, ...others] },
        action: { type: 'refund' },
      },
    });
  };
  // A reader of volumes counts the alert first, in addition to the counter.
  const few = { fact: 'volume_count', operator: 'lessThan', value: 1000, params: { of: 'site', window: '24h' } };
  await refundBelow(ruledSite, 20, few);
  await refundBelow(linkedSite, 100);
  await world.timeline.runUntil(stageReady);
  const rows = [...world.table.items.values()];

  const { mid: own } = await ask('merchants/create-merchant', { body: { name: 'Importer', cbm: true } });
  const { rid: chain } = await ask('merchants/create-retailer', {
    params: { mid: Number(own) },
    body: { name: 'Imports' },
  });
  const importing = { mid: Number(own), rid: Number(chain) };
  const importerSite = await site('importer', 'alert', alerts('importer'), importing);
  const boutique = await site('boutique', 'payment', {}, importing);
  await ask('processors/set-site-processors', {
    params: { sid: boutique.sid },
    body: { routes: [{ processor: 'adyen', credentials: adyenCredentials }] },
  });
  openNmi({ world, account: new NmiAccount(), moods: 0, until: 0 });
  const connected = await ask('connections/set-connections', {
    params: { mid: importing.mid },
    body: { connections: [{ kind: 'nmi', label: 'Own', sids: [importerSite.sid], credentials: nmiCredentials }] },
  });
  const [{ id: account } = { id: '' }] = connected['connections'] as { id: string }[];
  await enroll('importer', importerSite);
  await refundBelow(importerSite, 100);

  const { mid: exportingMid } = await ask('merchants/create-merchant', { body: { name: 'Exporter', cbm: true } });
  const { rid: exports } = await ask('merchants/create-retailer', {
    params: { mid: Number(exportingMid) },
    body: { name: 'Exports' },
  });
  const exporting = { mid: Number(exportingMid), rid: Number(exports) };
  const exporterSite = await site('exporter', 'alert', alerts('exporter'), exporting);
  const exporterAccount = new StripeAccount(elsewhereAtStripe);
  listenAtStripe(world, exporterAccount, ({ url, method, headers, body }) => {
    const request = { method, path: url.pathname, query: url.searchParams, headers, body };
    const { status, body: answer } = exporterAccount.answer(request);
    return json(status, answer);
  });
  const tied = await ask('connections/set-connections', {
    params: { mid: exporting.mid },
    body: {
      connections: [{ kind: 'stripe', label: 'Own', sids: [exporterSite.sid], credentials: elsewhereCredentials }],
    },
  });
  const [{ id: elsewhere } = { id: '' }] = tied['connections'] as { id: string }[];
  await enroll('exporter', exporterSite);
  await refundBelow(exporterSite, 100);
  await world.timeline.runUntil(stageReady + restOfStage);
  enter(undefined);
  const failed = [...world.errors.keys(), ...world.queues.deadLetters().map(([queue]) => `dead letters of ${queue}`)];
  if (failed.length > 0) throw new Error(`The stage could not be set: ${failed.join('; ')}`);
  return {
    rows,
    moreRows: [...world.table.items.values()],
    mid: tree.mid,
    alertSite,
    ruledSite,
    shop,
    store,
    linkedSite,
    connection,
    gate,
    importer: { ...importerSite, mid: importing.mid, connection: account },
    boutique,
    exporter: { ...exporterSite, mid: exporting.mid, connection: elsewhere },
  };
};
