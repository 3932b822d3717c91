import type { listAuditOperation as ListAuditOperation } from '#accounts/auth/api/list-audit/operation.ts';
import type { RowOf } from '../app/client.ts';
import type { Zone } from '../app/preferences.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/state-words.ts';
import { dayIn } from '../parts/times.ts';

export type AuditRow = RowOf<typeof ListAuditOperation>;

/** Actions in words, by the names of their operations. */
const done: Readonly<Record<string, string>> = {
  'auth/ask-for-password': translate('New password asked for'),
  'auth/begin-passkey-setup': translate('Passkey set-up begun'),
  'auth/change-own-password': translate('Password changed'),
  'auth/create-api-key': translate('API key created'),
  'auth/create-user': translate('User added'),
  'auth/finish-passkey-setup': translate('Passkey added'),
  'auth/finish-single-sign-on': translate('User added or changed by single sign-on'),
  'auth/remove-passkey': translate('Passkey removed'),
  'auth/rename-passkey': translate('Passkey renamed'),
  'auth/revoke-api-key': translate('API key revoked'),
  'auth/set-own-settings': translate('Own settings changed'),
  'auth/set-password': translate('Password set with a link'),
  'auth/set-single-sign-on': translate('Single sign-on changed'),
  'auth/set-up-factor': translate('Second factor set up'),
  'auth/update-user': translate('User changed'),
  'connections/register-webhook': translate('Webhooks registered'),
  'connections/set-connections': translate('Connections changed'),
  'costs/import-statement': translate('Statement of a network read'),
  'costs/set-alert-prices': translate('Price of alerts set'),
  'costs/set-chargeback-fees': translate('Fees for chargebacks set'),
  'costs/set-credit': translate('Credit changed'),
  'datasources/add-fraud-template': translate('Fraud template added'),
  'datasources/add-reseller': translate('Reseller added'),
  'datasources/add-site-category': translate('Site category added'),
  'datasources/add-support-group': translate('Support group added'),
  'datasources/add-theme': translate('Theme added'),
  'enrollments/create-enrollment': translate('Enrollment requested'),
  'fraud/set-fraud-lists': translate('Fraud lists changed'),
  'fraud/update-fraud-template': translate('Fraud template changed'),
  'history/change-import': translate('Import paused, resumed or canceled'),
  'history/start-import': translate('Import started'),
  'lookups/erase-orders': translate('Orders of a person erased'),
  'merchants/create-merchant': translate('Merchant added'),
  'merchants/create-retailer': translate('Retailer added'),
  'merchants/create-site': translate('Site added'),
  'merchants/rotate-rcode': translate('rcode replaced'),
  'merchants/rotate-signing-secret': translate('Signing secret replaced'),
  'merchants/set-alert-settings': translate('Alert settings changed'),
  'merchants/set-payment-settings': translate('Payment settings changed'),
  'merchants/set-services': translate('Services of a merchant changed'),
  'merchants/set-three-ds-settings': translate('3-D Secure settings changed'),
  'onboarding/enroll-retailer-site': translate('Retailer and site added'),
  'orders/set-order-profile': translate('Business profile changed'),
  'pricing/set-fees': translate('Fees of a site set'),
  'pricing/set-rate': translate('Exchange rate set'),
  'processors/set-site-processors': translate('Processors of a site set'),
  'reports/set-figures': translate('Acquirer’s figures entered'),
  'rules/back-test': translate('Rules tried on past alerts'),
  'rules/create-rule': translate('Rule added'),
  'rules/disable-rule': translate('Rule switched off'),
  'rules/order-rules': translate('Rules put in order'),
  'rules/update-rule': translate('Rule changed'),
  'search/note-customer': translate('Note on a customer'),
  'webhooks/replay': translate('Notification sent again'),
  'webhooks/replay-failed': translate('Failed notifications sent again'),
};

export const hasAuditWords = (operation: string): boolean => operation in done;

/** Returns the action of a call in words; commands of operators keep their names. */
export const auditWords = (operation: string): string =>
  done[operation] ?? stateWords((operation.split('/').at(-1) ?? operation).replaceAll('-', '_'));

type Act = Pick<AuditRow, 'operation' | 'by' | 'source_ip' | 'result' | 'code' | 'at' | 'ids'>;

/** The same on one day, by the same user from the same address, about the same site. */
const isSameAct = (one: Act, other: Act, zone: Zone): boolean =>
  (['operation', 'by', 'source_ip', 'result', 'code'] as const).every((name) => one[name] === other[name]) &&
  one.ids['sid'] === other.ids['sid'] &&
  dayIn(one.at, zone) === dayIn(other.at, zone);

/** The rows of a page as acts, each with all rows that follow each other and belong to it. */
export const groupActs = <Row extends Act>(rows: readonly Row[], zone: Zone): Row[][] => {
  const acts: Row[][] = [];
  for (const row of rows) {
    const last = acts.at(-1);
    if (last?.[0] && isSameAct(last[0], row, zone)) last.push(row);
    else acts.push([row]);
  }
  return acts;
};
