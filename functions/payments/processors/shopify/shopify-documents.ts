/** The documents sent to Shopify's Admin API: https://shopify.dev/docs/api/admin-graphql */

const money = 'amountSet { presentmentMoney { amount currencyCode } }';
/**
 * `authorizationCode` is deprecated since 2026-07 in favour of `paymentId`, which is no authorisation code: alerts name that. Version 2026-07 is supported
 * until about 2027-07. https://shopify.dev/docs/api/admin-graphql/2026-07/objects/OrderTransaction (2026-11-28)
 */
export const shopifyTransactionFields = `
  id kind status gateway createdAt processedAt authorizationCode ${money}
  parentTransaction { id authorizationCode paymentDetails { ...card } }
  paymentDetails { ...card }`;
export const shopifyCardFragment =
  'fragment card on PaymentDetails { ... on CardPaymentDetails { bin number company } }';
const order = `
  id name presentmentCurrencyCode
  transactions(first: 100) { ${shopifyTransactionFields} }
  refunds(first: 100) { id note transactions(first: 20) { nodes { id kind status } } }
  disputes { id status initiatedAs }`;
const dispute = `
  id type status initiatedAt evidenceDueBy amount { amount currencyCode } reasonDetails { reason networkReasonCode }
  order { id transactions(first: 100) { id kind status } }`;
export const shopifyDocuments = {
  orders: `query Orders($query: String!, $first: Int!, $after: String) {
    orders(first: $first, after: $after, query: $query) { nodes { ${order} } pageInfo { hasNextPage endCursor } } }
    ${shopifyCardFragment}`,
  transaction: `query Transaction($id: ID!) {
    node(id: $id) { ... on OrderTransaction { order { ${order} } } } }
    ${shopifyCardFragment}`,
  dispute: `query Dispute($id: ID!) { dispute(id: $id) { ${dispute} } }`,
  disputeEvidence: `query DisputeEvidence($id: ID!) {
    dispute(id: $id) { status evidenceSentOn disputeEvidence {
      id submitted uncategorizedText disputeFileUploads { id originalFileName } } } }`,
  updateEvidence: `mutation UpdateEvidence($id: ID!, $input: ShopifyPaymentsDisputeEvidenceUpdateInput!) {
    disputeEvidenceUpdate(id: $id, input: $input) { disputeEvidence { submitted } userErrors { code } } }`,
  disputes: `query Disputes($after: String) {
    disputes(first: 100, after: $after, reverse: true) { nodes { ${dispute} } pageInfo { hasNextPage endCursor } } }`,
  scopes: 'query Scopes { currentAppInstallation { accessScopes { handle } } }',
  subscribe: `mutation Subscribe($topic: WebhookSubscriptionTopic!, $uri: String!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
      webhookSubscription { id } userErrors { field message } } }`,
  fulfillment: `query Fulfillment($id: ID!) { order(id: $id) { fulfillmentOrders(first: 50) {
    nodes { id status fulfillmentHolds { handle heldByRequestingApp } } } } }`,
  holdFulfillment: `mutation HoldFulfillment($id: ID!, $hold: FulfillmentOrderHoldInput!) {
    fulfillmentOrderHold(id: $id, fulfillmentHold: $hold) { fulfillmentHold { id } userErrors { code message } } }`,
  contracts: `query Contracts($id: ID!) {
    order(id: $id) { lineItems(first: 100) { nodes { contract { id status } } } } }`,
  cancelContract: `mutation CancelContract($id: ID!) {
    subscriptionContractCancel(subscriptionContractId: $id) { contract { id status } userErrors { message } } }`,
  refund: `mutation Refund($input: RefundInput!, $key: String!) {
    refundCreate(input: $input) @idempotent(key: $key) {
      refund { id note transactions(first: 20) { nodes { id kind status } } } userErrors { field message } } }`,
} as const;
