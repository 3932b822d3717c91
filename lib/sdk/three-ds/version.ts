/** Goes up with every change of what is built: a version is served for good, as merchants pin its hash. */
export const version = '1.1.0';
