import { milliseconds, nowIso } from '#core/kernel/clock.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { findMailAddress, saveMailAddress } from '#core/platform/mail/mail-address-store.ts';
import { findSuppression, isRefusal } from '#core/platform/mail/mail-client.ts';

/** SES answers one such question a second, so each address is asked about once a day. */
const checkedEvery = milliseconds.day;

/**
 * Keeps what became of an e-mail to an address. `refusal`: the error with which SES did not take it; null: it did, and then SES is asked whether it
 * still delivers to the address. Never throws: the e-mail itself is more important.
 */
export const noteMailAddress = async (address: string, refusal: unknown): Promise<void> => {
  const at = nowIso();
  try {
    if (refusal !== null && !isRefusal(refusal)) return;
    const known = await findMailAddress(address);
    if (refusal !== null) {
      const since = known?.fault?.reason === 'refused' ? known.fault.at : at;
      return await saveMailAddress(address, { checkedAt: at, fault: { reason: 'refused', at: since } });
    }
    const isFresh = known && Date.parse(at) - Date.parse(known.checkedAt) < checkedEvery;
    if (isFresh && known.fault?.reason !== 'refused') return;
    await saveMailAddress(address, { checkedAt: at, fault: await findSuppression(address) });
  } catch (error) {
    log('warn', 'mail_address_unchecked', { error: describeError(error) });
  }
};
