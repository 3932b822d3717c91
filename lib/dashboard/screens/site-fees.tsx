import { isOperator } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { compose, translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Editable } from '../parts/editable.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLines } from '../parts/lines.ts';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { type FeesDto, feesOf, type SiteDto, setFees } from './site-operations.ts';
import { schemes } from './site-words.ts';

type Fee = FeesDto['fees'][number];

/** The fees that a site's payers pay for processing. Operators set them; merchants see them. */
export const SiteFees = ({ site: { sid } }: { site: SiteDto }) => (
  <Editable
    title={translate('Fees')}
    hint={translate('A surcharge that payers pay on top, for calls that ask for it. Operators set it.')}
    name={`fees ${sid}`}
    load={(signal) => feesOf({ params: { sid }, signal })}
    change={isOperator() && translate('Change the fees')}
    show={(shown) => <FeesNow shown={shown} />}
    edit={({ fees }, over) => <FeesForm {...{ sid, fees }} {...over} />}
  />
);

const FeesNow = ({ shown: { fees, set_at, set_by } }: { shown: FeesDto }) =>
  fees.length === 0 ? (
    <p>{translate('None: payers pay nothing on top.')}</p>
  ) : (
    <>
      <table class="plain">
        <caption class="unseen">{translate('Fees')}</caption>
        <thead>
          <tr>
            <th scope="col">{translate('Card')}</th>
            <th scope="col">{translate('Payments in')}</th>
            <th scope="col" class="number">
              {translate('Percent')}
            </th>
            <th scope="col" class="number">
              {translate('Plus per payment')}
            </th>
          </tr>
        </thead>
        <tbody>
          {fees.map(({ paymethod, currency, percentage, fixed }) => (
            <tr key={`${paymethod} ${currency}`}>
              <th scope="row">{stateWords(paymethod)}</th>
              <td>{currency ?? translate('Any other currency')}</td>
              <td class="number">{percentage}</td>
              <td class="number">{currency === null ? '–' : amountText(fixed, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {set_at && (
        <p class="small quiet">{compose('Set by {name}, {time}', { name: set_by, time: <Time at={set_at} /> })}</p>
      )}
    </>
  );

type FormProps = { sid: number; fees: readonly Fee[]; onDone: () => void; onCancel: () => void };

const newFee: Fee = { paymethod: 'VISA', percentage: '0', fixed: '0', currency: null };

const FeesForm = ({ sid, fees: before, onDone, onCancel }: FormProps) => {
  const { lines, add, remove } = useLines(before);
  const send = async (fields: Record<string, string>) => {
    const fees = lines.map(({ key }) => ({
      paymethod: schemes.find((one) => one === fields[`paymethod.${key}`]) ?? 'VISA',
      percentage: fields[`percentage.${key}`] ?? '0',
      fixed: fields[`fixed.${key}`] ?? '0',
      currency: fields[`currency.${key}`]?.toUpperCase() ?? null,
    }));
    await setFees({ params: { sid }, body: { fees } });
    say(translate('The fees are saved.'));
    onDone();
  };
  return (
    <Form
      onSend={send}
      send={translate('Save the fees')}
      actions={<Button onPress={onCancel}>{translate('Cancel')}</Button>}
    >
      {(problems) => (
        <>
          {lines.length === 0 && <p>{translate('No fee.')}</p>}
          {lines.map(({ key, value: fee }, index) => (
            <Line
              key={key}
              {...{ name: key, number: index + 1, fee }}
              problemOf={(field) =>
                problems[`fees.${index}.${field}`] ?? (field === 'paymethod' ? problems[`fees.${index}`] : undefined)
              }
              onRemove={() => remove(key)}
            />
          ))}
          <div class="buttons">
            <Button onPress={() => add(newFee)}>{translate('Add a fee')}</Button>
          </div>
        </>
      )}
    </Form>
  );
};

type LineProps = {
  name: number;
  number: number;
  fee: Fee;
  problemOf: (field: keyof Fee) => string | undefined;
  onRemove: () => void;
};

const Line = ({ name, number, fee, problemOf, onRemove }: LineProps) => (
  <fieldset class="line">
    <legend class="unseen">{translate('Fee {number}', { number })}</legend>
    <Select
      label={translate('Card')}
      name={`paymethod.${name}`}
      choices={schemes.map((value) => ({ value, label: stateWords(value) }))}
      defaultValue={fee.paymethod}
      problem={problemOf('paymethod')}
    />
    <Field
      label={translate('Payments in')}
      name={`currency.${name}`}
      defaultValue={fee.currency ?? ''}
      placeholder={translate('Any other')}
      maxLength={3}
      problem={problemOf('currency')}
    />
    <Field
      label={translate('Percent')}
      name={`percentage.${name}`}
      inputMode="decimal"
      defaultValue={fee.percentage}
      problem={problemOf('percentage')}
    />
    <Field
      label={translate('Plus per payment')}
      name={`fixed.${name}`}
      inputMode="decimal"
      defaultValue={fee.fixed}
      problem={problemOf('fixed')}
    />
    <Button aria-label={translate('Remove fee {number}', { number })} onPress={onRemove}>
      {translate('Remove')}
    </Button>
  </fieldset>
);
