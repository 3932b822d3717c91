import type { Money } from '#core/kernel/money/money.ts';

/** An amount as rows keep it: minor units as text, since JSON has no exact integers. */
export type KeptMoney = { minor: string; currency: string };

export const keptMoney = ({ minor, currency }: Money): KeptMoney => ({ minor: String(minor), currency });

export const fromKeptMoney = ({ minor, currency }: KeptMoney): Money => ({ minor: BigInt(minor), currency });
