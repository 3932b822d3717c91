/** The lists that an administrator can add to. */
const sources = ['fraudtemplate', 'reseller', 'supportgroup', 'theme', 'sitecategory'] as const;
export type DataSource = (typeof sources)[number];

export type DataEntry = { id: number; name: string; description: string };

/** Numbers up to here belong to the entries below; added ones follow. */
export const lastSeedId = 1000;

const numberEntries = (entries: readonly (readonly [name: string, description?: string])[]): DataEntry[] =>
  entries.map(([name, description = ''], index) => ({ id: index + 1, name, description }));

/** The entries that every installation begins with. */
const seeds: Readonly<Record<DataSource, readonly DataEntry[]>> = {
  fraudtemplate: numberEntries([
    ['Standard', 'The checks most shops want'],
    ['Strict', 'Reviews early and refuses early'],
    ['Lenient', 'Refuses only what is plain fraud'],
    ['Review only', 'Refuses nothing, marks what should be looked at'],
    ['Off', 'Checks nothing'],
  ]),
  reseller: numberEntries([['Direct', 'No reseller in between'], ['Partner'], ['Marketplace']]),
  supportgroup: numberEntries([['General'], ['Priority'], ['Integration'], ['Billing']]),
  theme: numberEntries([['Default'], ['Light'], ['Dark'], ['High contrast']]),
  sitecategory: numberEntries([
    ['General retail'],
    ['Digital goods'],
    ['Subscriptions'],
    ['Travel'],
    ['Tickets and events'],
    ['Food and delivery'],
    ['Fashion'],
    ['Electronics'],
    ['Health and beauty'],
    ['Software'],
    ['Gaming'],
    ['Education'],
    ['Charity'],
    ['Services'],
    ['Other'],
  ]),
};

export const listSeeds = (source: DataSource): readonly DataEntry[] => seeds[source];

/** Checks whether an id belongs to an initial entry, so that the table need not be read. */
export const isSeed = (source: DataSource, id: number): boolean => seeds[source].some((entry) => entry.id === id);

/** A field of a body that names an entry of a list; 0 and absent name none. */
export type EntryReference = { field: string; source: DataSource; id: number | undefined };

/** The references that have to be looked up in the table. */
export const referencesToCheck = (references: readonly EntryReference[]): (EntryReference & { id: number })[] =>
  references.flatMap((reference) => {
    const { source, id } = reference;
    return id === undefined || id === 0 || isSeed(source, id) ? [] : [{ ...reference, id }];
  });
