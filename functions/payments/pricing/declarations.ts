export const pricedBySite = {
  method: 'POST',
  auth: 'site',
  errorShape: 'transaction',
  formats: ['json', 'form'],
  variables: ['ALLOW_SANDBOX'],
} as const;
export const siteErrors = ['rcode_wrong', 'site_not_for_payments'] as const;
