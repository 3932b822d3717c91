import { type ErrorCode, gatewayRefusals, refusals } from '#core/platform/operation/errors.ts';
import texts from './error-help.json' with { type: 'json' };

/** The advice to callers about each error code. */

export type ExplainedCode = ErrorCode | keyof typeof gatewayRefusals;

const all: Readonly<Record<ExplainedCode, { status: number; msg: string }>> = { ...refusals, ...gatewayRefusals };

/** The next step for each code. Words in backquotes are names in a call. */
const help: Readonly<Record<ExplainedCode, string>> = texts;

/** The help for a code; undefined for a text that is not a code. */
export const explainCode = (
  code: string,
): { code: ExplainedCode; status: number; msg: string; help: string } | undefined =>
  isCode(code) ? { code, ...all[code], help: help[code] } : undefined;

const isCode = (text: string): text is ExplainedCode => Object.hasOwn(all, text);

/** Every code that a caller can get. */
export const explainedCodes: readonly ExplainedCode[] = Object.keys(all).filter(isCode);
