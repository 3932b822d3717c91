import { beforeAll, describe, expect, it } from 'vitest';
import { auditScope } from '#accounts/auth/audit-scope-store.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { admit, toCaller } from '#core/platform/http/access.ts';
import { canAccessSite } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { putItem } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { chargebackScope } from '#disputes/chargebacks/chargeback-access-store.ts';
import { outcomeForCaller, outcomeScope, readOutcomes } from '#disputes/outcomes/outcome-access-store.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import { scopeForCaller } from '#messaging/webhooks/delivery-access-store.ts';
import { alertSite } from '#test/messaging/support.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const at = '2026-05-02T10:00:00.000Z';
const operator: Caller = { scope: 'admin', subject: 'root' };
const merchant = (mid: number): Caller => ({ scope: 'merchant', subject: `merchant ${mid}`, mid });

/** Merchant 1 has sites 11 and 12 and alerts 101 and 102 there; merchant 2 has site 21 and alert 201. */
const makeSite = (mid: number, sid: number) => ({ ...alertSite(sid, null), mid });
const newAlert = (alertId: number, mid: number, sid: number): Alert => {
  const facts = {
    provider: 'provider_a',
    caseId: `C${alertId}`,
    type: 'FRAUD',
    card: '',
    transactionAt: at,
    descriptor: '',
    amount: '1.00',
    currency: 'USD',
    test: false,
  } as const;
  return createAlert(alertId, { ...blankProviderAlert, ...facts }, at, {
    site: makeSite(mid, sid),
    matchedDescriptor: '',
  });
};

beforeAll(async () => {
  for (const [mid, sid] of [
    [1, 11],
    [1, 12],
    [2, 21],
  ] as const) {
    await putItem(toSiteItem(makeSite(mid, sid)));
  }
  for (const [alertId, mid, sid] of [
    [101, 1, 11],
    [102, 1, 12],
    [201, 2, 21],
  ] as const) {
    await putItem(toAlertItem(newAlert(alertId, mid, sid)));
  }
});

type Wanted = { mid?: number; sid?: number; alert_id?: number };
type Case = readonly [who: string, caller: Caller, wanted: Wanted, scope: unknown];

const byMerchant = (mid: number) => ({ scopeIndex: 2, scope: `M${mid}` });
const bySite = (sid: number) => ({ scopeIndex: 4, scope: `S${sid}` });
const byAlert = (alertId: number) => ({ scopeIndex: 3, scope: `A${alertId}` });
const all = { scopeIndex: 1, scope: 'all' };

const cases: readonly Case[] = [
  ['an operator who filters by nothing', operator, {}, all],
  ['an operator who filters by a merchant', operator, { mid: 1 }, byMerchant(1)],
  ['an operator who filters by a site', operator, { sid: 11 }, bySite(11)],
  ['an operator who filters by a merchant and its site', operator, { mid: 1, sid: 11 }, bySite(11)],
  ["an operator who filters by a merchant and another's site", operator, { mid: 2, sid: 11 }, undefined],
  ['an operator who filters by an alert', operator, { alert_id: 101 }, byAlert(101)],
  ['an operator who filters by an alert and its merchant', operator, { mid: 1, alert_id: 101 }, byAlert(101)],
  ['an operator who filters by an alert and another merchant', operator, { mid: 2, alert_id: 101 }, undefined],
  ['a merchant who filters by nothing', merchant(1), {}, byMerchant(1)],
  ['a merchant who names itself', merchant(1), { mid: 1 }, byMerchant(1)],
  ['a merchant who filters by its site', merchant(1), { sid: 12 }, bySite(12)],
  ['a merchant who filters by its alert', merchant(1), { alert_id: 102 }, byAlert(102)],
  ['a merchant who names itself and its alert', merchant(1), { mid: 1, alert_id: 102 }, byAlert(102)],
];
const refused: readonly Case[] = [
  ['a merchant who names another', merchant(1), { mid: 2 }, 'merchant_not_found'],
  ["a merchant who names another's site", merchant(1), { sid: 21 }, 'site_not_found'],
  ['a merchant who names a site that does not exist', merchant(1), { sid: 99 }, 'site_not_found'],
  ["a merchant who names another's alert", merchant(1), { alert_id: 201 }, 'alert_not_found'],
  ['a merchant who names an alert that does not exist', merchant(1), { alert_id: 999 }, 'alert_not_found'],
];
const siteAndAlert: readonly Case[] = [
  ['an operator who filters by an alert and its site', operator, { sid: 11, alert_id: 101 }, byAlert(101)],
  ['an operator who filters by an alert and another site', operator, { sid: 12, alert_id: 101 }, undefined],
  ['a merchant who filters by an alert and another site', merchant(1), { sid: 12, alert_id: 101 }, undefined],
  [
    'an operator who filters by an alert, its site and another merchant',
    operator,
    { mid: 2, sid: 11, alert_id: 101 },
    undefined,
  ],
];

