import { describe, expect, it } from 'vitest';
import {
  type AlertSettingsChange,
  withAlertSettings,
  withThreeDsSettings,
} from '#accounts/merchants/settings/settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';

const sealed = (text: string) => ({ sealed: `sealed ${text}`, validUntil: null });
const url = 'https://hooks.shop.example/alerts';
const other = 'https://elsewhere.example/alerts';

const bare = aSite({ type: null, alert: null });
const change = (site: Site, sent: AlertSettingsChange): Site => withAlertSettings(site, sent, sealed);
const set = change(bare, { alertapiurl: url, token: 'kept' });
const sealedToken = ({ alert }: Site) => alert?.token?.sealed ?? null;

describe('the webhook token', () => {
  it.each(['alertapiurl', 'statusupdate_url', 'enrollment_url'] as const)(
    'is cleared by a new origin of %s',
    (name) => {
      expect(sealedToken(change(set, { [name]: other }))).toBeNull();
    },
  );

  it('is kept if only the path of the URL changes', () => {
    expect(
      sealedToken(change(set, { alertapiurl: `${url}/v2`, statusupdate_url: 'https://hooks.shop.example/status' })),
    ).toBe('sealed kept');
  });

  it('is replaced by a token that is sent with the new origin', () => {
    expect(sealedToken(change(set, { alertapiurl: other, token: 'new' }))).toBe('sealed new');
  });

  it('is cleared by a new origin, even if the URL was removed in between', () => {
    expect(sealedToken(change(change(set, { alertapiurl: null }), { alertapiurl: other }))).toBeNull();
  });

  it('is cleared by another scheme, port or subdomain', () => {
    for (const near of ['https://hooks.shop.example:8443/alerts', 'https://hooks.shop.example.evil.example/']) {
      expect(sealedToken(change(set, { alertapiurl: near })), near).toBeNull();
    }
  });

  it('is kept by settings that name no URL', () => {
    expect(sealedToken(change(set, { descriptorid: 'x', deadline_warning: true }))).toBe('sealed kept');
  });
});

describe('the secret of a 3DS server', () => {
  const threeDs = aSite({ type: null, alert: null });
  const sent = (servicesettings: Record<string, string>) => ({ settings: {}, servicesettings });
  const before = withThreeDsSettings(
    threeDs,
    sent({
      thirdparty_base_url: 'https://3ds.example',
      thirdparty_password: 'kept',
      wallet_merchant_token: 'kept too',
    }),
    sealed,
  );
  const secretsAfter = (fields: Record<string, string>) =>
    withThreeDsSettings(before, sent(fields), sealed).threeDs?.secrets;

  it('is cleared by a new origin of its server, and only its own', () => {
    expect(secretsAfter({ thirdparty_base_url: 'https://elsewhere.example' })).toEqual({
      wallet_merchant_token: sealed('kept too'),
    });
  });

  it('is kept if only the path changes, and replaced by a secret that is sent', () => {
    expect(secretsAfter({ thirdparty_base_url: 'https://3ds.example/v2' })).toMatchObject({
      thirdparty_password: sealed('kept'),
    });
    expect(
      secretsAfter({ thirdparty_base_url: 'https://elsewhere.example', thirdparty_password: 'new' }),
    ).toMatchObject({ thirdparty_password: sealed('new') });
  });
});
