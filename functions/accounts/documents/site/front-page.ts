import { type SitePlace, siteAddress } from './layout.ts';

type Start = { slug: string; title: string; text: string };

/** The pages that newcomers need, the most needed first. */
const starts: readonly Start[] = [
  {
    slug: 'quickstart',
    title: 'Try it in five minutes',
    text: 'Receive a signed alert, answer it, take a payment and refund it, on your own machine.',
  },
  {
    slug: 'receive-alerts',
    title: 'Receive alerts',
    text: 'Verify the webhook, and know what happens while your endpoint is down.',
  },
  {
    slug: 'payments',
    title: 'Take payments',
    text: 'Pay, authorize, capture and refund, with signed calls that are safe to repeat.',
  },
  {
    slug: 'runbook',
    title: 'Deploy it',
    text: 'Run Forewarn in your own AWS account, and know what each alarm means.',
  },
];

/** The body of the front page: what Forewarn is, and where to start. */
export const renderFrontPage = (place: SitePlace): string => {
  const cards = starts.map(
    ({ slug, title, text }) =>
      `<li><a href="${siteAddress(place, slug)}"><strong>${title}</strong><span>${text}</span></a></li>`,
  );
  return `<h1>Forewarn documentation</h1>
<p class="lead">Forewarn warns merchants about card disputes before they become chargebacks, reports their answers to the card networks, and takes card
payments. You run it yourself.</p>
<ul class="starts">
${cards.join('\n')}
</ul>
<p>For language models: <a href="${place.base}llms.txt">llms.txt</a> lists operations, webhooks, commands and pages.</p>`;
};
