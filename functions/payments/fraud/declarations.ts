export const fraudOperation = { area: 'fraud', method: 'POST', auth: 'bearer' } as const;
