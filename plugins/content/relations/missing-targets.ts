/** Relations that lead nowhere, or to what their fields do not allow. */
import type { Field } from "#kernel";
import { referencesIn, relationTargets, type FieldReference } from "#kernel/internal";
import type { FieldViolation, PageEntry, RelationValues, TargetExists } from "../contract.js";

type Values = Readonly<Record<string, unknown>>;
type Place = Pick<RelationValues, "lang" | "folder">;

/** How things are found. */
export interface FoundTargets {
  page(key: string, lang: string): PageEntry | undefined;
  hasFile(key: string, folder: string | undefined): boolean;
  /** Undefined: every key of the target is accepted. */
  exists(target: string): TargetExists | undefined;
}

/** What values name in vain. */
export async function missingTargets(
  { fields, values, before = null, ...place }: RelationValues,
  targets: FoundTargets,
): Promise<readonly FieldViolation[]> {
  const found: FieldViolation[] = [];
  const old = before === null ? null : accountsIn(fields, before);
  for (const reference of referencesIn(fields, values)) {
    // Accounts are deleted without a look at the pages: only a changed value must name one.
    if (reference.target === "user" && old?.has(reference.key) === true) continue;
    const rest = await faultOf(reference, place, targets);
    const { field, at } = reference;
    if (rest !== null) found.push({ field: at.join("."), message: `${field.label} ${rest}` });
  }
  return found;
}

function accountsIn(fields: readonly Field[], values: Values): ReadonlySet<string> {
  const users = referencesIn(fields, values).filter(({ target }) => target === "user");
  return new Set(users.map(({ key }) => key));
}

async function faultOf(
  reference: FieldReference,
  place: Place,
  targets: FoundTargets,
): Promise<string | null> {
  const { target, key, field } = reference;
  if (target === "page") return pageFault(reference, targets.page(key, place.lang));
  const shown = JSON.stringify(key.slice(0, 100));
  if (target === "media") {
    const isThere = targets.hasFile(key, place.folder);
    return isThere ? null : `names the file ${shown}, which does not exist.`;
  }
  const isKnown = (await targets.exists(target)?.(key, relationTargets(field))) ?? true;
  return isKnown ? null : `names the ${target} ${shown}, which does not exist.`;
}

function pageFault({ key, field }: FieldReference, page: PageEntry | undefined): string | null {
  const { from } = field.more;
  const of = relationTargets(field);
  if (page === undefined)
    return `names the page ${JSON.stringify(key.slice(0, 100))}, which does not exist.`;
  if (of.length > 0 && !of.includes(page.template))
    return `names a page of type ${page.template}, not ${of.join(", ")}.`;
  const isBelow = typeof from !== "string" || from === "/" || page.route.startsWith(`${from}/`);
  return isBelow ? null : `names a page that is not below ${from}.`;
}
