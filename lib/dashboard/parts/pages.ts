import { ofMerchant } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import type { Filter } from './filters.tsx';
import type { Page, PageAsked } from './listing.tsx';

type Answered<Row> = { list: readonly Row[]; totalResult?: number | null | undefined; next_cursor: string | null };
type List<Body, Row> = (call: { body: Body; signal?: AbortSignal }) => Promise<Answered<Row>>;

/** Reads pages of a list for the selected merchant. Its filters must have the names of the operation's fields. */
export const pagesOf =
  <Body, Row>(list: List<Body, Row>) =>
  async (given: Readonly<Record<string, string>>, page: PageAsked, signal?: AbortSignal): Promise<Page<Row>> => {
    // Values of filters are texts, which the operation reads and may refuse: no type describes them further.
    const body = { ...ofMerchant(), ...given, ...page } as Body;
    const { totalResult, ...rest } = await list({ body, ...(signal && { signal }) });
    return { ...rest, totalResult: totalResult ?? undefined };
  };

/** Filters that most lists have. */
export const siteFilter: Filter = { name: 'sid', label: translate('Site number'), type: 'number' };
export const alertFilter: Filter = {
  name: 'alert_id',
  label: translate('Alert number'),
  type: 'number',
  fits: /^1\d{15}$/,
};
/** `what`: what happened in the span, such as `Ordered`. */
export const spanFilters = (what: string): readonly Filter[] => [
  { name: 'date_from', label: translate('{what} from', { what }), type: 'date' },
  { name: 'date_to', label: translate('{what} until', { what }), type: 'date' },
];
