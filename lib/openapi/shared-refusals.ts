import { asFields, isFields } from '#core/kernel/is-object.ts';
import { typeName } from './components.ts';

type Json = Record<string, unknown>;

/** Named after its codes; of more than three after the first. Pages show none. */
const nameRefusal = (status: string, refusal: Json): string => {
  const codes = Object.values(asFields(refusal['content'])).flatMap((media) =>
    Object.values(asFields(asFields(media)['examples'])).map((one) => String(asFields(one)['$ref']).split('/').at(-1)),
  );
  const [first = `page-${status}`] = codes;
  return codes.length > 3
    ? `${typeName(first)}And${codes.length - 1}More`
    : codes.map((code = '') => typeName(code)).join('Or') || typeName(first);
};

/** Replaces each refusal that several operations answer by a reference. Returns those refusals by name. */
export const shareRefusals = (entries: readonly unknown[]): Json => {
  const places = entries.flatMap((entry) => {
    const responses = asFields(asFields(entry)['responses']);
    return Object.entries(responses).flatMap(([status, refusal]) =>
      Number(status) >= 400 && isFields(refusal) ? [{ responses, status, refusal }] : [],
    );
  });
  const shared: Json = {};
  for (const alike of Map.groupBy(places, ({ status, refusal }) => `${status} ${JSON.stringify(refusal)}`).values()) {
    const [first] = alike;
    if (first === undefined || alike.length === 1) continue;
    const name = nameRefusal(first.status, first.refusal);
    const free = [name, `${name}2`, `${name}3`, `${name}4`].find((one) => !(one in shared));
    if (free === undefined) throw new Error(`There are too many refusals called ${name}.`);
    shared[free] = first.refusal;
    for (const { responses, status } of alike) responses[status] = { $ref: `#/components/responses/${free}` };
  }
  return shared;
};
