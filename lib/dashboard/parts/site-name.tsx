import { link } from '../app/address.ts';
import { ofMerchant } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { useLoad } from './load.ts';

/** A link to a site's settings with its name. It shows the number until the name is known, or if there are too many sites to read. */
export const SiteName = ({ sid }: { sid: number }) => {
  const { data } = useLoad(`site names ${ofMerchant().mid ?? ''}`, (signal) =>
    listSites({ body: { size: 100, ...ofMerchant() }, signal }),
  );
  return (
    <a href={link(`/settings/${sid}`)}>
      {data?.list.find((site) => site.sid === sid)?.name ?? translate('Site {sid}', { sid })}
    </a>
  );
};
