import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { ErrorCode } from '#core/platform/operation/errors.ts';
import { samplePath } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import type { BadCalls, Wrong } from '#test/support/bad-calls.ts';
import type { OtherTenant } from '#test/support/other-tenant.ts';
import { badMoney } from './bad-money.ts';
import { badOrders } from './bad-orders.ts';

/** The subjects of the calls: everything exists before the first of them. */
export type Fixture = {
  /** The demo site, its merchant and its retailer. */
  site: { mid: number; rid: number; sid: number };
  otherTenant: OtherTenant;
  /** Sites of the demo merchant of other types, and one more for alerts. */
  paymentSid: number;
  threeDsSid: number;
  otherSid: number;
  /** Alerts of the demo site: open, resolved, informational; and one in the inbox. */
  openId: number;
  closedId: number;
  informId: number;
  unmatchedId: number;
  /** The other tenant's request for what the demo site has enrolled. */
  overlappingId: number;
  /** Messages of provider_a and provider_b in the quarantine. */
  quarantinedId: string;
  deliveryId: string;
  /** The outcome of the resolved alert that provider_a has accepted. */
  outcomeId: string;
  /** Two orders of the demo site. */
  orderId: number;
  otherOrderReference: string;
  enrollmentId: number;
  /** The one rule of the demo site. */
  ruleId: number;
  /** The demo merchant's connection to the sandbox. */
  connectionId: string;
  /** A chargeback of the demo merchant. */
  /** One that is over, and one that is not. */
  chargebackId: string;
  openChargebackId: string;
  /** A text that was uploaded as a file for that one. */
  uploadedTextId: string;
  /** A back-test of its site's rules. */
  backTestId: string;
  /** A paused import of the demo merchant's connection. */
  importId: string;
  now: string;
};

type Fields = Record<string, unknown>;
const nobody = 999_999;
const longId = 'n'.repeat(65);

/**
 * Bad messages of every provider, from its sample: each field that cannot be left out is, and the signature is wrong. One that
 * takes cases back also needs a call of its own, about a case that never came.
 */
const badMessages = (now: string, signature: Record<string, string>): Record<string, BadCalls> =>
  Object.fromEntries(
    operations
      .filter(({ area, auth }) => area === 'alerts' && auth === 'provider')
      .map((operation) => {
        const { body: text }: { body: string } = JSON.parse(readFileSync(samplePath(operation), 'utf8'));
        const body: Fields = JSON.parse(text.replaceAll('{{now}}', now).replaceAll('{{unique}}', 'BAD1'));
        const isNeeded = (name: string) =>
          !v.safeParse(operation.body as v.GenericSchema, { ...body, [name]: undefined }).success;
        const wrong = Object.keys(body)
          .filter(isNeeded)
          .map((names) => ({ body: { [names]: undefined }, names }));
        return [`alerts/${operation.name}`, { body, wrong, refused: { signature_invalid: { headers: signature } } }];
      }),
  );

