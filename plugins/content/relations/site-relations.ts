/** Relations between pages, and from pages to records and files, as their blueprints declare them. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { safeJoin } from "#kernel";
import { referencesIn, relationTargets, type FieldReference } from "#kernel/internal";
import type { PagePlace } from "../blueprints/page-place.js";
import type { ContentIndex } from "../index/content-index.js";
import type {
  BackReference,
  Blueprint,
  FieldViolation,
  PageEntry,
  Relation,
  Relations,
} from "../contract.js";
import { movedPatch } from "./moved-patch.js";
import { normalKey, pageKey } from "./page-key.js";

/** What relations need. */
export interface RelationParts {
  /** Absolute path of the content folder. */
  readonly root: string;
  index(): ContentIndex;
  of(template: string): Blueprint | undefined;
  /** Counts up when page types change. */
  version(): number;
}
type Exists = Parameters<Relations["addTarget"]>[1];
type Place = Pick<PagePlace, "folder" | "lang" | "frontmatter">;

/** The relations of a site, found when they are asked for. */
export class SiteRelations implements Relations {
  readonly #parts: RelationParts;
  readonly #targets = new Map<string, Exists>();
  readonly #seen = new WeakMap<object, { version: number; found: readonly FieldReference[] }>();
  #pages: { index: ContentIndex; byKey: ReadonlyMap<string, readonly PageEntry[]> } | null = null;
  #back: {
    index: ContentIndex;
    version: number;
    to: ReadonlyMap<string, readonly BackReference[]>;
  } | null = null;

  constructor(parts: RelationParts) {
    this.#parts = parts;
  }

  addTarget(target: string, exists: Exists): void {
    this.#targets.set(target, exists);
  }

  of(entry: PageEntry): readonly Relation[] {
    return this.#references(entry, this.#parts.of(entry.template)).map(({ target, key, at }) => {
      const page = target === "page" ? (this.#page(key, entry.lang) ?? null) : null;
      return { field: at.join("."), target, key, entry: page };
    });
  }

  referencedBy(entry: PageEntry): readonly BackReference[] {
    const index = this.#parts.index();
    const version = this.#parts.version();
    if (this.#back?.index !== index || this.#back.version !== version) {
      const to = new Map<string, BackReference[]>();
      for (const from of index.entries) {
        for (const { field, target, key } of this.of(from)) {
          if (target !== "page") continue;
          const known = to.get(normalKey(key));
          const found = { entry: from, field };
          if (known === undefined) to.set(normalKey(key), [found]);
          else known.push(found);
        }
      }
      this.#back = { index, version, to };
    }
    return this.#back.to.get(pageKey(entry)) ?? [];
  }

  moved(entry: PageEntry, pathAfter: (path: string) => string) {
    const references = this.#references(entry, this.#parts.of(entry.template));
    return movedPatch(entry, references, {
      page: (key) => this.#page(key, entry.lang),
      pathAfter,
    });
  }

  /** Relations of a page that lead nowhere, or to what its blueprint does not allow. */
  missing(place: Place, blueprint: Blueprint): readonly FieldViolation[] {
    return this.#references(place, blueprint).flatMap((reference) => {
      const rest = this.#fault(reference, place);
      const { field, at } = reference;
      return rest === null ? [] : [{ field: at.join("."), message: `${field.label} ${rest}` }];
    });
  }

  #fault({ target, key, field }: FieldReference, place: Place): string | null {
    const shown = JSON.stringify(key.slice(0, 100));
    const of = relationTargets(field);
    if (target === "page")
      return this.#pageFault({ shown, key, of, from: field.more["from"] }, place);
    if (target === "media") {
      return this.#hasFile(key, place) ? null : `names the file ${shown}, which does not exist.`;
    }
    const exists = this.#targets.get(target);
    return exists === undefined || exists(key, of)
      ? null
      : `names the ${target} ${shown}, which does not exist.`;
  }

  #pageFault(
    wanted: { shown: string; key: string; of: readonly string[]; from: unknown },
    { lang }: Place,
  ): string | null {
    const { shown, key, of, from } = wanted;
    const page = this.#page(key, lang);
    if (page === undefined) return `names the page ${shown}, which does not exist.`;
    if (of.length > 0 && !of.includes(page.template))
      return `names a page of type ${page.template}, not ${of.join(", ")}.`;
    const isBelow = typeof from !== "string" || from === "/" || page.route.startsWith(`${from}/`);
    return isBelow ? null : `names a page that is not below ${from}.`;
  }

  /** A file of the page itself, or of another one by its key. */
  #hasFile(key: string, { folder }: Place): boolean {
    const slash = key.lastIndexOf("/");
    const other = slash < 0 ? folder : this.#folderOf(key.slice(0, slash));
    if (other === undefined || key.slice(slash + 1).startsWith(".")) return false;
    const file = safeJoin(this.#parts.root, join(other, key.slice(slash + 1)));
    return file !== null && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  }

  #folderOf(key: string): string | undefined {
    return this.#byKey().get(normalKey(key))?.[0]?.folder;
  }

  #page(key: string, lang: string): PageEntry | undefined {
    const pages = this.#byKey().get(normalKey(key)) ?? [];
    return pages.find((entry) => entry.lang === lang) ?? pages[0];
  }

  #byKey(): ReadonlyMap<string, readonly PageEntry[]> {
    const index = this.#parts.index();
    if (this.#pages?.index === index) return this.#pages.byKey;
    const byKey = new Map<string, PageEntry[]>();
    for (const entry of index.entries) {
      const key = pageKey(entry);
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [entry]);
      else known.push(entry);
    }
    this.#pages = { index, byKey };
    return byKey;
  }

  #references(
    { frontmatter }: Pick<Place, "frontmatter">,
    blueprint: Blueprint | undefined,
  ): readonly FieldReference[] {
    if (blueprint === undefined) return [];
    const version = this.#parts.version();
    const seen = this.#seen.get(frontmatter);
    if (seen?.version === version) return seen.found;
    const found = referencesIn(blueprint.fields, frontmatter);
    this.#seen.set(frontmatter, { version, found });
    return found;
  }
}
