/** One row of the index, from a file's facts and its place in the tree. */
import { isEqualValue } from "#lib/yaml";
import type { PageEntry } from "../contract.js";
import { Fields } from "../read/front-matter/fields.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import { readValues, type SourceRecord } from "../read/source-record.js";
import { parseRoles } from "./gating.js";
import type { Release } from "../schedule/publication-time.js";
import type { PositionRules } from "./tree-nodes.js";

/** The fields of a page that the tree decides. */
export interface TreePosition {
  readonly folder: string;
  readonly route: string;
  readonly url: string;
  readonly lang: string;
  readonly format: string;
  /** The stem of a folder's page, `default` for a flat one. */
  readonly template: string;
  /** From the number of the file or folder; null without one. */
  readonly order: number | null;
  readonly depth: number;
  readonly parent: string | null;
  readonly isModule: boolean;
  /** False below a module or a drafts folder, and for a page whose route is already taken. */
  readonly routable: boolean;
  readonly inDrafts: boolean;
  /** True when the folder is the page, false for a flat page. */
  readonly isFolderPage: boolean;
}
/** Fields of an entry that do not follow from its record or place. */
export type OwnFields = Pick<
  PageEntry,
  | "template"
  | "title"
  | "navTitle"
  | "date"
  | "moment"
  | "status"
  | "published"
  | "publishAt"
  | "unpublishAt"
  | "visible"
  | "routable"
  | "isUnlisted"
  | "order"
  | "isOrdered"
  | "taxonomy"
  | "roles"
  | "aliases"
  | "frontmatter"
>;
/** The entry, or a problem. */
export type EntryResult =
  { entry: PageEntry; warnings: readonly SourceIssue[] } | { issue: SourceIssue };

/** The rules that decide what is read from front matter. */
export type EntryRules = Pick<PositionRules, "timezone" | "termFields" | "textFields">;

/** Creates the entry of a page. An invalid value that affects visibility hides the page. */
export function toPageEntry(
  record: SourceRecord,
  place: TreePosition,
  rules: EntryRules,
): EntryResult {
  const { timezone } = rules;
  const named = new Fields(record.frontmatter).template() ?? place.template;
  const frontmatter = readValues(record, rules.textFields?.of(named) ?? []);
  const fields = new Fields(frontmatter);
  const roles = parseRoles(frontmatter.roles);
  if (roles === "invalid") return { issue: rolesIssue(frontmatter.roles) };
  const release = readRelease(fields, timezone);
  const title =
    fields.text("title") ??
    record.heading ??
    (place.route.slice(place.route.lastIndexOf("/") + 1) || place.template);
  const order = fields.number("order") ?? place.order;
  fields.slug();
  fields.redirect();
  fields.canonical();
  fields.emptyRoles();
  const template = fields.template() ?? place.template;
  const stored: OwnFields = {
    template,
    title,
    navTitle: fields.text("nav_title") ?? title,
    date: fields.date(),
    moment: fields.dateMoment(timezone),
    status: release.status,
    published: release.published && !place.inDrafts,
    publishAt: release.publishAt,
    unpublishAt: release.unpublishAt,
    visible: fields.flag("visible", { absent: place.order !== null, whenInvalid: false }),
    routable: place.routable && fields.flag("routable", { absent: true, whenInvalid: false }),
    isUnlisted: fields.isUnlisted(),
    order: order ?? 0,
    isOrdered: order !== null,
    taxonomy: readTerms(fields, template, rules),
    roles,
    aliases: fields.aliases(),
    frontmatter,
  };
  const entry = joinEntry(record, place, stored);
  return { entry, warnings: [...record.warnings, ...fields.warnings] };
}

/** Joins an entry from its parts. All entries are created here, so that they share one shape. */
export function joinEntry(record: SourceRecord, place: TreePosition, fields: OwnFields): PageEntry {
  return {
    sourcePath: record.sourcePath,
    folder: place.folder,
    route: place.route,
    url: place.url,
    lang: place.lang,
    format: place.format,
    template: fields.template,
    title: fields.title,
    navTitle: fields.navTitle,
    date: fields.date,
    moment: fields.moment ?? null,
    status: fields.status,
    published: fields.published,
    publishAt: fields.publishAt,
    unpublishAt: fields.unpublishAt,
    visible: fields.visible,
    routable: fields.routable,
    isUnlisted: fields.isUnlisted ?? false,
    isModule: place.isModule,
    order: fields.order,
    isOrdered: fields.isOrdered ?? false,
    depth: place.depth,
    parent: place.parent,
    taxonomy: fields.taxonomy,
    roles: fields.roles,
    aliases: fields.aliases,
    frontmatter: fields.frontmatter,
    hash: record.hash,
    mtimeMs: record.mtimeMs,
    size: record.size,
    bodyOffset: record.bodyOffset,
  };
}

/** True when the values and terms of a page stay the same under these rules. */
export function hasSameValues(record: SourceRecord, entry: PageEntry, rules: EntryRules): boolean {
  const { template } = entry;
  const values = readValues(record, rules.textFields?.of(template) ?? []);
  if (!isEqualValue(values, entry.frontmatter)) return false;
  const now = readTerms(new Fields(values), template, rules);
  return JSON.stringify(now) === JSON.stringify(entry.taxonomy);
}

function readTerms(fields: Fields, template: string, { termFields }: EntryRules) {
  return fields.taxonomy(termFields?.get(template));
}

/** The fields of an entry that do not follow from its record or place. */
export function ownFields(entry: PageEntry): OwnFields {
  const { template, title, navTitle, date, moment = null, status, published } = entry;
  const { publishAt, unpublishAt, visible, routable, order, isOrdered = false } = entry;
  const { taxonomy, roles, aliases, frontmatter, isUnlisted = false } = entry;
  return {
    template,
    title,
    navTitle,
    date,
    moment,
    status,
    published,
    publishAt,
    unpublishAt,
    visible,
    routable,
    isUnlisted,
    order,
    isOrdered,
    taxonomy,
    roles,
    aliases,
    frontmatter,
  };
}

/** The release settings in front matter. */
export function parseRelease(
  frontmatter: Readonly<Record<string, unknown>>,
  timezone: string,
): Release {
  return readRelease(new Fields(frontmatter), timezone);
}

function readRelease(fields: Fields, timezone: string): Release {
  const publishAt = fields.moment("publish_date", timezone);
  const unpublishAt = fields.moment("unpublish_date", timezone);
  const published = !fields.isHidden() && publishAt !== "invalid" && unpublishAt !== "invalid";
  return {
    published,
    status: fields.status(published),
    publishAt: publishAt === "invalid" ? null : publishAt,
    unpublishAt: unpublishAt === "invalid" ? null : unpublishAt,
  };
}

function rolesIssue(value: unknown): SourceIssue {
  const shown = JSON.stringify(value).slice(0, 80);
  const message = `front matter: roles is ${shown}, expected a role, a list, {any: […]} or {all: […]}`;
  return { code: "ERR_CONTENT_ROLES", message, key: "roles" };
}

/** An entry with its record and place. */
export interface IndexedPage {
  readonly record: SourceRecord;
  readonly place: TreePosition;
  readonly entry: PageEntry;
  readonly warnings: readonly SourceIssue[];
}
