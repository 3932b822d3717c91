/** Schemathesis, which makes requests from an API document (MIT, from PyPI): https://pypi.org/project/schemathesis/ */
export const schemathesisVersion = '4.32.5';
