import { nowMilliseconds } from '#core/kernel/clock.ts';
import { equalSecrets } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireNew, requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, putItem } from '#core/platform/table/table.ts';
import { type SandboxPayment, withAnswer } from './sandbox.ts';
import { isPageId, paymentIdOfPage } from './sandbox-reference.ts';
import { fromSandboxItem, toSandboxItem } from './sandbox-row.ts';

/** A payment that was written down; undefined for one that has no row. */
export const getPayment = async (id: string): Promise<SandboxPayment | undefined> => {
  const item = await getItem(keys.sandboxPayment(id));
  return item && fromSandboxItem(item);
};

/** Writes a new payment and returns it; or returns the one that the same key made before. */
export const addPayment = async (payment: SandboxPayment): Promise<SandboxPayment> => {
  try {
    await putItem(toSandboxItem(payment), requireNew);
    return payment;
  } catch (error) {
    const existing = error instanceof ConditionFailedError && error.item;
    if (!existing) throw error;
    return fromSandboxItem(existing);
  }
};

/**
 * Changes a payment; after a conflict, the change is applied again to the new state, so that one of several conflicting changes wins.
 * `unwritten`: the payment if it has no row, which is tried first, as most payments have none; a failed write returns the row that exists.
 * Returns undefined if there is neither.
 */
export const changePayment = async (
  id: string,
  unwritten: SandboxPayment | undefined,
  change: (payment: SandboxPayment) => SandboxPayment,
): Promise<SandboxPayment | undefined> => {
  let written = unwritten ? undefined : await getPayment(id);
  return retryOnConflict(
    async (conflict) => {
      if (conflict) {
        written = conflict.item && fromSandboxItem(conflict.item);
      }
      const before = written ?? unwritten;
      if (!before) return undefined;
      const after = change(before);
      if (after === before) return written ?? (await getPayment(id)) ?? before;
      await putItem(toSandboxItem({ ...after, version: before.version + 1 }), conditionOn(written));
      return after;
    },
    { maxAttempts: 20 },
  );
};

const conditionOn = (written: SandboxPayment | undefined) =>
  written ? requireVersion(written.version, 'payment') : requireNew;

/**
 * Checks whether a page is this payment's; its address ends in a secret, so that knowing a payment's identifier is not enough to answer for
 * its payer.
 */
const isPageOf = (payment: SandboxPayment | undefined, pageId: string): payment is SandboxPayment =>
  payment?.page != null && equalSecrets(pageId, `${payment.id}${payment.page.secret}`);

const noPage = () => new Refusal('page_not_found', 'The link is wrong or incomplete.');

/** The payment of a hosted page's address. Throws page_not_found. */
export const paymentOfPage = async (pageId: string): Promise<SandboxPayment> => {
  const payment = isPageId(pageId) ? await getPayment(paymentIdOfPage(pageId)) : undefined;
  if (!isPageOf(payment, pageId)) throw noPage();
  return payment;
};

/** The payment after what the payer answered on its page; the first answer stays. Throws page_not_found. */
export const answerPage = async (pageId: string, answer: 'approve' | 'decline'): Promise<SandboxPayment> => {
  if (!isPageId(pageId)) throw noPage();
  const answered = await changePayment(paymentIdOfPage(pageId), undefined, (payment) =>
    isPageOf(payment, pageId) ? withAnswer(payment, answer, nowMilliseconds()) : payment,
  );
  if (!isPageOf(answered, pageId)) throw noPage();
  return answered;
};
