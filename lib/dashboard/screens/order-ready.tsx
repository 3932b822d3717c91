import type { Program, ReadyField } from '#disputes/lookups/evidence/ready-fields.ts';
import { link } from '../app/address.ts';
import { inSentence, listText, lowerFirst, translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { upperFirst } from '../parts/words.ts';
import type { OrderDto } from './order-operations.ts';

/** The facts of an order that banks can be shown, then each that is missing, with the place where it is added. */

const programs: Readonly<Record<Program, string>> = {
  provider_a: translate('Look-ups by provider A'),
  provider_b: translate('Look-ups by provider B'),
  ce3: translate('Compelling evidence 3.0'),
};
const programNames = Object.keys(programs) as Program[];

const fieldWords: Readonly<Record<ReadyField, string>> = {
  display_name: translate('the shop’s name'),
  logo_url: translate('logo'),
  support_contact: translate('a contact for questions'),
  refund_policy_url: translate('a link to the refund policy'),
  receipt_url: translate('a link to the receipt'),
  arn: translate('ARN, authorisation code or network’s transaction ID'),
  deliveries: translate('deliveries'),
  descriptor: translate('descriptor'),
  card_token: translate('card number or token'),
  ip: translate('IP address'),
  device_id: translate('device'),
  account_id: translate('customer’s account'),
  shipping: translate('shipping address'),
};
const fields = Object.keys(fieldWords) as ReadyField[];
/** Filled in once for all orders of a site. */
const ofShop: readonly string[] = ['display_name', 'logo_url', 'support_contact', 'refund_policy_url'];

const evidenceWords: Readonly<Record<string, string>> = {
  qualified: translate('would qualify'),
  too_few: translate('too few earlier orders of this customer'),
  no_device_or_ip: translate('earlier orders share neither device nor IP address with this one'),
  one_element: translate('earlier orders have only one thing in common with this one'),
  credential_unknown: translate('the card is not known'),
};

type Readiness = OrderDto['readiness'];

/** The programs that ask for a field which is missing. */
const lackingOf = (readiness: Readiness, field: ReadyField): Program[] =>
  programNames.filter((name) => readiness[name].includes(field));

/** Checks whether a fact is there. Programs do not miss what this kind of goods does not need. */
const isThere = ({ order, readiness }: OrderDto, field: ReadyField): boolean => {
  if (field === 'deliveries') return (order.deliveries ?? []).length > 0;
  if (field === 'shipping') return order['shipping'] !== undefined;
  return lackingOf(readiness, field).length === 0;
};

const nameAll = (names: readonly Program[]): string => listText(names.map((name) => lowerFirst(programs[name])));

/** The missing facts for the same programs that are added at the same place. */
const groupMissing = (readiness: Readiness) => [
  ...Map.groupBy(
    fields.filter((field) => lackingOf(readiness, field).length > 0),
    (field) => `${lackingOf(readiness, field)} ${ofShop.includes(field)}`,
  ).values(),
];

export const OrderReady = (shown: OrderDto) => {
  const { readiness, order } = shown;
  const ready = programNames.filter((name) => readiness[name].length === 0);
  const there = fields.filter((field) => isThere(shown, field));
  return (
    <Card title={translate('What banks can be shown')}>
      {there.length > 0 && (
        <p>
          <span class="there">✓</span> {upperFirst(listText(there.map((field) => fieldWords[field])))}
        </p>
      )}
      <ul class="plain-list">
        {groupMissing(readiness).map((group) => {
          const [field = 'arn'] = group;
          return (
            <li key={field}>
              {translate('Missing: {what}', { what: listText(group.map((one) => fieldWords[one])) })}
              <span class="beneath">
                {translate('For {programs}.', { programs: nameAll(lackingOf(readiness, field)) })}{' '}
                {ofShop.includes(field) ? (
                  <a href={link(`/settings/${order.sid}/order-profile`)}>
                    {translate('Add it to the business profile')}
                  </a>
                ) : (
                  translate('Your shop sends it with an order.')
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <p class="small quiet">
        {ready.length > 0 && `${translate('Ready for: {programs}.', { programs: nameAll(ready) })} `}
        {translate('As compelling evidence now: {result}.', {
          result: evidenceWords[readiness.ce3_result] ?? inSentence(stateWords(readiness.ce3_result)),
        })}
      </p>
    </Card>
  );
};
