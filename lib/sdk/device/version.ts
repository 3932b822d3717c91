/** Goes up with every change of what is built: a version is served for good, as shops pin its hash. */
export const version = '1.0.0';
