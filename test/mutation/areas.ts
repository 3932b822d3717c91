/**
 * The areas whose kill rates are recorded. A file belongs to the first area with a prefix that it begins with; any other to the area of its
 * folder, such as `payments/threeds`.
 */
export type Area = { name: string; goal: number };

const coreGoal = 95;
const usualGoal = 85;

/** Code that decides about money, and about access. */
const coreAreas: Readonly<Record<string, readonly string[]>> = {
  ledger: ['payments/transactions/ledger/', 'payments/balance/'],
  money: ['core/kernel/money/', 'disputes/alerts/disputed-money.ts', 'payments/transactions/follow-up/'],
  refunds: ['disputes/refunds/'],
  answers: ['disputes/alerts/answer/', 'disputes/outcomes/'],
  matching: ['disputes/matching/', 'disputes/alerts/intake/matching.ts'],
  tenancy: [
    'core/platform/operation/merchant-access.ts',
    'core/platform/http/access.ts',
    'disputes/outcomes/outcome-access-store.ts',
    'disputes/chargebacks/chargeback-access-store.ts',
    'messaging/webhooks/delivery-access-store.ts',
    'accounts/auth/users/user-scope.ts',
    'accounts/auth/audit-scope-store.ts',
  ],
  signatures: [
    'core/kernel/provider-signature.ts',
    'core/kernel/key-ring.ts',
    'core/kernel/content-digest.ts',
    'core/kernel/crypto.ts',
    'core/platform/post/signature.ts',
    'disputes/alerts/intake/intake-signature-store.ts',
  ],
};

export const findArea = (file: string): Area => {
  const path = file.replace(/^functions\//, '');
  // A single file says more than the folder that it is in.
  const found = Object.entries(coreAreas)
    .flatMap(([name, prefixes]) => prefixes.map((prefix) => ({ name, prefix })))
    .filter(({ prefix }) => path.startsWith(prefix))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0];
  if (found) return { name: found.name, goal: coreGoal };
  const folders = path.split('/').slice(0, -1);
  return { name: folders.slice(0, 2).join('/') || 'functions', goal: usualGoal };
};
