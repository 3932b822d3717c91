import { ofMerchant } from '../app/merchant.ts';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Field, Select } from './field.tsx';
import { useLoad } from './load.ts';

type SiteFieldProps = {
  type?: 'alert' | 'payment' | '3ds';
  name?: string;
  label?: string;
  problem?: string | undefined;
  /** A first choice in addition to the sites. */
  none?: string;
  value?: string;
};

/** A choice among the sites one may see; where those cannot be read, or are too many, their number is typed. */
export const SiteField = ({ type, name = 'sid', label = translate('Site'), problem, none, value }: SiteFieldProps) => {
  const { data, error } = useLoad(`sites ${type ?? ''} ${ofMerchant().mid ?? ''}`, (signal) =>
    listSites({ body: { size: 100, ...ofMerchant(), ...(type && { type: [type] }) }, signal }),
  );
  if (error || (data && data.next_cursor !== null))
    return (
      <Field
        {...{ label: translate('{label} number', { label }), name, problem }}
        type="number"
        min={1}
        required
        defaultValue={value}
      />
    );
  const choices = (data?.list ?? []).map(({ sid, name: words }) => ({
    value: String(sid),
    label: `${words} (${sid})`,
  }));
  return (
    <Select
      key={data ? 'sites' : 'none'}
      {...{ label, name, problem }}
      choices={none === undefined ? choices : [{ value: '', label: none }, ...choices]}
      defaultValue={value ?? choices[0]?.value ?? ''}
      required={none === undefined}
    />
  );
};
