import { describe, expect, it } from 'vitest';
import { admit, admitDiversion, admitSites, needFresh, needRole, toCaller } from '#core/platform/http/access.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, canAccessSite, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller, CallerKey, Permission } from '#core/platform/operation/operation.ts';

const at = '2026-05-02T10:00:00.000Z';
const call = { at, sourceIp: '192.0.2.1' };
const bearer = { auth: 'bearer' } as Parameters<typeof admit>[0];
const user = { scope: 'merchant', subject: 'm', mid: '1', role: 'analyst', freshUntil: '2026-05-02T10:00:00.001Z' };
const keyContext = (permissions: string, sites?: string) => ({
  ...{ scope: 'merchant', subject: 'key', mid: '1', permissions },
  ...(sites !== undefined && { sites }),
});
const merchant: Caller = { scope: 'merchant', subject: 'm', mid: 1 };
const operator: Caller = { scope: 'admin', subject: 'root' };
const refusal = (code: string) => expect.objectContaining({ code });

describe('an operation', () => {
  it('with roles is refused to a user of another role, and not to an operator', () => {
    const guarded = { ...bearer, roles: ['manager'] } as typeof bearer;
    expect(() => admit(guarded, user, call)).toThrow(refusal('role_missing'));
    expect(() => admit(guarded, { ...user, role: 'manager' }, call)).not.toThrow();
    expect(() => admit(guarded, { scope: 'admin', subject: 'root', role: 'analyst' }, call)).not.toThrow();
    expect(() => admit(bearer, user, call)).not.toThrow();
  });

  it('of operators is refused to merchants', () => {
    expect(() => admit({ ...bearer, auth: 'admin' }, user, call)).toThrow(refusal('scope_missing'));
    expect(() => admit({ ...bearer, auth: 'admin' }, { scope: 'admin', subject: 'root' }, call)).not.toThrow();
  });

  it('needs a caller of a known scope, unless it needs none', () => {
    for (const context of [null, undefined, {}, { scope: 'other' }]) {
      expect(() => admit(bearer, context, call)).toThrow(refusal('unauthenticated'));
      expect(() => admit({ ...bearer, auth: 'none' } as never, context, call)).not.toThrow();
    }
  });

  it('that diverts something with some bodies needs more only with those', () => {
    const some = { diverts: 'data', divertsIf: (body: unknown) => body === 'away' } as const;
    const allowed = (permissions: Permission[]) => ({ ...merchant, key: { permissions, sites: null } });
    expect(() => admitDiversion(some, merchant, 'away', at)).toThrow(refusal('fresh_sign_in_needed'));
    expect(() => admitDiversion(some, { ...merchant, freshUntil: at }, 'away', at)).toThrow(Refusal);
    expect(() => admitDiversion(some, { ...merchant, freshUntil: `${at}Z` }, 'away', at)).not.toThrow();
    expect(() => admitDiversion(some, merchant, 'here', at)).not.toThrow();
    expect(() => admitDiversion(some, allowed(['settings']), 'away', at)).toThrow(refusal('permission_missing'));
    expect(() => admitDiversion(some, allowed(['settings:data']), 'away', at)).not.toThrow();
  });

  it('that needs a fresh sign-in accepts it until the moment it ends', () => {
    const fresh = { ...bearer, fresh: true } as typeof bearer;
    expect(() => admit(fresh, user, call)).not.toThrow();
    expect(() => admit(fresh, { ...user, freshUntil: at }, call)).toThrow(refusal('fresh_sign_in_needed'));
    expect(() => admit(fresh, { ...user, freshUntil: undefined }, call)).toThrow(refusal('fresh_sign_in_needed'));
    expect(() => needFresh({ ...merchant }, at)).toThrow(refusal('fresh_sign_in_needed'));
  });

  it('without a permission refuses every key and gives the reason', () => {
    const refused = expect.objectContaining({ details: expect.stringContaining('sign in as a user') });
    expect(() => admit(bearer, keyContext('person'), call)).toThrow(refused);
    expect(() => admit(bearer, keyContext(''), call)).toThrow(refused);
  });
});

describe('a role that depends on the request', () => {
  it('is required of users, a manager by default, and not of operators', () => {
    expect(() => needRole({ ...merchant, role: 'analyst' }, ['manager'])).toThrow(refusal('role_missing'));
    expect(() => needRole({ ...merchant, role: 'analyst' }, ['manager', 'analyst'])).not.toThrow();
    expect(() => needRole(merchant, ['manager'])).not.toThrow();
    expect(() => needRole({ ...operator, role: 'analyst' }, ['manager'])).not.toThrow();
  });
});

