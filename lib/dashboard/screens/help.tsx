import { hasShortcuts } from '../app/preferences.ts';
import { Screen } from '../app/screen.tsx';
import { shortcuts } from '../app/shortcuts.ts';
import { Card } from '../parts/card.tsx';
import { Check } from '../parts/field.tsx';

const words: readonly (readonly [string, string])[] = [
  [
    'Alert',
    'A notice from a card network that a cardholder is about to dispute a payment. Answer it before its deadline and it need not become a chargeback.',
  ],
  [
    'Deadline',
    'When the network wants its answer: 24 hours after a fraud alert came in, 72 hours after a dispute, unless your site is set otherwise.',
  ],
  ['Reason code', 'What you tell the network: a reason (100: stopped in time) and a result (001: refunded).'],
  ['Delivery', 'One notification to one of your endpoints, with all attempts to deliver it.'],
  ['Payment', 'A card payment that this service processed, with its captures, refunds and what is left of it.'],
  ['Held', 'An open alert keeps what is left of its payment from other refunds, so that nothing is paid back twice.'],
  [
    'Rule',
    'A condition and what to do with alerts that meet it. A shadow rule only writes down what it would have done.',
  ],
];

/** Shortcuts and terms, in the same place on every screen. */
export const Help = () => (
  <Screen title="Help" lede="Terms, keys, and where to read more.">
    <div class="columns">
      <Card title="Terms used here">
        <dl class="words">
          {words.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title="Keys">
        <Check
          label="Use single-key shortcuts"
          checked={hasShortcuts.value}
          onChange={(event) => {
            hasShortcuts.value = event.currentTarget.checked;
          }}
        />
        <table class="plain">
          <caption class="unseen">Keys and what they do</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">What it does</th>
            </tr>
          </thead>
          <tbody>
            {Object.values(shortcuts).map(({ keys, label }) => (
              <tr key={keys}>
                <th scope="row">
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key === 'X' ? 'Shift x' : key}</kbd>
                  ))}
                </th>
                <td>{label}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="For programs">
        <p>
          Everything here goes through the service’s API. <a href="docs">Read its documentation</a>.
        </p>
      </Card>
    </div>
  </Screen>
);
