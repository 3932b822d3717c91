const units = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;
const pattern =
  /^P(?=.)(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/** The milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; undefined if it is none. */
export const durationMilliseconds = (text: string): number | undefined => {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return undefined;
  const parts = Object.entries(units).map(([unit, seconds]) => Number(groups[unit] ?? 0) * seconds * 1000);
  return parts.reduce((sum, part) => sum + part, 0);
};

/** The milliseconds since 1970 of an ISO 8601 instant in UTC; undefined if it is none. */
export const instantMilliseconds = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?$/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};
