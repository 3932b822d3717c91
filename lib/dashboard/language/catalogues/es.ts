import type { Catalogue } from '../translate.ts';

export const words: Catalogue = {};
