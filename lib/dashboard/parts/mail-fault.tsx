import type { ComponentChild } from 'preact';
import { compose } from '../language/translate.ts';
import { Time } from './time.tsx';

type Fault = { reason: 'refused' | 'bounced' | 'complained'; at: string };

const words = {
  refused: (at: ComponentChild) => compose('The last e-mail was refused on {at}.', { at }),
  bounced: (at: ComponentChild) => compose('E-mails bounced, and none have been sent since {at}.', { at }),
  complained: (at: ComponentChild) =>
    compose('An e-mail was reported as spam, and none have been sent since {at}.', { at }),
};

/** Why e-mails to an address do not arrive, and since when. */
export const MailFaultWords = ({ fault: { reason, at } }: { fault: Fault }) => <>{words[reason](<Time at={at} />)}</>;
