import { readLogo } from '#accounts/merchants/settings/letterhead.ts';
import { fromLetterheadItem } from '#accounts/merchants/settings/letterhead-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { readAssetBytes } from '#core/platform/http/asset-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Assembled } from './chargeback-evidence.ts';
import type { LetterSources } from './evidence-pdf.ts';

/** The date of a letter that is written now, the fonts that are deployed with the function, and the logo of the site. */
export const letterSources = async ({
  chargeback,
  order_evidence,
}: Pick<Assembled, 'chargeback' | 'order_evidence'>): Promise<LetterSources> => {
  const sid = chargeback.sid ?? order_evidence?.order.sid;
  const stored = sid === undefined ? null : fromLetterheadItem(await getItem(keys.letterhead(sid)), sid).logo;
  const logo = stored === null ? undefined : readLogo(stored);
  return { at: nowIso(), readFont: readAssetBytes, logo: typeof logo === 'string' ? undefined : logo };
};
