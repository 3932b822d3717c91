import { XMLParser } from 'fast-xml-parser';

/** Parses the answers of processors that use XML. Tag values stay text: identifiers have more digits than a number holds exactly. */
const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });

/** Only what any XML may have without declaring it. */
const predefined = /^&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});$/i;

/** Checks whether a text declares a document type, or names an entity that only such a declaration could define. */
export const declaresEntities = (xml: string): boolean =>
  /<!(?:DOCTYPE|ENTITY)/i.test(xml) ||
  (xml.match(/&[^;\s<&]{0,80};?/g) ?? []).some((entity) => !predefined.test(entity));

/** An XML text as objects; undefined if it is not well-formed, or declares or needs entities of its own. */
export const parsedXml = (xml: string): Readonly<Record<string, unknown>> | undefined => {
  if (declaresEntities(xml)) return undefined;
  try {
    return { ...parser.parse(xml, true) };
  } catch {
    return undefined;
  }
};
