import { useState } from 'preact/hooks';
import type { listMerchantsOperation as ListMerchantsOperation } from '#accounts/merchants/api/list-merchants/operation.ts';
import { remote } from '../app/client.ts';
import { chooseMerchant, chosenMerchant, isOperator } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useLoad } from './load.ts';
import { Trouble } from './trouble.tsx';

type Merchant = { mid: number; name: string };

const listMerchants = remote<typeof ListMerchantsOperation>({ path: '/api/v3/merchant' });
const maxPages = 10;

/** All merchants by name, also those without a site; a thousand at most. */
export const readMerchants = async (signal: AbortSignal): Promise<Merchant[]> => {
  const all: Merchant[] = [];
  let before: number | null | undefined;
  for (let page = 0; page < maxPages && before !== null; page += 1) {
    const read: Awaited<ReturnType<typeof listMerchants>> = await listMerchants({
      body: { ...(before !== undefined && { before }) },
      signal,
    });
    all.push(...read.list);
    before = read.next_before;
  }
  return all.sort((left, right) => left.name.localeCompare(right.name));
};

/** For operators: whose things are shown. */
export const ChooseMerchant = () => {
  const [isOpen, setOpen] = useState(false);
  if (!isOperator()) return null;
  const present = chosenMerchant();
  const close = () => setOpen(false);
  return (
    <>
      <Button look="bare" onPress={() => setOpen(true)}>
        <span class="unseen">{translate('Merchant:')} </span>
        {present?.name ?? translate('All merchants')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Whose alerts and payments are shown')} onClose={close}>
          <Choices onDone={close} />
        </Dialog>
      )}
    </>
  );
};

const Choices = ({ onDone }: { onDone: () => void }) => {
  const { data, error, reload } = useLoad('merchants', readMerchants);
  const choose = (merchant: Merchant | undefined) => {
    chooseMerchant(merchant);
    onDone();
  };
  return (
    <>
      <Trouble error={error} onRetry={reload} />
      <ul class="choices">
        <li>
          <Button onPress={() => choose(undefined)}>{translate('All merchants')}</Button>
        </li>
        {(data ?? []).map((merchant) => (
          <li key={merchant.mid}>
            <Button onPress={() => choose(merchant)}>
              {merchant.name} <span class="quiet">{merchant.mid}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
};
