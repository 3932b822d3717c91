import { describe, expect, it } from 'vitest';
import { alertNouns, reasonWords } from '#disputes/alerts/outbox/reason-words.ts';
import { alertTypes, blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { reasonWords as shownReason } from '#lib/dashboard/screens/reason-words.ts';

const codes =
  '10.1 10.2 10.3 10.4 10.5 4837 4840 4863 4870 4871 F24 F29 F30 UA02 fraudulent 13.1 C08 RG 4855 product_not_received 13.3 13.4 13.5 4853 C31 C32 ' +
  'RM product_unacceptable 13.2 13.7 4841 C18 C28 AP subscription_canceled 13.6 4860 C02 RN2 credit_not_processed 12.6 12.6.1 12.6.2 4834 P08 DP ' +
  'duplicate 13.9 F10 F14 F31 FR2 FR4 FR6 UA01 UA05 UA06 AA C04 C05 C14 CD PM NF AW 4808 4849 4850 unrecognized noncompliant unknown';

describe('the reason of a dispute in messages', () => {
  it.each(alertTypes)('is the one that the dashboard shows, for every code and none: %s', (type) => {
    for (const conditionCode of ['', ...codes.split(' ')]) {
      for (const conditionReason of ['', 'Words of the provider']) {
        const providerAlert = {
          ...blankProviderAlert,
          provider: 'provider_a',
          caseId: 'c',
          type,
          conditionCode,
          conditionReason,
        };
        const shown = shownReason({
          ...{ alert_type: type, condition_code: conditionCode },
          dispute_condition_code_reason: conditionReason,
        });
        expect(reasonWords(providerAlert as ProviderAlert), `${type} ${conditionCode} ${conditionReason}`).toBe(shown);
      }
    }
  });

  it('has a noun of its own for each type', () => {
    expect(new Set(alertTypes.map((type) => alertNouns[type])).size).toBe(alertTypes.length);
  });
});
