import { useState } from 'preact/hooks';
import { chooseMerchant, chosenMerchant, isOperator } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useLoad } from './load.ts';
import { Trouble } from './trouble.tsx';

type Merchant = { mid: number; name: string };

/** The merchants that have sites: each once, by name. */
const merchants = async (signal: AbortSignal): Promise<Merchant[]> => {
  const { list } = await listSites({ body: { size: 500 }, signal });
  const byNumber = new Map(list.map(({ mid, merchant_name: name }) => [mid, { mid, name }]));
  return [...byNumber.values()].sort((left, right) => left.name.localeCompare(right.name));
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
  const { data, error, reload } = useLoad('merchants', merchants);
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
