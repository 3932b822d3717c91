/** An exchange rate as an administrator set it: units of `to` for one of `from`. */
export type Rate = {
  from: string;
  to: string;
  /** Decimal, at most eight decimals. */
  rate: string;
  /** Where the administrator got it. */
  source: string;
  /** When it was set, ISO, and by whom. */
  at: string;
  by: string;
};

/** On the wire. */
export const toRateDto = ({ from, to, rate, source, at, by }: Rate) => ({
  from,
  to,
  rate,
  source,
  set_at: at,
  set_by: by,
});
