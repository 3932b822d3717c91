const depths = [48, 32, 24, 16, 15, 8, 4, 1];

/** Returns the browser's data for issuers, by EMVCo's names. */
export const browserFields = (): string =>
  JSON.stringify({
    // Browsers that know no Java do not speak of it either.
    javaEnabled: typeof navigator.javaEnabled === 'function' && navigator.javaEnabled(),
    javascriptEnabled: true,
    language: navigator.language,
    colorDepth: depths.find((depth) => depth <= screen.colorDepth) ?? 24,
    screenHeight: screen.height,
    screenWidth: screen.width,
    timezone: new Date().getTimezoneOffset(),
    userAgent: navigator.userAgent,
  });
