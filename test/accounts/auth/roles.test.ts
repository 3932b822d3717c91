import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { admit, needFresh, needRole, toCaller } from '#core/platform/http/access.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { type Operation, type Role, roles } from '#core/platform/operation/operation.ts';
import { handlerFile } from '#functions/declaration-files.ts';
import { operations } from '#functions/operations.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { useOperations } from '#test/support/operations.ts';

useOperations();

const fullName = ({ area, name }: Operation) => `${area}/${name}`;
const guarded = operations.filter(({ auth }) => auth === 'bearer' || auth === 'admin');

/** Calls an operation with an empty body; what comes after the check of the role is of no interest. */
const codeFor = async (operation: Operation, authorizer: Record<string, string>): Promise<unknown> => {
  const { handler } = await import(pathToFileURL(handlerFile(operation)).href);
  const headers = { 'content-type': 'application/json' };
  const { body } = await call(
    handler,
    gatewayEvent({ path: operation.path, method: operation.method, body: '{}', headers, authorizer }),
  );
  return (body as { code?: unknown }).code;
};
const merchant = (role?: Role) => ({ scope: 'merchant', mid: '7', subject: 'm', ...(role && { role }) });
const over = '2000-01-01T00:00:00.000Z';

describe.each(guarded.filter(({ roles: declared }) => declared))('$area/$name', (operation) => {
  it('is for the roles that it declares, for operators, and for tokens of before there were roles', async () => {
    for (const role of roles) {
      const refused = (await codeFor(operation, merchant(role))) === 'role_missing';
      expect(refused, role).toBe(!operation.roles?.includes(role));
    }
    const asManager = (await codeFor(operation, merchant())) === 'role_missing';
    expect(asManager).toBe(!operation.roles?.includes('manager'));
    expect(await codeFor(operation, { scope: 'admin', subject: 'root' })).not.toBe('role_missing');
  });
});

describe.each(guarded.filter(({ fresh }) => fresh))('$area/$name', (operation) => {
  it('requires a password given within the last 15 minutes, also from operators and programs', async () => {
    for (const who of [merchant('manager'), { scope: 'admin', subject: 'root' }]) {
      expect(await codeFor(operation, { ...who, freshUntil: over })).toBe('fresh_sign_in_needed');
      expect(await codeFor(operation, { ...who, freshUntil: '2999-01-01T00:00:00.000Z' })).not.toBe(
        'fresh_sign_in_needed',
      );
      expect(await codeFor(operation, { ...who, freshUntil: over, program: 'true' })).toBe('fresh_sign_in_needed');
      expect(await codeFor(operation, who)).toBe('fresh_sign_in_needed');
    }
  });
});

/**
 * The operations that each role may change, in the words of the service's own table; all roles may read whatever is not listed.
 */
const expected: Readonly<Record<string, readonly Role[]>> = {
  'alerts/answer-alert': ['analyst', 'manager'],
  'alerts/create-test-alert': ['developer', 'manager'],
  'alerts/note-alert': ['analyst', 'manager'],
  'auth/set-own-settings': ['analyst', 'developer', 'manager'],
  'alerts/set-assignee': ['analyst', 'manager'],
  'auth/create-api-key': ['manager'],
  'auth/begin-passkey-setup': ['analyst', 'developer', 'manager'],
  'auth/create-user': ['manager'],
  'auth/finish-passkey-setup': ['analyst', 'developer', 'manager'],
  'auth/list-api-keys': ['manager'],
  'auth/revoke-api-key': ['manager'],
  'auth/remove-passkey': ['analyst', 'developer', 'manager'],
  'auth/rename-passkey': ['analyst', 'developer', 'manager'],
  'auth/set-single-sign-on': ['manager'],
  'auth/single-sign-on-details': ['manager'],
  'auth/set-up-factor': ['analyst', 'developer', 'manager'],
  'auth/update-user': ['manager'],
  'cardsearch/card-search-and-email': ['analyst', 'manager'],
  'chargebacks/chargeback-evidence': ['analyst', 'developer', 'manager'],
  'webhooks/replay': ['developer', 'manager'],
  'enrollments/create-enrollment': ['developer', 'manager'],
  'enrollments/unenroll-item': ['developer', 'manager'],
  'fraud/fraud-lists': ['analyst', 'manager'],
  'fraud/set-fraud-lists': ['manager'],
  'merchants/create-retailer': ['manager'],
  'merchants/create-site': ['manager'],
  'merchants/rotate-rcode': ['developer', 'manager'],
  'merchants/rotate-signing-secret': ['developer', 'manager'],
  'merchants/set-alert-settings': ['developer', 'manager'],
  'merchants/set-payment-settings': ['manager'],
  'merchants/set-three-ds-settings': ['manager'],
  'onboarding/enroll-retailer-site': ['manager'],
  'processors/set-site-processors': ['manager'],
  'rules/back-test': ['manager'],
  'rules/create-rule': ['manager'],
  'rules/disable-rule': ['manager'],
  'rules/order-rules': ['manager'],
  'rules/update-rule': ['manager'],
  'refunds/processrefund': ['analyst', 'manager'],
};

describe('the roles', () => {
  it.each(Object.entries(expected))('that may call %s are %j', (name, wanted) => {
    const operation = operations.find((one) => fullName(one) === name);
    expect(operation?.roles).toEqual(wanted);
  });

  it('are what is asked for where it depends on what is sent', () => {
    const caller = toCaller({ auth: 'bearer' }, merchant('analyst'));
    expect(() => needRole(caller, ['manager'])).toThrow(Refusal);
    expect(() => needRole(caller, ['analyst', 'manager'])).not.toThrow();
    expect(() => needRole({ scope: 'admin', subject: 'root' }, ['manager'])).not.toThrow();
  });

  it('are no matter for who calls without a token', () => {
    expect(() => admit({ auth: 'site', roles: ['manager'] }, null, { at: over, sourceIp: '' })).not.toThrow();
    expect(toCaller({ auth: 'site' }, null)).toEqual({ scope: 'none', subject: 'site' });
  });

  it('are none that a token could make up', () => {
    expect(toCaller({ auth: 'bearer' }, { ...merchant(), role: 'emperor' })).toEqual({
      scope: 'merchant',
      mid: 7,
      subject: 'm',
    });
  });
});

describe('what changes something for a merchant', () => {
  const writing = /^(Put|Update|Delete)Item$/;
  /** They read, and keep the counts that were asked for. */
  const counting: readonly string[] = ['webhooks/list', 'outcomes/list-outcomes', 'alerts/list-alerts'];
  const changes = operations.filter(
    ({ area, name, auth, grants }) =>
      !counting.includes(`${area}/${name}`) &&
      auth === 'bearer' &&
      (grants.table?.some((action) => writing.test(action)) || grants.send || grants.mail),
  );

  it('says which roles of its users may do it: see docs/decisions/0079', () => {
    const silent = changes.filter(({ roles }) => roles === undefined);
    expect(silent.map(({ area, name }) => `${area}/${name}`)).toEqual([]);
  });
});

it('takes a password for fresh until the very instant', () => {
  const caller = { scope: 'admin', subject: 'root', freshUntil: '2026-05-02T10:15:00.000Z' } as const;
  expect(() => needFresh(caller, '2026-05-02T10:14:59.999Z')).not.toThrow();
  expect(() => needFresh(caller, '2026-05-02T10:15:00.000Z')).toThrow(Refusal);
});
