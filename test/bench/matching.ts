import { corpus, scoreCorpus } from '#test/disputes/matching/corpus.ts';
import { whole } from './report.ts';
import type { Finding } from './table.ts';

const minRecall = 0.9;

const percent = (part: number, of: number): string => (of === 0 ? 'none' : `${Math.round((100 * part) / of)} %`);

/** Precision and recall of the matcher on the labelled corpus, for each class of evidence. */
export const measureMatching = async (): Promise<Finding[]> =>
  scoreCorpus(corpus()).map(({ evidence, total, decidable, right, wrong }) => ({
    what: `matching, ${evidence}`,
    measured: `precision ${percent(right, right + wrong)}, recall ${percent(right, decidable)} of ${whole(decidable)}, ${whole(total)} alerts`,
    goal: decidable === 0 ? 'left to a person' : 'precision 100 %, recall 90 %',
    isMet: wrong === 0 && (decidable === 0 ? right === 0 : right / decidable >= minRecall),
  }));
