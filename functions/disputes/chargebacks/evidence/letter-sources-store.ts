import { nowIso } from '#core/kernel/clock.ts';
import { readAssetBytes } from '#core/platform/http/asset-store.ts';
import type { LetterSources } from './evidence-pdf.ts';

/** The date of a letter that is written now, and the fonts that are deployed with the function. */
export const letterSources = (): LetterSources => ({ at: nowIso(), readFont: readAssetBytes });
