/** Returns what the palette finds for a text. Pure. */

export type Target = { label: string; path: string };

/** Screens whose name has the words, and what a number or an id may be. */
export const findTargets = (text: string, screens: readonly Target[]): Target[] => {
  const words = text.trim().toLowerCase();
  const found = screens.filter(({ label }) => label.toLowerCase().includes(words));
  if (/^cb_\w+$/.test(words)) return [{ label: `Chargeback ${words}`, path: `/chargebacks/${words}` }];
  if (/^\d{1,16}$/.test(words)) {
    return [
      ...['alert', 'payment', 'order'].map((kind) => ({
        label: `Open ${kind} ${words}`,
        path: `/${kind}s/${words}`,
      })),
      { label: `Settings of site ${words}`, path: `/settings/${words}` },
    ];
  }
  return found;
};
