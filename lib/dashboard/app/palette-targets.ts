import { translate } from '../language/translate.ts';
/** Returns the screens that the palette finds for a text. Pure. */

export type Target = { label: string; path: string };

/**
 * Screens whose name has the words. `isUnsearched`: there is no merchant to search, so that a number is offered as whatever it may be; what exists
 * is otherwise found by the search.
 */
export const findTargets = (text: string, screens: readonly Target[], isUnsearched = false): Target[] => {
  const words = text.trim().toLowerCase();
  const found = screens.filter(({ label }) => label.toLowerCase().includes(words));
  if (!isUnsearched) return found;
  if (/^cb_\w+$/.test(words))
    return [{ label: translate('Chargeback {id}', { id: words }), path: `/chargebacks/${words}` }];
  if (/^\d{1,16}$/.test(words)) {
    const id = words;
    return [
      { label: translate('Open alert {id}', { id }), path: `/alerts/${id}` },
      { label: translate('Open payment {id}', { id }), path: `/payments/${id}` },
      { label: translate('Open order {id}', { id }), path: `/orders/${id}` },
      { label: translate('Settings of site {id}', { id }), path: `/settings/${words}` },
    ];
  }
  return found;
};