/** The list of an alert's outcomes is named by the alert itself. */
const plain = (scope: unknown): unknown =>
  scope !== null && typeof scope === 'object' && 'alert' in scope ? byAlert((scope.alert as Alert).alertId) : scope;

describe.each([
  ['notifications', scopeForCaller],
  ['outcomes', outcomeScope],
  ['chargebacks', chargebackScope],
] as const)('the list of %s', (_, scopeOf) => {
  it.each(cases)('of %s is the smallest that holds them', async (_who, caller, wanted, scope) => {
    expect(plain(await scopeOf(wanted, caller))).toEqual(scope);
  });

  it.each(refused)('is refused to %s', async (_who, caller, wanted, code) => {
    await expect(scopeOf(wanted, caller)).rejects.toMatchObject({ code });
  });
});

describe.each([
  ['notifications', scopeForCaller],
  ['outcomes', outcomeScope],
] as const)('the list of %s', (_, scopeOf) => {
  it.each(siteAndAlert)('of %s is what both allow', async (_who, caller, wanted, scope) => {
    expect(plain(await scopeOf(wanted, caller))).toEqual(scope);
  });
});

it('the list of chargebacks takes a site or an alert, not both', async () => {
  await expect(chargebackScope({ sid: 11, alert_id: 101 }, operator)).rejects.toMatchObject({
    code: 'request_invalid',
  });
});

describe('outcomes', () => {
  it.each(['nonsense', 'out_a_0_1', 'out_z_101_1', 'out_a_101_1'])('%s is not found', async (id) => {
    await expect(outcomeForCaller(id, operator)).rejects.toMatchObject({ code: 'outcome_not_found' });
  });

  it('of an alert without any are none', async () => {
    expect(await readOutcomes(newAlert(101, 1, 11))).toEqual([]);
  });
});

describe('a caller', () => {
  const bearer = { auth: 'bearer' } as const;
  const operation = bearer as Parameters<typeof toCaller>[0];

  it('is a program only if the authorizer says so', () => {
    const context = { scope: 'merchant', subject: 'm', mid: '1' };
    expect(toCaller(operation, { ...context, program: 'true' })).toMatchObject({ isProgram: true });
    expect(toCaller(operation, { ...context, program: 'false' })).not.toHaveProperty('isProgram');
    expect(toCaller(operation, context)).toEqual({ scope: 'merchant', mid: 1, subject: 'm' });
  });

  it('with a key gets the reason if only users may call an operation', () => {
    const context = { scope: 'merchant', subject: 'm', mid: '1', permissions: '[]' };
    const call = () => admit(operation, context, { at, sourceIp: '192.0.2.1' });
    expect(call).toThrow(expect.objectContaining({ details: expect.stringContaining('sign in as a user') }));
  });

  it('with a key of some sites may not see what belongs to none', () => {
    const key = { permissions: [], sites: [11] };
    const caller = { ...merchant(1), key };
    expect(canAccessSite(caller, { mid: 1, sid: 11 })).toBe(true);
    expect(canAccessSite(caller, { mid: 1, sid: 12 })).toBe(false);
    expect(canAccessSite(caller, { mid: 2, sid: 11 })).toBe(false);
    for (const sid of [null, undefined]) expect(canAccessSite(caller, { mid: 1, sid })).toBe(false);
    const odd = { ...merchant(1), key: { permissions: [], sites: [null as never] } };
    expect(canAccessSite(odd, { mid: 1, sid: null })).toBe(false);
  });

  it('lists the audit of one thing at a time', async () => {
    expect(await auditScope({}, operator)).toEqual(all);
    expect(await auditScope({}, merchant(1))).toEqual(byMerchant(1));
    expect(await auditScope({ mid: 1 }, operator)).toEqual(byMerchant(1));
    await expect(auditScope({ mid: 2 }, merchant(1))).rejects.toMatchObject({ code: 'merchant_not_found' });
    await expect(auditScope({ mid: 1, sid: 11 }, operator)).rejects.toMatchObject({ code: 'request_invalid' });
    await expect(auditScope({ username: 'nobody' }, merchant(1))).rejects.toMatchObject({ code: 'user_not_found' });
    expect(await auditScope({ username: 'nobody' }, operator)).toMatchObject({ scopeIndex: 3 });
  });
});
