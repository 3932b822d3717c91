import pc from 'picocolors';

/** One line of the report. `isMet` is null where nothing was promised. */
export type Finding = { what: string; measured: string; goal: string; isMet: boolean | null };

const sayVerdict = (isMet: boolean | null): string => {
  if (isMet === null) return pc.dim('for information');
  return isMet ? pc.green('met') : pc.red('missed');
};

/** The report as a table: what was measured, the result, what was promised, and whether that is kept. */
export const renderFindings = (findings: readonly Finding[]): string => {
  const titles = { what: 'what', measured: 'measured', goal: 'goal' };
  const width = (field: keyof typeof titles) =>
    Math.max(...[titles, ...findings].map((finding) => finding[field].length));
  const line = ({ what, measured, goal }: typeof titles, verdict: string) =>
    `${what.padEnd(width('what'))}  ${measured.padEnd(width('measured'))}  ${goal.padEnd(width('goal'))}  ${verdict}\n`;
  const rows = findings.map((finding) => line(finding, sayVerdict(finding.isMet)));
  return [pc.bold(line(titles, 'verdict')), ...rows].join('');
};
