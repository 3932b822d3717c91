export const ruleOperation = { method: 'POST', auth: 'bearer' } as const;
export const ownerErrors = ['merchant_not_found', 'site_not_found', 'site_not_for_alerts'] as const;
export const anyOwnerErrors = [...ownerErrors, 'site_not_for_payments'] as const;
