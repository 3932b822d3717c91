import colours from 'picocolors';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  printJson,
  reportProgress,
  runSubcommands,
  targetHelp,
} from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run bins`: tells the fraud check in which countries cards were issued. */
const help = `${colours.bold('npm run bins -- <command>')}    Where cards were issued, by their first digits

  import <file.csv>  Store a table; it replaces what was known of the same digits
  show <digits>      Show what is known of cards that begin with these six to eight digits; the narrowest range counts

  --json             Print JSON instead, for programs
${targetHelp(21)}
The file is CSV in UTF-8, with commas, semicolons or tabs. It has a head that names the first digits (iin_start, bin_start, from, bin or iin), perhaps the last of a range
(iin_end, bin_end or to), and the country in two letters (country, alpha_2, isocode2, country_code or iso_country).
${localTargetHelp}`;

type Flags = FlagsOf<typeof commandOptions>;

const store = () => import('#payments/fraud/bins/bins-store.ts');

const importFile = async (flags: Flags, file: string): Promise<void> => {
  // Help is there at once; what reads CSV is not needed for it.
  const { readBinFile } = await import('#lib/local/bins/bin-file.ts');
  const { ranges, skipped, lines } = readBinFile(file);
  enterTarget(flags);
  const { putBins } = await store();
  let written = 0;
  await reportProgress(
    () => `${written} of ${ranges.size} rows written`,
    () =>
      putBins(ranges, (rows) => {
        written = rows;
      }),
  );
  if (flags.json) {
    const { withoutCountry: without_country, tooFine: too_fine } = skipped;
    printJson({ lines, rows: ranges.size, left_out: { without_country, too_fine } });
    return;
  }
  process.stdout.write(colours.green(`${lines} lines read, ${ranges.size} rows written.\n`));
  const { withoutCountry, tooFine } = skipped;
  if (withoutCountry > 0)
    process.stdout.write(`${withoutCountry} lines were left out, as they name no country of ISO 3166-1.\n`);
  if (tooFine > 0) process.stdout.write(`${tooFine} lines were left out, as they differ beyond the eighth digit.\n`);
};

const show = async (flags: Flags, digits: string): Promise<void> => {
  if (!/^\d{6,8}$/.test(digits)) throw new UserError('Give six to eight digits: those a card number begins with.');
  enterTarget(flags);
  const { rangesOfDigits } = await store();
  const ranges = await rangesOfDigits(digits);
  if (flags.json) {
    printJson(ranges.map(({ from, to, country }) => ({ from, to, country })));
    return;
  }
  if (ranges.length === 0) process.stdout.write(`Nothing is known about ${digits}.\n`);
  for (const { from, to, country } of ranges) process.stdout.write(`${from} to ${to}  ${colours.green(country)}\n`);
};

await runSubcommands({
  script: 'bins',
  help,
  options: commandOptions,
  commands: {
    import: { takes: 'a CSV file', run: importFile },
    show: { takes: 'six to eight digits', run: show },
  },
});
