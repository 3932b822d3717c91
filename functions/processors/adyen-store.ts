export const adyenMemory = {};
