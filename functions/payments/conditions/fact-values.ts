import type { FactParams, Scalar } from './condition-reader.ts';

/** The facts that conditions test, by name; null where unknown. */
export type Facts = Readonly<Record<string, Scalar | null>>;

/** The name under which a fact is recorded, its parameters included: `volume_count(card, 24h)`. */
export const factLabel = (fact: string, params: FactParams = {}): string => {
  const given = [params.of, params.window, params.currency].filter((one) => one !== undefined);
  return given.length > 0 ? `${fact}(${given.join(', ')})` : fact;
};

/** The value of a fact with parameters; null if it is not known. An amount of another currency than asked for is not. */
export const factValue = (facts: Facts, fact: string, params: FactParams = {}): Scalar | null => {
  const { currency, ...rest } = params;
  if (currency !== undefined && facts['currency'] !== currency) return null;
  const label = factLabel(fact, rest);
  return Object.hasOwn(facts, label) ? (facts[label] ?? null) : null;
};
