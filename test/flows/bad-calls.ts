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
      wrongBody: { type: ['LOVE_LETTER'], amount: [[]] },
      wrong: [{ body: { amount: { value: '1e3', currencyCode: 'USD' } }, names: 'amount.value' }],
      refused: { signature_invalid: { headers: signature } },
    },
    'alerts/receive-provider-b': {
      body: providerB,
      wrongBody: { descriptor: [''], status: ['OLD'] },
      refused: {
        signature_invalid: { headers: signature },
      },
    },
    'alerts/receive-rdr': {
      body: rdr,
      wrongBody: { decision: ['PERHAPS'], transactionAmount: ['12.001'] },
      refused: {
        signature_invalid: { headers: signature },
      },
    },
    'alerts/list-quarantine': {
      as: 'admin',
      wrongBody: { state: ['LOST'] },
    },
    'alerts/quarantine-details': {
      as: 'admin',
      params: { id: w.quarantinedId },
      wrongParams: { id: ['x'] },
      refused: { quarantine_entry_not_found: { params: { id: '0'.repeat(32) } } },
    },
    'alerts/resubmit-quarantined': {
      as: 'admin',
      params: { id: w.quarantinedId },
      body: { dismiss: 'A message to look at' },
      wrongParams: { id: ['x'] },
      wrongBody: { dismiss: [''] },
      wrong: [{ body: { dismiss: undefined, message: { type: 'UNHEARD_OF' } }, names: 'alertId' }],
      refused: {
        quarantine_entry_not_found: { params: { id: '0'.repeat(32) } },
        changed_meanwhile: 'race',
      },
    },
    'alerts/update-alert': {
      body: { alert_id: String(w.openId), status: 'RESOLVED', reason_code: '100.001' },
      wrongBody: { status: ['DONE'], reason_code: ['1'], alert_outcome_action_date: ['2036-01-01T00:00:00Z'] },
      wrong: [
        { body: { alert_outcome_amount: '1,000.00', alert_outcome_currency: 'USD' }, names: 'alert_outcome_amount' },
        { body: { tx_details: [[]] }, names: 'tx_details.0' },
        { body: { alert_outcome_amount: '99999.00', alert_outcome_currency: 'USD' }, names: 'alert_outcome_amount' },
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
      wrongBody: { alert_type: ['RDR'], decision: ['DECLINED'], card: ['the blue one'], sid: [-1] },
      refused: {
        site_not_found: { body: { sid: 99_999_999 } },
        onboarding_incomplete: { body: { descriptor: 'NOBODY ENROLLED THIS' } },
        alert_not_found: { body: { alert_id: 77 } },
      },
    },
    'alerts/list-alerts': {
      wrongBody: {
        status: ['LOST'],
        date_from: ['2026-02-30'],
        size: [501],
        cursor: ['bm90IG91cnM'],
        with_held_txid: ['perhaps'],
        alert_ids: ['x'],
      },
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'alerts/pulse': {
      wrongBody: { sid: ['x'], mid: [0] },
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
      alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
    },
    'alerts/list-inform-alerts': {
      wrongBody: { page: [0] },
      wrong: [
        { body: { field: 'colour', keyword: 'x' }, names: 'field' },
        { body: { field: 'card_number', keyword: 'blue' }, names: 'keyword' },
      ],
      unseen: { as: 'otherTenant', body: { sid: [w.site.sid] } },
    },
    'alerts/alert-details': {
      params: { alert_id: w.openId },
      wrongParams: { alert_id: ['x'] },
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'alerts/answer-alert': {
      params: { alert_id: w.openId },
      body: { status: 'RESOLVED', reason_code: '100.003' },
      wrongParams: { alert_id: ['x'] },
      wrongBody: { status: ['DONE'] },
      wrong: [
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
      wrongParams: { alert_id: ['x'] },
      wrongBody: { note: ['', 'n'.repeat(2001)] },
      refused: {
        alert_not_found: { as: 'otherTenant' },
        idempotency_key_reused: { headers: noteKey, after: { headers: noteKey, body: { note: 'Ask Bob' } } },
      },
    },
    'alerts/list-reason-codes': {
      body: { alert_id: w.openId },
      wrongBody: { alert_id: ['x'] },
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'alerts/list-unmatched': { as: 'admin', wrongBody: { order: ['UP'] } },
    'alerts/assign-alert': {
      as: 'admin',
      params: { alert_id: w.unmatchedId },
      body: { sid: w.site.sid },
      wrongParams: { alert_id: ['0'] },
      wrongBody: { sid: ['1.5'] },
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
    wrongParams: { rid: ['x'] },
    wrong,
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
    wrongParams: { sid: ['x'] },
    refused: { site_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
  };
  return {
    'merchants/create-merchant': {
      as: 'admin',
      body: { name: 'A merchant' },
      wrongBody: { name: [''], payments: ['perhaps'], themeid: [nobody] },
      // The providers' name for the demo merchant.
      refused: { oi_merchant_id_taken: { body: { oi_merchant_id: 'demo' } } },
    },
    'merchants/list-merchants': {
      as: 'admin',
      wrongBody: { size: [101], before: [0] },
    },
    'merchants/merchant-details': details('mid', mid, 'merchant_not_found'),
    'merchants/create-retailer': {
      params: { mid },
      body: { name: 'A retailer' },
      wrongParams: { mid: ['x'] },
      wrongBody: { currency: ['DOLLAR'], contact_email: ['nobody'] },
      refused: { merchant_not_found: { as: 'otherTenant' } },
    },
    'merchants/retailer-details': details('rid', rid, 'retailer_not_found'),
    'merchants/create-site': {
      params: { mid, rid },
      body: { name: 'A site' },
      wrongParams: { rid: ['x'] },
      wrongBody: { url: ['ftp://shop.example'], cat_id: [nobody] },
      refused: {
        merchant_not_found: { as: 'otherTenant' },
        retailer_not_found: { params: { rid: otherTenant.rid } },
      },
    },
    'merchants/site-details': details('sid', sid, 'site_not_found'),
    'merchants/list-sites': {
      wrongBody: { type: ['shop'] },
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
      wrongBody: { mcc: ['57'], country: ['XX'], alert_notification_url: ['http://10.0.0.1/'] },
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
      wrongBody: { enrollment_items: [[]] },
      wrong: [
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
      wrongParams: { id: ['x'] },
      wrongBody: { status: ['MARRIED'] },
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
      wrongParams: { id: ['x'] },
      wrongBody: { provider: ['provider_z'] },
      refused: { enrollment_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
    },
    'enrollments/enrollment-status': {
      params: { id: w.enrollmentId },
      wrongParams: { id: ['x'] },
      refused: { enrollment_not_found: { as: 'otherTenant' } },
    },
    'enrollments/list-enrollments': {
      body: { size: 10, offset: 0 },
      wrongBody: { sort_field: ['mood'], status: [['LOST']], offset: [undefined] },
      unseen: { as: 'otherTenant', body: { sid: w.site.sid } },
    },
  };
};

const notifications = (w: Fixture): Record<string, BadCalls> => ({
  'webhooks/list': {
    wrongBody: { kind: ['gossip'], alert_id: ['x'] },
    refused: {
      merchant_not_found: { body: { mid: w.otherTenant.mid } },
      site_not_found: { body: { sid: w.otherTenant.sid } },
      alert_not_found: { as: 'otherTenant', body: { alert_id: w.openId } },
    },
  },
  'webhooks/details': {
    params: { id: w.deliveryId },
    wrongParams: { id: [longId] },
    refused: { notification_not_found: { as: 'otherTenant' } },
  },
  'webhooks/request': {
    params: { id: w.deliveryId },
    wrongParams: { id: [longId] },
    refused: { notification_not_found: { as: 'otherTenant' } },
    alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'ntf_1' } }],
  },
  'webhooks/replay': {
    params: { id: w.deliveryId },
    wrongParams: { id: [longId] },
    refused: { notification_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
  },
  'webhooks/replay-failed': {
    body: { sid: w.site.sid, from: '2026-01-01', to: '2026-01-03' },
    wrongBody: { sid: [undefined], to: ['2026-01-09'], kind: ['gossip'], dry_run: ['perhaps'] },
    wrong: [{ body: { from: '2026-01-04' }, names: 'to' }],
    refused: { site_not_found: { body: { sid: w.otherTenant.sid } } },
    alike: [{ body: { sid: w.otherTenant.sid } }, { body: { sid: nobody } }],
  },
});

const reports = (w: Fixture): Record<string, BadCalls> => ({
  'reports/programmes': {
    body: { month: '2026-04' },
    wrongBody: { month: ['2026-13'] },
    wrong: [{ as: 'admin', names: 'mid' }],
    refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } } },
    alike: [{ body: { mid: w.otherTenant.mid } }, { body: { mid: nobody } }],
  },
  'reports/set-figures': {
    body: { month: '2026-04', scheme: 'VISA', settled_count: 10, chargeback_count: 1 },
    wrongBody: {
      month: ['April'],
      scheme: ['AMEX'],
      settled_count: [-1],
      chargeback_count: [undefined],
      fraud_count: ['x'],
    },
    wrong: [{ as: 'admin', names: 'mid' }],
    refused: { merchant_not_found: { body: { mid: w.otherTenant.mid } } },
    alike: [{ body: { mid: w.otherTenant.mid } }, { body: { mid: nobody } }],
  },
  'reports/alert-report': {
    body: { from: '2026-04-01', to: '2026-04-30' },
    wrongBody: { from: [undefined, '2026-02-30'], to: ['2026-03-31', '2027-08-01'], group: ['week'] },
    wrong: [{ as: 'admin', names: 'mid' }],
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
      wrongBody: { state: ['LOST'], provider: ['rdr'], date_to: ['2026-13-01'], size: [0] },
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
      wrongBody: { state: ['PENDING'], note: ['x'.repeat(501)] },
      wrong: [unknown],
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
      wrongBody: { action: [[]], conditions: [[]] },
      wrong: [
        eitherOwner,
        { body: { action: { type: 'pray' } }, names: 'action.type' },
        { body: { conditions: { fact: 'mood' } }, names: 'conditions.fact' },
        { body: { conditions: { all: [{ fact: 'mood' }] } }, names: 'conditions.all.0.fact' },
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
      wrongBody: { mode: ['loud'], action: [[]] },
      wrong: [unknownRule],
      refused: { rule_not_found: { as: 'otherTenant' }, changed_meanwhile: { body: { version: 99, name: 'Another' } } },
    },
    'rules/disable-rule': {
      params: { id: ruleId },
      wrong: [unknownRule],
      refused: { rule_not_found: { as: 'otherTenant' }, changed_meanwhile: 'race' },
    },
    'rules/order-rules': {
      body: { sid, rule_ids: [ruleId] },
      wrongBody: { rule_ids: [[ruleId, ruleId]] },
      wrong: [eitherOwner],
      refused: {
        ...owner,
        site_not_for_payments: { body: { about: 'chargebacks' } },
        changed_meanwhile: { body: { rule_ids: [nobody] } },
      },
    },
    'rules/dry-run': {
      body: { sid, rule },
      wrongBody: { days: [31], rule: [[]], chargeback_cost: [[]], rule_id: [ruleId] },
      wrong: [eitherOwner],
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
      wrongBody: { connections: [{}] },
      wrong: [
        badMid,
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
      wrongParams: { alert_id: ['x'] },
      refused: { alert_not_found: { as: 'otherTenant' } },
    },
    'connections/connection-details': { params: { mid }, wrong: [badMid], refused },
    'connections/test-connection': {
      params: { mid, id: connectionId },
      wrongParams: { id: [longId] },
      wrong: [badMid],
      refused: { ...refused, connection_not_found: { params: { id: 'cn_of_nobody' } } },
    },
    'connections/receive-connection-webhook': {
      params: { mid, id: connectionId },
      wrongParams: { id: [longId] },
      wrong: [badMid],
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
    wrongBody: { name: [' '], description: [7] },
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
