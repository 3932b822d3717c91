import type { Item } from '#core/platform/table/item.ts';
import type { Funds } from '#payments/processors/ports/processor.ts';
import { sumFunds } from './funds.ts';

const kinds = ['available', 'reserved'] as const;

/** A site's funds from its rows. Numbers beyond what JavaScript holds exactly come as bigint. */
export const fromBalanceItems = (items: readonly (Item | undefined)[]): Funds[] =>
  sumFunds(
    items.flatMap((item) =>
      Object.entries(item ?? {}).flatMap(([name, value]) => {
        const [kind, currency] = name.split('#');
        if (currency === undefined || !kinds.some((one) => one === kind)) return [];
        const minor = BigInt(String(value));
        return [{ currency, available: 0n, reserved: 0n, [String(kind)]: minor }];
      }),
    ),
  );
