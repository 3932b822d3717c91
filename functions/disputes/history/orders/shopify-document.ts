import { shopifyCardFragment, shopifyTransactionFields } from '#payments/processors/shopify/shopify-documents.ts';

const address = '{ name firstName lastName address1 address2 city provinceCode countryCodeV2 zip phone }';
const total = '{ presentmentMoney { amount currencyCode } }';

/** The orders of a shop with all that is imported of them, sorted by their last change. Pure. */
export const soldOrders = `query SoldOrders($query: String!, $first: Int!, $after: String) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes {
      id name test createdAt updatedAt cancelledAt email clientIp
      customAttributes { key value }
      totalPriceSet ${total} totalShippingPriceSet ${total} totalTaxSet ${total} totalDiscountsSet ${total}
      billingAddress ${address} shippingAddress ${address}
      lineItems(first: 50) { nodes { title quantity sku originalUnitPriceSet ${total} } }
      fulfillments(first: 10) { status createdAt deliveredAt trackingInfo(first: 1) { company number url } }
      transactions(first: 50) { ${shopifyTransactionFields} }
    }
    edges { cursor }
    pageInfo { hasNextPage endCursor } } }
  ${shopifyCardFragment}` as const;
