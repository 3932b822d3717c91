/** The document's headings: by who reads them, merchants first, and within that in the order of their work. */
type Heading = { name: string; title: string; readers: string; description: string };

const of = (
  readers: string,
  entries: Readonly<Record<string, readonly [title: string, description: string]>>,
): Heading[] => Object.entries(entries).map(([name, [title, description]]) => ({ name, title, readers, description }));

export const headings: readonly Heading[] = [
  ...of('Dispute alerts', {
    auth: ['Signing in', 'Tokens, sessions and users.'],
    alerts: ['Alerts', 'Alerts of the card networks, and the merchants’ answers.'],
    notifications: ['Notifications', 'What merchants are told, and what came of it.'],
    enrollments: ['Enrollments', 'Descriptors by which alerts are matched.'],
    rules: ['Rules', 'Rules that decide alerts automatically.'],
    connections: ['Connections', 'The merchant’s own processors, at which a disputed payment is found and refunded.'],
    refunds: ['Refunds of alerts', 'Refunding the payment that an alert is about.'],
    outcomes: ['Outcomes', 'What the card network is told about an answer, and whether it has accepted it.'],
    chargebacks: ['Chargebacks', 'Disputes that became chargebacks anyway.'],
    orders: ['Orders', 'What was bought, for banks to show to their cardholders.'],
    history: ['History', 'What a merchant’s processors have of the time before Forewarn.'],
    search: ['Search', 'One search over alerts, chargebacks, payments, orders and customers.'],
    reports: [
      'Reports',
      'What became of alerts, by day or month, and how close a merchant is to the networks’ programmes.',
    ],
    costs: ['Costs', 'What alerts cost, and which of them are credited.'],
  }),
  ...of('Payments', {
    transactions: ['Transactions', 'Card payments, and everything that is done to them.'],
    threeds: [
      '3-D Secure',
      'Native 3-D Secure: what a merchant’s server calls, and what the SDK in the payer’s page does.',
    ],
    pricing: ['Pricing', 'The price of a purchase: payment options, fees and exchange rates.'],
    fraud: ['Fraud checks', 'Checks of payments, alone or as part of them.'],
    cardsearch: ['Card search', 'Finding transactions by their card.'],
    balance: ['Balance', 'What a payment site holds.'],
  }),
  ...of('Setting up', {
    onboarding: ['Onboarding', 'A retailer and its alert site in one step.'],
    merchants: ['Merchants and sites', 'Merchants, their retailers and sites, and what is set up for them.'],
    processors: ['Processors', 'Where a site’s payments go, and what comes back from there.'],
    datasources: ['Data sources', 'The lists from which other operations take their codes and ids.'],
    'api-keys': ['API keys', 'What programs of a merchant call with.'],
    audit: ['Audit', 'Who changed or opened what.'],
    agents: ['Agents', 'Tools for agents, over the Model Context Protocol.'],
  }),
  ...of('Alert providers', {
    providers: ['Providers', 'How alerts, decisions and look-ups of orders come in.'],
  }),
  ...of('Operators', {
    health: ['Health', 'Check whether the service works.'],
  }),
  ...of('Pages', {
    dashboard: ['Dashboard', 'The page on which people use the service.'],
    documents: ['Documents', 'This document.'],
  }),
];
