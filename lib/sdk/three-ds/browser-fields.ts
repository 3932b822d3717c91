const depths = [48, 32, 24, 16, 15, 8, 4, 1];

/** What issuers are told of the browser, by EMVCo's names for where it comes from. */
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
