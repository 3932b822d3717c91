export const base = { area: 'fraud', method: 'POST', auth: 'bearer' } as const;
