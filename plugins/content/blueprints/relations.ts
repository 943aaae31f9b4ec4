/** Relations between pages, and from pages to records and files, as their blueprints declare them. */
import { statSync } from "node:fs";
import { join, posix } from "node:path";
import { callCheck, expectKind, type Field, type FieldKinds, safeJoin } from "#kernel";
import { referencesIn, relationTargets, type FieldReference, relationKind } from "#lib/fields";
import { pageStem, withoutOrders } from "#lib/text";
import { expectText } from "#lib/values";
import type { ContentIndex } from "../index/content-index.js";
import type {
  BackReference,
  Blueprint,
  FieldViolation,
  PageEntry,
  Relation,
  Relations,
  RelationValues,
  TargetExists,
} from "../contract.js";

const assertTarget = callCheck(
  "content.relations.addTarget",
  { target: expectText, exists: expectKind("function") },
  'site.use("content").relations.addTarget("order", async (id) => true)',
);

/** Dependencies of the relations. */
export interface RelationOptions {
  /** Absolute path of the content folder. */
  readonly root: string;
  index(): ContentIndex;
  of(template: string): Blueprint | undefined;
  /** Counts up when page types change. */
  version(): number;
}

/** The relations of a site, found when they are asked for. */
export class SiteRelations implements Relations {
  readonly #options: RelationOptions;
  readonly #targets = new Map<string, TargetExists>();
  // Not in site.cache: what front matter names goes with it.
  readonly #seen = new WeakMap<
    PageEntry["frontmatter"],
    { version: number; found: readonly FieldReference[] }
  >();
  #pages: { index: ContentIndex; byKey: ReadonlyMap<string, readonly PageEntry[]> } | null = null;
  #back: {
    index: ContentIndex;
    version: number;
    to: ReadonlyMap<string, readonly BackReference[]>;
  } | null = null;

  constructor(options: RelationOptions) {
    this.#options = options;
  }

  addTarget(target: string, exists: TargetExists): void {
    assertTarget(target, exists);
    this.#targets.set(target, exists);
  }

  keyOf(entry: PageEntry): string {
    return pageKey(entry);
  }

  of(entry: PageEntry): readonly Relation[] {
    const references = this.#references(entry, this.#options.of(entry.template));
    return references.map((reference) => this.#relation(reference, entry));
  }

  named(given: RelationValues): readonly Relation[] {
    const references = referencesIn(given.fields, given.values);
    return references.map((reference) => this.#relation(reference, given));
  }

  #relation(
    { target, key, at, field }: FieldReference,
    { lang, folder }: Pick<RelationValues, "lang" | "folder">,
  ): Relation {
    const entry = target === "page" ? (this.#page(key, lang) ?? null) : null;
    const slash = target === "media" ? key.lastIndexOf("/") : -1;
    const owner = slash < 0 ? null : (this.#page(key.slice(0, slash), lang) ?? null);
    const place = slash < 0 ? folder : owner?.folder;
    const file =
      target !== "media" || place === undefined ? null : posix.join(place, key.slice(slash + 1));
    return { field: at.join("."), target, key, entry, owner, file, of: relationTargets(field) };
  }

  referencedBy(entry: PageEntry): readonly BackReference[] {
    const index = this.#options.index();
    const version = this.#options.version();
    if (this.#back?.index !== index || this.#back.version !== version) {
      const to = new Map<string, BackReference[]>();
      for (const from of index.entries) {
        for (const { field, target, key } of this.of(from)) {
          if (target !== "page") continue;
          const links = to.get(normalKey(key));
          const relation = { entry: from, field };
          if (links === undefined) to.set(normalKey(key), [relation]);
          else links.push(relation);
        }
      }
      this.#back = { index, version, to };
    }
    return this.#back.to.get(pageKey(entry)) ?? [];
  }

  moved({ fields, values, lang, folder }: RelationValues, pathAfter: (path: string) => string) {
    const references = referencesIn(fields, values);
    return movedPatch(values, references, {
      page: (key) => this.#page(key, lang),
      keyOfFolder: (path) => this.#keyOfFolder(path),
      folder,
      pathAfter,
    });
  }

  missing(given: RelationValues): Promise<readonly FieldViolation[]> {
    return missingTargets(given, {
      page: (key, lang) => this.#page(key, lang),
      hasFile: (key, folder) => this.#hasFile(key, folder),
      exists: (target) => this.#targets.get(target),
    });
  }

  /** A file of the page itself, or of another one by its key. */
  #hasFile(key: string, folder: string | undefined): boolean {
    const slash = key.lastIndexOf("/");
    const other = slash < 0 ? folder : this.#folderOf(key.slice(0, slash));
    if (other === undefined || key.slice(slash + 1).startsWith(".")) return false;
    const file = safeJoin(this.#options.root, join(other, key.slice(slash + 1)));
    return file !== null && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  }

  #folderOf(key: string): string | undefined {
    return this.#byKey().get(normalKey(key))?.[0]?.folder;
  }

  #keyOfFolder(path: string): string | null {
    const { entries } = this.#options.index();
    const owner = entries.find((entry) => entry.folder === path && isFolderPage(entry));
    return owner === undefined ? null : pageKey(owner);
  }

  #page(key: string, lang: string): PageEntry | undefined {
    const pages = this.#byKey().get(normalKey(key)) ?? [];
    return pages.find((entry) => entry.lang === lang) ?? pages[0];
  }

  #byKey(): ReadonlyMap<string, readonly PageEntry[]> {
    const index = this.#options.index();
    if (this.#pages?.index === index) return this.#pages.byKey;
    const byKey = new Map<string, PageEntry[]>();
    for (const entry of index.entries) {
      const key = pageKey(entry);
      const pages = byKey.get(key);
      if (pages === undefined) byKey.set(key, [entry]);
      else pages.push(entry);
    }
    this.#pages = { index, byKey };
    return byKey;
  }

  #references(
    { frontmatter }: Pick<PageEntry, "frontmatter">,
    blueprint: Blueprint | undefined,
  ): readonly FieldReference[] {
    if (blueprint === undefined) return [];
    const version = this.#options.version();
    const seen = this.#seen.get(frontmatter);
    if (seen?.version === version) return seen.found;
    const references = referencesIn(blueprint.fields, frontmatter);
    this.#seen.set(frontmatter, { version, found: references });
    return references;
  }
}

