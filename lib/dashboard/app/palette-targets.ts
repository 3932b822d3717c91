import { translate } from '../language/translate.ts';
/** Returns what the palette finds for a text. Pure. */

export type Target = { label: string; path: string };

/** Screens whose name has the words, and what a number or an id may be. */
export const findTargets = (text: string, screens: readonly Target[]): Target[] => {
  const words = text.trim().toLowerCase();
  const found = screens.filter(({ label }) => label.toLowerCase().includes(words));
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
