/** The result of a 3DS 2 authentication that took place before the payment. */
export type ThreeDsResult = {
  version: string;
  /** Electronic commerce indicator. */
  eci: string | null;
  /** Cardholder authentication verification value: what proves it to the issuer. */
  cavv: string;
  /** The directory server's identifier of it. */
  dsTransId: string;
  transStatus: string | null;
};

/** EMVCo's own names first, then what merchants' providers call the same. */
const names = {
  version: ['messageVersion', 'threeDSVersion', 'three_ds_version', 'version'],
  eci: ['eci', 'electronic_commerce_indicator'],
  cavv: ['authenticationValue', 'cavv', 'authentication_value', 'cryptogram'],
  dsTransId: ['dsTransID', 'dsTransId', 'ds_trans_id', 'ds_transaction_id', 'transaction_id'],
  transStatus: ['transStatus', 'trans_status'],
} as const;

const textAt = (record: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null => {
  const found = keys.map((key) => record[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

/** Whether an issuer would take it for one: whole, and authenticated or, where the issuer could not, attempted. */
export const isAuthenticated = (record: Readonly<Record<string, unknown>> | null): boolean => {
  const result = readThreeDs(record);
  return result !== undefined && ['Y', 'A', null].includes(result.transStatus);
};

/** Undefined unless it has what an issuer needs: half a result would be declined, or lose the shift of liability. */
export const readThreeDs = (record: Readonly<Record<string, unknown>> | null): ThreeDsResult | undefined => {
  if (!record) return undefined;
  const [version, cavv, dsTransId] = [names.version, names.cavv, names.dsTransId].map((keys) => textAt(record, keys));
  if (!version || !cavv || !dsTransId) return undefined;
  return { version, cavv, dsTransId, eci: textAt(record, names.eci), transStatus: textAt(record, names.transStatus) };
};
