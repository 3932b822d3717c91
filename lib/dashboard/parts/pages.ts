import { ofMerchant } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import { type Filter, type Load, narrowPages } from './narrow-pages.ts';

type Answered<Row> = { list: readonly Row[]; totalResult?: number | null | undefined; next_cursor: string | null };
type List<Body, Row> = (call: { body: Body; signal?: AbortSignal }) => Promise<Answered<Row>>;

/** Reads pages of a list for the selected merchant. Its filters have the names of the operation's fields, or look through its rows. */
export const loadPages = <Body, Row>(list: List<Body, Row>, filters: readonly Filter<Row>[] = []): Load<Row> =>
  narrowPages(filters, async (given, page, signal) => {
    // Values of filters are texts, which the operation reads and may refuse: no type describes them further.
    const body = { ...ofMerchant(), ...given, ...page } as Body;
    const { totalResult, ...rest } = await list({ body, ...(signal && { signal }) });
    return { ...rest, totalResult: totalResult ?? undefined };
  });

/** Filters that most lists have. */
export const siteFilter: Filter<unknown> = { name: 'sid', label: translate('Site'), type: 'site' };
export const alertFilter: Filter<unknown> = {
  name: 'alert_id',
  label: translate('Alert number'),
  type: 'number',
  fits: /^1\d{15}$/,
};
/** `what`: what happened in the span, such as `Ordered`. */
export const spanFilters = (what: string): readonly Filter<unknown>[] => [
  { name: 'date_from', label: translate('{what} from', { what }), type: 'date' },
  { name: 'date_to', label: translate('{what} until', { what }), type: 'date' },
];
