import { link } from '../app/address.ts';
import { ofMerchant } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { useLoad } from './load.ts';

/** A site by its name, as a link to its settings; by its number until that is known, or where there are too many to read. */
export const SiteName = ({ sid }: { sid: number }) => {
  const { data } = useLoad(`site names ${ofMerchant().mid ?? ''}`, (signal) =>
    listSites({ body: { size: 100, ...ofMerchant() }, signal }),
  );
  return <a href={link(`/settings/${sid}`)}>{data?.list.find((site) => site.sid === sid)?.name ?? `Site ${sid}`}</a>;
};
