import { anyOf, atLeast, type Contract, fields, list, text, whole } from '../schema.ts';

const key = { authorization: /^Basic [A-Za-z0-9+/]+=*$/ };
const failed = { default: atLeast({ code: text(), message: text() }) };
const perPage = text(/^(?:[1-9]\d?|100)$/);

const named = fields({ '_fields?': text() });
const order = atLeast({ id: whole, number: text(), status: text() });

/** The calls of WooCommerce's REST API. */
export const wooCommerceCalls: Contract = {
  source:
    'https://woocommerce.github.io/woocommerce-rest-api-docs, https://woocommerce.github.io/subscriptions-rest-api-docs, and its controllers of orders and refunds on https://github.com/woocommerce/woocommerce',
  version: 'v3',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'GET /shop/wp-json/wc/v3/orders': {
      headers: key,
      query: fields({
        ...{ per_page: perPage, 'offset?': text(/^\d+$/), '_fields?': text(), 'page?': text(/^\d+$/) },
        'include?': text(/^\d+(?:,\d+)*$/),
        ...{
          'orderby?': anyOf('modified', 'date', 'id'),
          'order?': anyOf('asc', 'desc'),
          'dates_are_gmt?': anyOf('true'),
        },
        'search?': text(),
        'modified_after?': text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      }),
      answers: { 200: list(atLeast({ id: whole })), ...failed },
    },
    // https://developer.woocommerce.com/docs/apis/rest-api/v3/refunds/, with the collection parameters of its controller.
    'GET /shop/wp-json/wc/v3/refunds': {
      headers: key,
      query: fields({
        ...{ per_page: perPage, '_fields?': text(), orderby: anyOf('date', 'id'), order: anyOf('asc', 'desc') },
        ...{ after: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/), dates_are_gmt: anyOf('true') },
      }),
      answers: {
        200: list(atLeast({ id: whole, parent_id: whole, amount: text(/^-?\d+(?:\.\d+)?$/) })),
        ...failed,
      },
    },
    'GET /shop/wp-json/wc/v3/orders/{id}': { headers: key, query: named, answers: { 200: order, ...failed } },
    'POST /shop/wp-json/wc/v3/orders/{id}': {
      ...{ headers: key, query: named, body: fields({ status: anyOf('on-hold') }), answers: { 200: order, ...failed } },
    },
    'GET /shop/wp-json/wc/v3/subscriptions': {
      headers: key,
      query: fields({ per_page: perPage, '_fields?': text(), 'parent?': text(/^\d+$/), 'include?': text(/^\d+$/) }),
      answers: { 200: list(atLeast({ id: whole, status: text() })), ...failed },
    },
    'POST /shop/wp-json/wc/v3/subscriptions/{id}': {
      ...{ headers: key, query: named, body: fields({ status: anyOf('cancelled') }) },
      answers: { 200: atLeast({ id: whole, status: text() }), ...failed },
    },
    'GET /shop/wp-json/wc/v3/orders/{id}/refunds': {
      headers: key,
      query: fields({ per_page: perPage, '_fields?': text(), 'page?': text(/^\d+$/) }),
      answers: { 200: list(atLeast({ id: whole, amount: text(/^-?\d+(?:\.\d+)?$/) })), ...failed },
    },
  },
};
