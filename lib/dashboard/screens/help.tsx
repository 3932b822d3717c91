import { useEffect } from 'preact/hooks';
import { address } from '../app/address.ts';
import { hasShortcuts } from '../app/preferences.ts';
import { Screen } from '../app/screen.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import { compose, translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Check } from '../parts/field.tsx';
import type { TermName } from '../parts/term.tsx';

const words: readonly (readonly [name: TermName, word: string, meaning: string])[] = [
  [
    'alert',
    translate('Alert'),
    translate(
      'A notice from a card network that a cardholder is about to dispute a payment. Answer it before its deadline and it need not become a chargeback.',
    ),
  ],
  [
    'deadline',
    translate('Deadline'),
    translate(
      'When the network wants its answer: 24 hours after an alert of Provider A, 72 after one of Provider B. Your site can ask for an earlier answer, never for a later one.',
    ),
  ],
  [
    'reason-code',
    translate('Reason code'),
    translate('What you tell the network: a reason (100: stopped in time) and a result (001: refunded).'),
  ],
  [
    'delivery',
    translate('Delivery'),
    translate('One notification to one of your endpoints, with all attempts to deliver it.'),
  ],
  [
    'payment',
    translate('Payment'),
    translate('A card payment that this service processed, with its captures, refunds and what is left of it.'),
  ],
  [
    'held',
    translate('Held'),
    translate(
      'An open alert keeps what is left of its payment from other refunds, so that nothing is paid back twice.',
    ),
  ],
  [
    'rule',
    translate('Rule'),
    translate(
      'A condition and what to do with alerts that meet it. On trial, it only writes down what it would have done.',
    ),
  ],
];

/** Shortcuts and terms, in the same place on every screen. */
export const Help = () => {
  const term = address.value.query.get('term');
  useEffect(() => document.getElementById(`term-${term}`)?.scrollIntoView({ block: 'center' }), [term]);
  return (
    <Screen title={translate('Help')} lede={translate('Terms, keys, and where to read more.')}>
      <div class="columns">
        <Card title={translate('Terms used here')}>
          <dl class="words">
            {words.map(([name, word, meaning]) => (
              <div key={name} id={`term-${name}`} class={name === term ? 'chosen' : ''}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title={translate('Keys')}>
          <Check
            label={translate('Use single-key shortcuts')}
            checked={hasShortcuts.value}
            onChange={(event) => {
              hasShortcuts.value = event.currentTarget.checked;
            }}
          />
          <table class="plain">
            <caption class="unseen">{translate('Keys and what they do')}</caption>
            <thead>
              <tr>
                <th scope="col">{translate('Key')}</th>
                <th scope="col">{translate('What it does')}</th>
              </tr>
            </thead>
            <tbody>
              {Object.values(shortcuts).map(({ keys, label }) => (
                <tr key={keys}>
                  <th scope="row">
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key === 'X' ? translate('Shift x') : key}</kbd>
                    ))}
                  </th>
                  <td>{label}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
        <Card title={translate('For programs')}>
          <p>
            {compose('Everything here goes through the service’s API. {link}.', {
              link: <a href="docs">{translate('Read its documentation')}</a>,
            })}
          </p>
        </Card>
      </div>
    </Screen>
  );
};
