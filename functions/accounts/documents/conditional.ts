/** Checks whether `if-none-match` names this tag, also in its weak form (RFC 9110, 13.1.2). */
export const hasTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);

/** Checks whether a caller accepts gzip: named, and not with a quality of 0. */
export const takesGzip = (acceptEncoding: string | undefined): boolean =>
  (acceptEncoding ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .some((one) => /^(?:gzip|\*)(?:\s*;\s*q=(?!0(?:\.0+)?$)[\d.]+)?$/.test(one));
