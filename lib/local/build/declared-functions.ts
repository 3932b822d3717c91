import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grants, Partitions } from '#core/platform/operation/grants.ts';
import type { Named } from '#lib/build/bundle.ts';
import { partitionsFor } from '#lib/build/partitions-of-functions.ts';
import { deployedName } from '#lib/cloud/names.ts';

/** The facts about each function that the local stack needs in addition to its template: where its code is, and what it may do. */
export type Declared = Named & {
  /** The end of the deployed function's name. */
  deployedName: string;
  grants: Grants;
  /** Absent: it may touch all partitions. */
  partitions?: Partitions | undefined;
};

type Whole = Named & { grants: Grants; on?: unknown };

const fileIn = (folder: string): string => join(folder, 'declared.json');

/** A function's declaration with what follows from it. */
export const toDeclared = (one: Whole): Declared => {
  const { area, name, assets, app, grants } = one;
  return { area, name, assets, app, grants, partitions: partitionsFor(one), deployedName: deployedName(one) };
};

/** Writes the declarations next to a template, so that a running stack can compare later ones. */
export const writeDeclared = (folder: string, declared: readonly Whole[]): void => {
  writeFileSync(fileIn(folder), JSON.stringify(declared.map(toDeclared)));
};

/** None for a template that was not made here. */
export const readDeclared = (folder: string): readonly Declared[] =>
  existsSync(fileIn(folder)) ? JSON.parse(readFileSync(fileIn(folder), 'utf8')) : [];

/** The declaration of a deployed function. */
export const findDeclared = (declared: readonly Declared[], functionName: string): Declared | undefined =>
  declared.find((one) => functionName.endsWith(`-${one.deployedName}`));