type Values = Readonly<Record<string, unknown>>;
type Place = Pick<RelationValues, "lang" | "folder">;

/** Finds the targets of references. */
interface FoundTargets {
  page(key: string, lang: string): PageEntry | undefined;
  hasFile(key: string, folder: string | undefined): boolean;
  /** Undefined: every key of the target is accepted. */
  exists(target: string): TargetExists | undefined;
}

/** Finds the relations whose target is missing or not allowed. */
async function missingTargets(
  { fields, values, before = null, ...place }: RelationValues,
  targets: FoundTargets,
): Promise<readonly FieldViolation[]> {
  const violations: FieldViolation[] = [];
  const old = before === null ? null : listAccounts(fields, before);
  for (const reference of referencesIn(fields, values)) {
    // Accounts are deleted without a look at the pages: only a changed value must name one.
    if (reference.target === "user" && old?.has(reference.key) === true) continue;
    const rest = await findFault(reference, place, targets);
    const { field, at } = reference;
    if (rest !== null) violations.push({ field: at.join("."), message: `${field.label} ${rest}` });
  }
  return violations;
}

function listAccounts(fields: readonly Field[], values: Values): ReadonlySet<string> {
  const users = referencesIn(fields, values).filter(({ target }) => target === "user");
  return new Set(users.map(({ key }) => key));
}

