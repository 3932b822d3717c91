import { translate } from '../language/translate.ts';
/** The definitions of the figures, next to the reports. */
export const Definitions = () => (
  <details>
    <summary>{translate('What these figures mean')}</summary>
    <dl class="words">
      <div>
        <dt>{translate('Day')}</dt>
        <dd>{translate('That of receipt, in UTC. A day’s figures change until its last alert is closed.')}</dd>
      </div>
      <div>
        <dt>{translate('Refunded elsewhere')}</dt>
        <dd>
          {translate('What merchants report that they refunded themselves. Forewarn did not make these refunds.')}
        </dd>
      </div>
      <div>
        <dt>{translate('Prevented')}</dt>
        <dd>
          {translate(
            'The amounts of alerts answered by a refund before their deadline, refunds of networks included. It is an estimate: not each of them would have become a chargeback.',
          )}
        </dd>
      </div>
      <div>
        <dt>{translate('Lost')}</dt>
        <dd>
          {translate(
            'The amounts of alerts that nobody answered in time, and of those that were charged back already.',
          )}
        </dd>
      </div>
      <div>
        <dt>{translate('Median time to answer')}</dt>
        <dd>
          {translate(
            'From receipt to the final answer, as a median, rounded up to the next step of a few minutes or hours.',
          )}
        </dd>
      </div>
      <div>
        <dt>{translate('Rules, people')}</dt>
        <dd>
          {translate(
            'What a rule decided and answered, and what all others did: in the dashboard, by the API, or in the reply to a notification.',
          )}
        </dd>
      </div>
      <div>
        <dt>{translate('Deflected')}</dt>
        <dd>
          {translate(
            'A bank looked an order up, found it, and no alert came within 120 days. It is an estimate: a cardholder may never have meant to dispute.',
          )}
        </dd>
      </div>
    </dl>
  </details>
);