describe('a key that is limited to sites', () => {
  const key: CallerKey = { permissions: [], sites: [11, 12] };
  const named = { ...bearer, siteKeys: 'named' } as typeof bearer;
  const admitted = (operation: typeof bearer, caller: Caller, ...fields: unknown[]) =>
    expect(() => admitSites(operation, caller, fields));

  it('is admitted where it names its sites only', () => {
    const caller = { ...merchant, key };
    admitted(named, caller, { sid: 11 }).not.toThrow();
    admitted(named, caller, { sid: '12' }, undefined).not.toThrow();
    admitted(named, caller, { sid: [11, 12] }).not.toThrow();
    admitted(named, caller, { sid: [11, 13] }).toThrow(refusal('site_not_allowed'));
    admitted(named, caller, { sid: 13 }).toThrow(refusal('site_not_allowed'));
    admitted(named, caller, {}, undefined, 'text').toThrow(refusal('site_not_allowed'));
  });

  it('is not looked at where the operation limits its results, and for other callers', () => {
    admitted({ ...bearer, siteKeys: 'filtered' } as never, { ...merchant, key }, { sid: 13 }).not.toThrow();
    admitted(named, { ...merchant, key: { permissions: [], sites: null } }, { sid: 13 }).not.toThrow();
    admitted(named, merchant, { sid: 13 }).not.toThrow();
  });
});

describe('the caller that the authorizer names', () => {
  it('has what it says and nothing else', () => {
    expect(toCaller(bearer, { scope: 'merchant', subject: 'm', mid: '1' })).toEqual(merchant);
    expect(toCaller(bearer, { scope: 'admin', subject: 'root', mid: '1' })).toEqual(operator);
    expect(toCaller(bearer, user)).toEqual({ ...merchant, role: 'analyst', freshUntil: user.freshUntil });
    expect(Object.keys(toCaller(bearer, { ...user, role: 'owner', freshUntil: 7, program: 'false' })).sort()).toEqual([
      'mid',
      'scope',
      'subject',
    ]);
    expect(toCaller(bearer, { ...user, program: 'true' }).isProgram).toBe(true);
  });

  it('has no scope where an operation needs none', () => {
    expect(toCaller({ ...bearer, auth: 'signature' } as never, user)).toEqual({ scope: 'none', subject: 'signature' });
  });

  it('has the known permissions and the sites of its key', () => {
    const { key } = toCaller(bearer, keyContext('nonsense', '11 12'));
    expect(key).toEqual({ permissions: [], sites: [11, 12] });
    expect(toCaller(bearer, keyContext('')).key).toEqual({ permissions: [], sites: null });
  });
});

describe('what a merchant may see', () => {
  it('is its own; an operator sees all', () => {
    expect([canAccessMerchant(merchant, 1), canAccessMerchant(merchant, 2)]).toEqual([true, false]);
    expect(canAccessMerchant(operator, 2)).toBe(true);
    // A caller without a token who knows the number nevertheless.
    expect(canAccessMerchant({ ...merchant, scope: 'none' }, 1)).toBe(false);
  });

  it('is nothing that belongs to no merchant', () => {
    const seen = (caller: Caller) => visibleOrRefuse({ mid: null }, caller, 'alert_not_found', 'alert_id: none');
    expect(seen(operator)).toEqual({ mid: null });
    expect(() => seen(merchant)).toThrow(refusal('alert_not_found'));
    expect(() => seen({ ...merchant, mid: null as never })).toThrow(refusal('alert_not_found'));
    expect(() => visibleOrRefuse(undefined, operator, 'alert_not_found', 'none')).toThrow(refusal('alert_not_found'));
  });

  it('with a key of some sites is nothing of other sites, even for an operator', () => {
    const key: CallerKey = { permissions: [], sites: [11] };
    expect(canAccessSite({ ...operator, key }, { mid: 2, sid: 11 })).toBe(true);
    expect(canAccessSite({ ...operator, key }, { mid: 2, sid: 12 })).toBe(false);
    expect(canAccessSite({ ...operator, key: { ...key, sites: null } }, { mid: 2 })).toBe(true);
  });
});
