import { useRef, useState } from 'preact/hooks';
import type { createRetailerOperation as CreateRetailerOperation } from '#accounts/merchants/api/create-retailer/operation.ts';
import type { createSiteOperation as CreateSiteOperation } from '#accounts/merchants/api/create-site/operation.ts';
import { go, link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { presentMid } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';

const createRetailer = remote<typeof CreateRetailerOperation>({
  path: '/api/v3/retailer/mid/{mid}/create',
  roles: ['manager'],
});
const createSite = remote<typeof CreateSiteOperation>({
  path: '/api/v3/site/mid/{mid}/rid/{rid}/create',
  roles: ['manager'],
});
type Created = ReplyOf<typeof CreateSiteOperation>;

/** Creates a site, under a retailer that exists or a new one, and shows its secrets once. */
export const NewSite = () => {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  const mid = presentMid();
  if (mid === undefined || !createSite.isAllowed()) return null;
  const finish = (site: Created) => {
    setOpen(false);
    setCreated(site);
  };
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        {translate('New site')}
      </Button>
      {isOpen && (
        <Dialog title={translate('New site')} onClose={() => setOpen(false)}>
          <SiteForm mid={mid} onCreated={finish} />
        </Dialog>
      )}
      {created && <SecretsOnce site={created} />}
    </>
  );
};

const newRetailer = 'new';

const SiteForm = ({ mid, onCreated }: { mid: number; onCreated: (site: Created) => void }) => {
  const { data, error, reload } = useLoad(`retailers ${mid}`, (signal) =>
    listSites({ body: { mid, size: 500 }, signal }),
  );
  const [retailer, setRetailer] = useState<string>();
  // A retailer that was created before the site was refused is used by the next try.
  const made = useRef<{ name: string; rid: number } | null>(null);
  if (!data) return error ? <Trouble error={error} onRetry={reload} /> : <Waiting rows={2} />;
  const known = new Map(data.list.map(({ rid, retailer_name }) => [String(rid), retailer_name]));
  const present = retailer ?? [...known.keys()][0] ?? newRetailer;
  const retailerOf = async (name: string): Promise<number> => {
    if (present !== newRetailer) return Number(present);
    if (made.current?.name !== name) {
      made.current = { name, rid: (await createRetailer({ params: { mid }, body: { name } })).rid };
    }
    return made.current.rid;
  };
  const send = async ({ name = '', url, retailer_name = '' }: Record<string, string>) => {
    const rid = await retailerOf(retailer_name);
    onCreated(await createSite({ params: { mid, rid }, body: { name, ...(url && { url }) } }));
  };
  return (
    <Form send={translate('Create the site')} onSend={send}>
      {(problems) => (
        <>
          <Field label={translate('Name')} name="name" required maxLength={200} problem={problems['name']} />
          <Field
            label={translate('Address of the shop (optional)')}
            name="url"
            inputMode="url"
            problem={problems['url']}
          />
          <Select
            label={translate('Retailer')}
            choices={[
              ...[...known].map(([value, label]) => ({ value, label })),
              { value: newRetailer, label: translate('A new retailer') },
            ]}
            value={present}
            onChange={({ currentTarget }) => setRetailer(currentTarget.value)}
            hint={translate('The shop or brand that sites belong to.')}
          />
          {present === newRetailer && (
            <Field label={translate('Name of the retailer')} name="retailer_name" required maxLength={200} />
          )}
        </>
      )}
    </Form>
  );
};

const SecretsOnce = ({ site: { sid, rcode, signing_secret: signingSecret } }: { site: Created }) => (
  <SecretDialog
    title={translate('The site was created')}
    secrets={[
      { name: 'rcode', text: rcode },
      { name: translate('signing secret'), text: signingSecret },
    ]}
    done={translate('I have saved them')}
    onClose={() => go(link(`/settings/${sid}`))}
    isFirm
  >
    <p>{translate('Copy its secrets now: they will not be shown again. Both can be rotated.')}</p>
  </SecretDialog>
);
