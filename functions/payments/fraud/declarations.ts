export const fraudOperation = { method: 'POST', auth: 'bearer' } as const;
