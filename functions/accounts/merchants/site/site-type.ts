import { Refusal } from '#core/platform/operation/errors.ts';
import type { Site } from './site.ts';

/**
 * Throws site_not_for_payments, with what to do about it, unless it is a payment site. Check first that the
 * caller may use the site: others must not learn its type.
 */
export const checkTakesPayments = ({ type }: Pick<Site, 'type'>): void => {
  if (type === 'payment') return;
  throw new Refusal(
    'site_not_for_payments',
    type === null
      ? 'sid: the site has no payment settings yet; set them with …/sid/{sid}/payment first.'
      : `sid: this is a site of type ${type}, and types are permanent; use a payment site.`,
  );
};

/**
 * Throws signature_required if the site's settings accept signatures of whole bodies only. Check first that the caller may
 * use the site.
 */
export const checkProof = (
  { payment, threeDs }: Pick<Site, 'payment' | 'threeDs'>,
  { isSigned }: { isSigned: boolean },
): void => {
  const setting = payment?.['signature'] ?? threeDs?.settings['signature'];
  if (isSigned || setting !== 'required') return;
  throw new Refusal(
    'signature_required',
    'hash: the settings of the site accept only the header x-signature (signature: required). Sign the body with it instead.',
  );
};