const alerts = (w: Fixture): Record<string, BadCalls> => {
  const { now } = w;
  const providerA = {
    ...{ alertId: 'BAD1', type: 'CONFIRMED_FRAUD', cardBin: '411111', cardLast4: '1111', transactionTimestamp: now },
    ...{ merchantDescriptor: 'DEMO SHOP', amount: { value: '1.00', currencyCode: 'USD' } },
  };
  const providerB = {
    ...{ caseId: 'BAD1', caseType: 'DISPUTE', status: 'NEW', accountNumber: '423234xxxxxx3773', transactionDate: now },
    ...{ transactionAmount: '39.99', transactionCurrency: 'USD', descriptor: 'DEMO SHOP' },
  };
  const rdr = {
    ...{ decisionId: 'BAD1', event: 'DECISION', decision: 'ACCEPTED', cardBin: '423223', cardLast4: '2476' },
    ...{ transactionDate: now, transactionAmount: '12.00', transactionCurrency: 'USD' },
  };
  const signature = { 'x-signature': 't=1,v1=00' };
  const testAlert = { alert_type: 'DISPUTE', currency: 'USD', amount: '12.50', descriptor: 'DEMO SHOP' };
  const noteKey = { 'idempotency-key': 'bad-note' };
  return {
    ...badMessages(now, signature),
    'alerts/receive-provider-a': {
      body: providerA,
      wrong: [
        { body: { type: 'LOVE_LETTER' }, names: 'type' },
        { body: { amount: { value: '1e3', currencyCode: 'USD' } }, names: 'amount.value' },
        { body: { amount: [] }, names: 'amount' },
      ],
      refused: { signature_invalid: { headers: signature } },
    },
    'alerts/receive-provider-b': {
      body: providerB,
      wrong: [
        { body: { descriptor: '' }, names: 'descriptor' },
        { body: { status: 'OLD' }, names: 'status' },
      ],
      refused: {
        signature_invalid: { headers: signature },
      },
    },
    'alerts/receive-rdr': {
      body: rdr,
      wrong: [
        { body: { decision: 'PERHAPS' }, names: 'decision' },
        { body: { transactionAmount: '12.001' }, names: 'transactionAmount' },
      ],
      refused: {
        signature_invalid: { headers: signature },
      },
    },
    'alerts/list-quarantine': {
      as: 'admin',
      wrong: [{ body: { state: 'LOST' }, names: 'state' }],
    },
    'alerts/quarantine-details': {
      as: 'admin',
      params: { id: w.quarantinedId },
      wrong: [{ params: { id: 'x' }, names: 'id' }],
      refused: { quarantine_entry_not_found: { params: { id: '0'.repeat(32) } } },
    },
    'alerts/resubmit-quarantined': {
      as: 'admin',
      params: { id: w.quarantinedId },
      body: { dismiss: 'A message to look at' },
      wrong: [
        { params: { id: 'x' }, names: 'id' },
        { body: { dismiss: '' }, names: 'dismiss' },
        { body: { dismiss: undefined, message: { type: 'UNHEARD_OF' } }, names: 'alertId' },
      ],
      refused: {
        quarantine_entry_not_found: { params: { id: '0'.repeat(32) } },
        changed_meanwhile: 'race',
      },
    },
    'alerts/update-alert': {
      body: { alert_id: String(w.openId), status: 'RESOLVED', reason_code: '100.001' },
      wrong: [
        { body: { status: 'DONE' }, names: 'status' },
        { body: { reason_code: '1' }, names: 'reason_code' },
        { body: { alert_outcome_amount: '1,000.00', alert_outcome_currency: 'USD' }, names: 'alert_outcome_amount' },
        { body: { tx_details: [[]] }, names: 'tx_details.0' },
        { body: { alert_outcome_amount: '99999.00', alert_outcome_currency: 'USD' }, names: 'alert_outcome_amount' },
        { body: { alert_outcome_action_date: '2036-01-01T00:00:00Z' }, names: 'alert_outcome_action_date' },
      ],
      refused: {
        rcode_wrong: { headers: { rcode: 'x'.repeat(32) } },
        alert_not_found: { headers: { rcode: w.otherTenant.rcode } },
        reason_code_invalid: { body: { status: 'DECLINED' } },
        alert_closed: { body: { alert_id: String(w.closedId), status: 'DECLINED', reason_code: '902.002' } },
        alert_takes_no_outcome: { body: { alert_id: String(w.informId) } },
        changed_meanwhile: 'race',
      },
    },
    'alerts/create-test-alert': {
      body: testAlert,
      wrong: [
        { body: { alert_type: 'RDR' }, names: 'alert_type' },
        { body: { decision: 'DECLINED' }, names: 'decision' },
        { body: { card: 'the blue one' }, names: 'card' },
        { body: { sid: -1 }, names: 'sid' },
      ],
      refused: {
        site_not_found: { body: { sid: 99_999_999 } },
        onboarding_incomplete: { body: { descriptor: 'NOBODY ENROLLED THIS' } },
        alert_not_found: { body: { alert_id: 77 } },
      },
    },
    'alerts/list-alerts': {
      wrong: [
        { body: { status: 'LOST' }, names: 'status' },
        { body: { date_from: '2026-02-30' }, names: 'date_from' },
        { body: { size: 501 }, names: 'size' },
        { body: { cursor: 'bm90IG91cnM' }, names: 'cursor' },
        { body: { with_held_txid: 'perhaps' }, names: 'with_held_txid' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'alerts/pulse': {
      wrong: [
        { body: { sid: 'x' }, names: 'sid' },
        { body: { mid: 0 }, names: 'mid' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
      alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
    },
    'alerts/list-inform-alerts': {
      wrong: [
        { body: { field: 'colour', keyword: 'x' }, names: 'field' },
        { body: { field: 'card_number', keyword: 'blue' }, names: 'keyword' },
        { body: { page: 0 }, names: 'page' },
      ],
      unseen: { as: 'otherTenant', body: { sid: [w.site.sid] } },
    },
    'alerts/alert-details': {
      params: { alert_id: w.openId },
      wrong: [{ params: { alert_id: 'x' }, names: 'alert_id' }],
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'alerts/answer-alert': {
      params: { alert_id: w.openId },
      body: { status: 'RESOLVED', reason_code: '100.003' },
      wrong: [
        { params: { alert_id: 'x' }, names: 'alert_id' },
        { body: { status: 'DONE' }, names: 'status' },
        { body: { alert_outcome_amount: '1e3', alert_outcome_currency: 'USD' }, names: 'alert_outcome_amount' },
        { body: { reason_code: '100.001', refunded_elsewhere: {} }, names: 'refunded_elsewhere.date' },
      ],
      refused: {
        alert_not_found: { as: 'otherTenant' },
        reason_code_invalid: { body: { status: 'DECLINED' } },
        refund_first: { body: { reason_code: '100.001' } },
        alert_closed: { params: { alert_id: w.closedId }, body: { status: 'DECLINED', reason_code: '902.002' } },
        alert_takes_no_outcome: { params: { alert_id: w.informId } },
        changed_meanwhile: 'race',
      },
    },
    'alerts/note-alert': {
      params: { alert_id: w.openId },
      body: { note: 'Ask Ann' },
      wrong: [
        { params: { alert_id: 'x' }, names: 'alert_id' },
        { body: { note: '' }, names: 'note' },
        { body: { note: 'n'.repeat(2001) }, names: 'note' },
      ],
      refused: {
        alert_not_found: { as: 'otherTenant' },
        idempotency_key_reused: { headers: noteKey, after: { headers: noteKey, body: { note: 'Ask Bob' } } },
      },
    },
    'alerts/list-reason-codes': {
      body: { alert_id: w.openId },
      wrong: [{ body: { alert_id: 'x' }, names: 'alert_id' }],
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'alerts/list-unmatched': { as: 'admin', wrong: [{ body: { order: 'UP' }, names: 'order' }] },
    'alerts/assign-alert': {
      as: 'admin',
      params: { alert_id: w.unmatchedId },
      body: { sid: w.site.sid },
      wrong: [
        { params: { alert_id: '0' }, names: 'alert_id' },
        { body: { sid: '1.5' }, names: 'sid' },
      ],
      refused: {
        alert_not_found: { params: { alert_id: nobody } },
        site_not_found: { body: { sid: nobody } },
        site_not_for_alerts: { body: { sid: w.paymentSid } },
        alert_already_assigned: { params: { alert_id: w.openId }, body: { sid: w.otherSid } },
        changed_meanwhile: 'race',
      },
    },
  };
};

const merchants = ({ site, otherTenant, paymentSid, threeDsSid }: Fixture): Record<string, BadCalls> => {
  const { mid, rid, sid } = site;
  const settings = (own: number, wrong: readonly Wrong[], fixed: number): BadCalls => ({
    params: { mid, rid, sid: own },
    wrong: [{ params: { rid: 'x' }, names: 'rid' }, ...wrong],
    refused: {
      site_not_found: { as: 'otherTenant' },
      site_type_fixed: { params: { sid: fixed } },
      changed_meanwhile: 'race',
    },
  });
  const details = (name: string, id: number, code: ErrorCode): BadCalls => ({
    params: { [name]: id },
    wrong: [{ params: { [name]: '-1' }, names: name }],
    refused: { [code]: { as: 'otherTenant' } },
  });
  const rotation: BadCalls = {
    params: { sid },
    wrong: [{ params: { sid: 'x' }, names: 'sid' }],
    refused: { site_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
  };
  return {
    'merchants/create-merchant': {
      as: 'admin',
      body: { name: 'A merchant' },
      wrong: [
        { body: { name: '' }, names: 'name' },
        { body: { payments: 'perhaps' }, names: 'payments' },
        { body: { themeid: nobody }, names: 'themeid' },
      ],
      // The providers' name for the demo merchant.
      refused: { oi_merchant_id_taken: { body: { oi_merchant_id: 'demo' } } },
    },
    'merchants/list-merchants': {
      as: 'admin',
      wrong: [
        { body: { size: 101 }, names: 'size' },
        { body: { before: 0 }, names: 'before' },
      ],
    },
    'merchants/merchant-details': details('mid', mid, 'merchant_not_found'),
    'merchants/create-retailer': {
      params: { mid },
      body: { name: 'A retailer' },
      wrong: [
        { params: { mid: 'x' }, names: 'mid' },
        { body: { currency: 'DOLLAR' }, names: 'currency' },
        { body: { contact_email: 'nobody' }, names: 'contact_email' },
      ],
      refused: { merchant_not_found: { as: 'otherTenant' } },
    },
    'merchants/retailer-details': details('rid', rid, 'retailer_not_found'),
    'merchants/create-site': {
      params: { mid, rid },
      body: { name: 'A site' },
      wrong: [
        { params: { rid: 'x' }, names: 'rid' },
        { body: { url: 'ftp://shop.example' }, names: 'url' },
        { body: { cat_id: nobody }, names: 'cat_id' },
      ],
      refused: {
        merchant_not_found: { as: 'otherTenant' },
        retailer_not_found: { params: { rid: otherTenant.rid } },
      },
    },
    'merchants/site-details': details('sid', sid, 'site_not_found'),
    'merchants/list-sites': {
      wrong: [{ body: { type: 'shop' }, names: 'type' }],
      unseen: { as: 'otherTenant', body: { mid } },
    },
    'merchants/set-payment-settings': settings(
      paymentSid,
      [
        { body: { cbreportemail: 'nobody' }, names: 'cbreportemail' },
        { body: { margin_percentage: '101' }, names: 'margin_percentage' },
        { body: { ftid: -1 }, names: 'ftid' },
      ],
      threeDsSid,
    ),
    'merchants/set-three-ds-settings': settings(
      threeDsSid,
      [
        { body: { settings: { verbose: 'much' } }, names: 'settings.verbose' },
        { body: { settings: [] }, names: 'settings' },
        { body: { servicesettings: [] }, names: 'servicesettings' },
      ],
      paymentSid,
    ),
    'merchants/set-alert-settings': settings(
      sid,
      [
        { body: { alertapiurl: 'http://10.0.0.1/' }, names: 'alertapiurl' },
        { body: { default_dispute_action: 'PRAY' }, names: 'default_dispute_action' },
        { body: { deadline_hours: { FRAUD: 0 } }, names: 'deadline_hours.FRAUD' },
        { body: { deadline_hours: [] }, names: 'deadline_hours' },
      ],
      paymentSid,
    ),
    'merchants/rotate-rcode': rotation,
    'merchants/rotate-signing-secret': rotation,
  };
};

const enrollments = (w: Fixture): Record<string, BadCalls> => {
  const items = (change: Fields) => [
    { provider: ['provider_a'], descriptor: 'BAD SHOP', match_type: 'Exact', ...change },
  ];
  const item = { provider: 'provider_a', descriptor: 'DEMO SHOP' };
  return {
    'onboarding/enroll-retailer-site': {
      body: { mid: w.site.mid, retailer_name: 'Retailer', site_name: 'Shop' },
      wrong: [
        { body: { mcc: '57' }, names: 'mcc' },
        { body: { country: 'XX' }, names: 'country' },
        { body: { alert_notification_url: 'http://10.0.0.1/' }, names: 'alert_notification_url' },
      ],
      refused: {
        merchant_not_found: { as: 'otherTenant' },
        retailer_name_taken: {
          body: { retailer_name: 'Taken' },
          after: { body: { retailer_name: ' TAKEN ' } },
        },
      },
    },
    'enrollments/create-enrollment': {
      body: { sid: w.site.sid, enrollment_items: items({}) },
      wrong: [
        { body: { enrollment_items: [] }, names: 'enrollment_items' },
        { body: { enrollment_items: items({ match_type: 'Perhaps' }) }, names: 'enrollment_items.0.match_type' },
        { body: { enrollment_items: [[]] }, names: 'enrollment_items.0' },
        { headers: { 'idempotency-key': 'two words' }, names: 'idempotency-key' },
      ],
      refused: {
        site_not_found: { as: 'otherTenant' },
        site_not_for_alerts: { body: { sid: w.paymentSid } },
        descriptor_enrolled: { body: { enrollment_items: items({ descriptor: 'DEMO SHOP', match_type: 'Exact' }) } },
      },
    },
    'enrollments/set-enrollment-item': {
      as: 'admin',
      params: { id: w.enrollmentId },
      body: { ...item, status: 'ENROLLED' },
      wrong: [
        { params: { id: 'x' }, names: 'id' },
        { body: { status: 'MARRIED' }, names: 'status' },
      ],
      refused: {
        enrollment_not_found: { params: { id: nobody } },
        enrollment_overlap: {
          params: { id: w.overlappingId },
          body: { provider: 'provider_a', descriptor: 'DEMO SHOP', status: 'ENROLLED' },
        },
        changed_meanwhile: 'race',
      },
    },
    'enrollments/unenroll-item': {
      params: { id: w.enrollmentId },
      body: item,
      wrong: [
        { params: { id: 'x' }, names: 'id' },
        { body: { provider: 'provider_z' }, names: 'provider' },
      ],
      refused: { enrollment_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
    },
    'enrollments/enrollment-status': {
      params: { id: w.enrollmentId },
      wrong: [{ params: { id: 'x' }, names: 'id' }],
      refused: { enrollment_not_found: { as: 'otherTenant' } },
    },
    'enrollments/list-enrollments': {
      body: { size: 10, offset: 0 },
      wrong: [
        { body: { sort_field: 'mood' }, names: 'sort_field' },
        { body: { status: ['LOST'] }, names: 'status' },
        { body: { offset: undefined }, names: 'offset' },
      ],
      unseen: { as: 'otherTenant', body: { sid: w.site.sid } },
    },
  };
};

const notifications = (w: Fixture): Record<string, BadCalls> => ({
  'webhooks/list': {
    wrong: [
      { body: { kind: 'gossip' }, names: 'kind' },
      { body: { alert_id: 'x' }, names: 'alert_id' },
    ],
    refused: {
      merchant_not_found: { body: { mid: w.otherTenant.mid } },
      site_not_found: { body: { sid: w.otherTenant.sid } },
      alert_not_found: { as: 'otherTenant', body: { alert_id: w.openId } },
    },
  },
  'webhooks/details': {
    params: { id: w.deliveryId },
    wrong: [{ params: { id: longId }, names: 'id' }],
    refused: { notification_not_found: { as: 'otherTenant' } },
  },
  'webhooks/request': {
    params: { id: w.deliveryId },
    wrong: [{ params: { id: longId }, names: 'id' }],
    refused: { notification_not_found: { as: 'otherTenant' } },
    alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'ntf_1' } }],
  },
  'webhooks/replay': {
    params: { id: w.deliveryId },
    wrong: [{ params: { id: longId }, names: 'id' }],
    refused: { notification_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
  },
  'webhooks/replay-failed': {
    body: { sid: w.site.sid, from: '2026-01-01', to: '2026-01-03' },
    wrong: [
      { body: { sid: undefined }, names: 'sid' },
      { body: { from: '2026-01-04' }, names: 'to' },
      { body: { to: '2026-01-09' }, names: 'to' },
      { body: { kind: 'gossip' }, names: 'kind' },
      { body: { dry_run: 'perhaps' }, names: 'dry_run' },
    ],
    refused: { site_not_found: { body: { sid: w.otherTenant.sid } } },
    alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
  },
});

const reports = (w: Fixture): Record<string, BadCalls> => ({
  'reports/programmes': {
    body: { month: '2026-04' },
    wrong: [
      { body: { month: '2026-13' }, names: 'month' },
      { as: 'admin', names: 'mid' },
    ],
    refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } } },
    alike: [{ body: { mid: w.otherTenant.mid } }, { body: { mid: nobody } }],
  },
  'reports/set-figures': {
    body: { month: '2026-04', scheme: 'VISA', settled_count: 10, chargeback_count: 1 },
    wrong: [
      { body: { month: 'April' }, names: 'month' },
      { body: { scheme: 'AMEX' }, names: 'scheme' },
      { body: { settled_count: -1 }, names: 'settled_count' },
      { body: { chargeback_count: undefined }, names: 'chargeback_count' },
      { body: { fraud_count: 'x' }, names: 'fraud_count' },
      { as: 'admin', names: 'mid' },
    ],
    refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } } },
    alike: [{ body: { mid: w.otherTenant.mid } }, { body: { mid: nobody } }],
  },
  'reports/alert-report': {
    body: { from: '2026-04-01', to: '2026-04-30' },
    wrong: [
      { body: { from: undefined }, names: 'from' },
      { body: { from: '2026-02-30' }, names: 'from' },
      { body: { to: '2026-03-31' }, names: 'to' },
      { body: { to: '2027-08-01' }, names: 'to' },
      { body: { group: 'week' }, names: 'group' },
      { as: 'admin', names: 'mid' },
    ],
    refused: {
      merchant_not_found: { body: { mid: w.otherTenant.mid } },
      site_not_found: { body: { sid: w.otherTenant.sid } },
    },
    alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
  },
});

const outcomes = (w: Fixture): Record<string, BadCalls> => {
  const unknown: Wrong = { params: { id: longId }, names: 'id' };
  const theirs = { as: 'otherTenant' } as const;
  return {
    'outcomes/list-outcomes': {
      wrong: [
        { body: { state: 'LOST' }, names: 'state' },
        { body: { provider: 'rdr' }, names: 'provider' },
        { body: { date_to: '2026-13-01' }, names: 'date_to' },
        { body: { size: 0 }, names: 'size' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
        alert_not_found: { ...theirs, body: { alert_id: w.openId } },
      },
    },
    'outcomes/outcome-details': {
      params: { id: w.outcomeId },
      wrong: [unknown],
      refused: { outcome_not_found: theirs },
      alike: [theirs, { ...theirs, params: { id: 'out_a_1_1' } }],
    },
    'outcomes/replay-outcome': {
      params: { id: w.outcomeId },
      wrong: [unknown],
      refused: { outcome_not_found: theirs, outcome_settled: {}, changed_meanwhile: 'race' },
    },
    'outcomes/mark-outcome': {
      as: 'admin',
      params: { id: w.outcomeId },
      body: { state: 'ACCEPTED' },
      wrong: [
        unknown,
        { body: { state: 'PENDING' }, names: 'state' },
        { body: { note: 'x'.repeat(501) }, names: 'note' },
      ],
      refused: {
        outcome_not_found: { params: { id: 'out_a_1_1' } },
        outcome_settled: {},
        changed_meanwhile: 'race',
      },
    },
  };
};

const rules = ({ site, otherTenant, paymentSid, ruleId }: Fixture): Record<string, BadCalls> => {
  const { sid } = site;
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] };
  const rule = { conditions, action: { type: 'notify' } };
  const owner: BadCalls['refused'] = {
    site_not_found: { as: 'otherTenant' },
    merchant_not_found: { body: { sid: undefined, mid: otherTenant.mid } },
    site_not_for_alerts: { body: { sid: paymentSid } },
  };
  const anyOwner: BadCalls['refused'] = {
    ...owner,
    site_not_for_payments: { body: { about: 'chargebacks', action: { type: 'submit' } } },
  };
  const eitherOwner: Wrong = { body: { mid: site.mid }, names: 'sid' };
  const unknownRule: Wrong = { params: { id: 'x' }, names: 'id' };
  return {
    'rules/create-rule': {
      body: { sid, name: 'A rule', ...rule },
      wrong: [
        eitherOwner,
        { body: { action: { type: 'pray' } }, names: 'action.type' },
        { body: { action: [] }, names: 'action' },
        { body: { conditions: { fact: 'mood' } }, names: 'conditions.fact' },
        { body: { conditions: { all: [{ fact: 'mood' }] } }, names: 'conditions.all.0.fact' },
        { body: { conditions: [] }, names: 'conditions' },
      ],
      refused: {
        ...anyOwner,
        rules_full: { as: 'admin', body: { sid: undefined, mid: otherTenant.mid } },
        changed_meanwhile: 'race',
      },
    },
    'rules/list-rules': {
      body: { sid },
      wrong: [eitherOwner],
      refused: { ...owner, site_not_for_payments: { body: { about: 'chargebacks' } } },
    },
    'rules/rule-details': {
      params: { id: ruleId },
      wrong: [unknownRule],
      refused: { rule_not_found: { as: 'otherTenant' } },
    },
    'rules/update-rule': {
      params: { id: ruleId },
      wrong: [unknownRule, { body: { mode: 'loud' }, names: 'mode' }, { body: { action: [] }, names: 'action' }],
      refused: { rule_not_found: { as: 'otherTenant' }, changed_meanwhile: { body: { version: 99, name: 'Another' } } },
    },
    'rules/disable-rule': {
      params: { id: ruleId },
      wrong: [unknownRule],
      refused: { rule_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
    },
    'rules/order-rules': {
      body: { sid, rule_ids: [ruleId] },
      wrong: [eitherOwner, { body: { rule_ids: [ruleId, ruleId] }, names: 'rule_ids' }],
      refused: {
        ...owner,
        site_not_for_payments: { body: { about: 'chargebacks' } },
        changed_meanwhile: { body: { rule_ids: [nobody] } },
      },
    },
    'rules/dry-run': {
      body: { sid, rule },
      wrong: [
        eitherOwner,
        { body: { days: 31 }, names: 'days' },
        { body: { rule: [] }, names: 'rule' },
        { body: { chargeback_cost: [] }, names: 'chargeback_cost' },
        { body: { rule_id: ruleId }, names: 'rule_id' },
      ],
      refused: { ...owner, rule_not_found: { body: { rule: undefined, rule_id: nobody } } },
    },
  };
};

const connections = ({ site: { mid }, connectionId, openId }: Fixture): Record<string, BadCalls> => {
  const refused: BadCalls['refused'] = { merchant_not_found: { as: 'otherTenant' } };
  const badMid: Wrong = { params: { mid: 'x' }, names: 'mid' };
  const one = (change: Fields) => ({ connections: [{ kind: 'sandbox', label: 'Trial', ...change }] });
  return {
    'connections/set-connections': {
      params: { mid },
      body: one({}),
      wrong: [
        badMid,
        { body: { connections: {} }, names: 'connections' },
        { body: one({ kind: 'till' }), names: 'connections.0.kind' },
        { body: one({ label: '' }), names: 'connections.0.label' },
        { body: one({ id: 'cn_of_nobody' }), names: 'connections.0.id' },
        { body: one({ sids: [nobody] }), names: 'connections.0.sids.0' },
        { body: one({ kind: 'stripe' }), names: 'connections.0.credentials' },
        {
          body: one({ kind: 'stripe', credentials: { secret_key: 'a key' } }),
          names: 'connections.0.credentials.secret_key',
        },
      ],
      refused: { ...refused, changed_meanwhile: 'race' },
    },
    'connections/alert-transactions': {
      params: { alert_id: openId },
      wrong: [{ params: { alert_id: 'x' }, names: 'alert_id' }],
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'connections/connection-details': { params: { mid }, wrong: [badMid], refused },
    'connections/test-connection': {
      params: { mid, id: connectionId },
      wrong: [badMid, { params: { id: longId }, names: 'id' }],
      refused: { ...refused, connection_not_found: { params: { id: 'cn_of_nobody' } } },
    },
    'connections/receive-connection-webhook': {
      params: { mid, id: connectionId },
      wrong: [badMid, { params: { id: longId }, names: 'id' }],
      refused: { signature_invalid: { headers: { 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` } } },
      alike: [{ params: { mid: nobody } }, { params: { id: 'cn_of_nobody' } }],
    },
  };
};

const dataSources = (): Record<string, BadCalls> => {
  const lists = ['countries', 'currencies', 'payment-methods'];
  const entries = ['fraud-template', 'reseller', 'support-group', 'theme', 'site-category'];
  const plural = (name: string) => name.replace(/y$/, 'ie').concat('s');
  const addition: BadCalls = {
    as: 'admin',
    body: { name: 'An entry' },
    wrong: [
      { body: { name: ' ' }, names: 'name' },
      { body: { description: 7 }, names: 'description' },
    ],
  };
  return Object.fromEntries([
    ...[...lists, ...entries.map(plural)].map((name) => [`datasources/list-${name}`, { wrong: [] }]),
    ...entries.map((name) => [`datasources/add-${name}`, addition]),
  ]);
};

/** Bad calls of every operation, by its area and name. */
export const badCalls = (fixture: Fixture): Record<string, BadCalls> => ({
  ...alerts(fixture),
  ...merchants(fixture),
  ...enrollments(fixture),
  ...notifications(fixture),
  ...reports(fixture),
  ...outcomes(fixture),
  ...rules(fixture),
  ...connections(fixture),
  ...dataSources(),
  ...badMoney(fixture),
  ...badOrders(fixture),
});