async function findFault(
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

/** Finds pages, and the paths that they have afterwards. */
interface MovedPages {
  page(key: string): PageEntry | undefined;
  /** The key of the page whose folder this is, before the moves; null without one. */
  keyOfFolder(folder: string): string | null;
  /** The folder whose files are named without a path, before the moves. */
  readonly folder: string | undefined;
  pathAfter(path: string): string;
}

/** The keys to change; null when nothing changes. */
function movedPatch(
  values: Readonly<Record<string, unknown>>,
  references: readonly FieldReference[],
  pages: MovedPages,
): Readonly<Record<string, unknown>> | null {
  const patch: Record<string, unknown> = {};
  for (const { target, key, at } of references) {
    const next = keyAfter(target, key, pages);
    const [name] = at;
    if (next === null || typeof name !== "string") continue;
    const value: unknown = Object.hasOwn(patch, name) ? patch[name] : values[name];
    patch[name] = replaced(value, at.slice(1), next);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/** The key after the move; null when it stays. */
function keyAfter(target: string, key: string, pages: MovedPages): string | null {
  if (target !== "page" && target !== "media") return null;
  const slash = target === "media" ? key.lastIndexOf("/") : key.length;
  const entry = slash < 0 ? undefined : pages.page(key.slice(0, slash));
  const folder = slash < 0 ? pages.folder : entry?.folder;
  const moved =
    target === "media" && folder !== undefined
      ? fileKey(folder, key.slice(slash + 1), pages)
      : null;
  if (moved !== null) return moved;
  if (entry === undefined) return null;
  const next = keyOfFile(entry, pages.pathAfter(entry.sourcePath));
  return next === normalKey(key.slice(0, slash)) ? null : next + key.slice(slash);
}

/** The key of a file that moves to another page; null for one that stays with its page. */
function fileKey(
  folder: string,
  name: string,
  { pathAfter, keyOfFolder }: MovedPages,
): string | null {
  const next = pathAfter(posix.join(folder, name));
  if (next === posix.join(pathAfter(folder), name)) return null;
  const owner = keyOfFolder(posix.dirname(next));
  return owner === null ? null : `${owner}/${posix.basename(next)}`;
}

/** A copy with another value at a path. A single value stands for a list of one. */
function replaced(value: unknown, at: readonly (string | number)[], next: string): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      index === step ? replaced(item, rest, next) : item,
    );
  if (typeof value !== "object" || value === null) return step === 0 ? next : value;
  if (typeof step === "number") return replaced(value, rest, next);
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    name === step ? replaced(item, rest, next) : item,
  ]);
  return Object.fromEntries(entries);
}

/** The key of a page, its source folder without order numbers; all its languages share it. */
function pageKey(entry: PageEntry): string {
  return keyOfFile(entry, entry.sourcePath);
}

/** The key that a page would have at another path. */
function keyOfFile(entry: PageEntry, sourcePath: string): string {
  const folder = sourcePath.slice(0, Math.max(sourcePath.lastIndexOf("/"), 0));
  if (isFolderPage(entry)) return withoutNumbers(folder);
  return withoutNumbers(pageStem(sourcePath, entry.lang));
}

/** A key as written by hand: with slashes around it, numbers or the content folder's name. */
function normalKey(text: string): string {
  const key = text.normalize("NFC").replace(/^\/+|\/+$/g, "");
  return withoutNumbers(key);
}

/** True when the page is a whole folder. */
export function isFolderPage({ folder, depth, route }: PageEntry): boolean {
  if (folder === "") return false;
  return route === "/" || depth === folder.split("/").length - 1;
}

function withoutNumbers(path: string): string {
  return withoutOrders(path).normalize("NFC");
}

const anyKey = (): null => null;

/** Adds the kinds whose values name pages, their files and accounts. */
export function addPageKinds(kinds: FieldKinds): void {
  kinds.add("page", relationKind({ target: "page", isList: false, form: anyKey }));
  kinds.add("pages", relationKind({ target: "page", isList: true, form: anyKey }));
  const form = (key: string): string | null =>
    /^[^/].*\.[A-Za-z0-9]{1,10}$/s.test(key) ? null : "must be the name of a file.";
  kinds.add("user", relationKind({ target: "user", isList: false, form: anyKey }));
  kinds.add("media", relationKind({ target: "media", isList: false, form }));
}
