import { PDFDocument } from '@cantoo/pdf-lib';
import type { ReadFont } from '#disputes/chargebacks/letter/letter-fonts.ts';
import { typeset } from '#disputes/chargebacks/letter/typeset.ts';
import { monthName, type ReportFacts, reportBlocks } from './monthly-report.ts';

/** A4, in points. */
const sheet = { width: 595.28, height: 841.89, margin: 56 };

/** The report of a month as a PDF. The same facts give the same bytes. */
export const makeReportPdf = async (facts: ReportFacts, readFont: ReadFont): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(`Report of ${monthName(facts.month)}`);
  pdf.setCreationDate(new Date(facts.at));
  await typeset(pdf, reportBlocks(facts), sheet, readFont);
  return pdf.save();
};
