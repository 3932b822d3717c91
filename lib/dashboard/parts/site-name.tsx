import { link } from '../app/address.ts';
import { ofMerchant } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { useLoad } from './load.ts';

/** A site's name; its number until the name is known, or if there are too many sites to read. */
export const SiteText = ({ sid }: { sid: number }) => {
  const { data } = useLoad(`site names ${ofMerchant().mid ?? ''}`, (signal) =>
    listSites({ body: { size: 100, ...ofMerchant() }, signal }),
  );
  return <>{data?.list.find((site) => site.sid === sid)?.name ?? translate('Site {sid}', { sid })}</>;
};

/** The name as a link to the site's settings. */
export const SiteName = ({ sid }: { sid: number }) => (
  <a href={link(`/settings/${sid}`)}>
    <SiteText sid={sid} />
  </a>
);
