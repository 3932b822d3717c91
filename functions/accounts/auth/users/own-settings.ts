/** Checks whether a name is a time zone of the IANA database that this runtime knows. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as `+02:00` are no zones: they know no summer time.
    return /^[A-Za-z]/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};
