import { isDeepStrictEqual } from 'node:util';
import { nowIso } from '#core/kernel/clock.ts';
import { type DataEntry, isSeed, lastSeedId } from '#core/platform/entries/entries.ts';
import { toEntryItem } from '#core/platform/entries/entry-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nextNumber } from '#core/platform/table/number-store.ts';
import { getItem, getItems, queryItems, transact } from '#core/platform/table/table.ts';
import { includedTemplate, type Template, type TemplateFields } from './template.ts';
import { fromCurrentItem, fromVersionItem, templateWrites } from './template-row.ts';

const source = 'fraudtemplate';
const templateNotFound = () =>
  new Refusal('fraud_template_not_found', 'id: must be an id of /api/v3/datasource/fraudtemplate.');

/** Adds a template to the list, under a number of its own, with its first version. */
export const addTemplate = async (
  named: Omit<DataEntry, 'id'>,
  fields: TemplateFields,
  by: string,
): Promise<{ entry: DataEntry; template: Template }> => {
  const ftid = lastSeedId + (await nextNumber(`datasource-${source}`));
  const [entry, template] = [
    { id: ftid, ...named },
    { ...fields, ftid, version: 1, updatedAt: nowIso(), by },
  ];
  await transact({ entry: { Put: { Item: toEntryItem(source, entry) } }, template: templateWrites(template, 0) });
  return { entry, template };
};

/** The version in force. Throws fraud_template_not_found. */
const present = async (ftid: number): Promise<Template> => {
  const [current, entry] = await getItems([keys.fraudTemplate(ftid), keys.dataEntry(source, ftid)]);
  if (!entry && !isSeed(source, ftid)) throw templateNotFound();
  return fromCurrentItem(ftid, current);
};

/**
 * Creates the next version of a template from the current one, and tries again after a conflict; a change without effect creates none.
 * `seen`: the version the caller knows, if it names one. Throws fraud_template_not_found, changed_meanwhile, and whatever `change` throws.
 */
export const changeTemplate = (
  ftid: number,
  { seen, by }: { seen: number | undefined; by: string },
  change: (template: TemplateFields) => TemplateFields,
): Promise<Template> => {
  return retryOnConflict(
    async () => {
      const before = await present(ftid);
      if (seen !== undefined && seen !== before.version) {
        throw new Refusal('changed_meanwhile', `version: the template is at version ${before.version}.`);
      }
      const changed = { ...before, ...change(before) };
      if (isDeepStrictEqual(changed, before)) return before;
      const after = { ...changed, version: before.version + 1, updatedAt: nowIso(), by };
      await transact({ template: templateWrites(after, before.version) });
      return after;
    },
    { onExhausted: changedMeanwhile },
  );
};

const maxVersions = 100;

/** A template's versions, newest first, at most the last hundred. Throws fraud_template_not_found. */
export const templateVersions = async (ftid: number): Promise<[Template, ...Template[]]> => {
  if (!isSeed(source, ftid) && !(await getItem(keys.dataEntry(source, ftid)))) throw templateNotFound();
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :version)',
    ExpressionAttributeValues: { ':pk': keys.fraudTemplate(ftid).pk, ':version': 'VERSION#' },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: maxVersions,
  });
  const kept = items.map(fromVersionItem);
  // The first version of a template that came with the service is in no row.
  const isWhole = kept.length === maxVersions || kept.at(-1)?.version === 1;
  const [newest = includedTemplate(ftid), ...older] = isWhole ? kept : [...kept, includedTemplate(ftid)];
  return [newest, ...older];
};
