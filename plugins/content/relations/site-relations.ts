/** Relations between pages, and from pages to records and files, as their blueprints declare them. */
import { statSync } from "node:fs";
import { join, posix } from "node:path";
import { expectKind, safeJoin } from "#kernel";
import {
  callCheck,
  expectText,
  referencesIn,
  relationTargets,
  type FieldReference,
} from "#kernel/internal";
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
import { missingTargets } from "./missing-targets.js";
import { movedPatch } from "./moved-patch.js";
import { normalKey, pageKey } from "./page-key.js";

const assertTarget = callCheck(
  "content.relations.addTarget",
  { target: expectText, exists: expectKind("function") },
  'site.use("content").relations.addTarget("order", async (id) => true)',
);

/** What relations need. */
export interface RelationParts {
  /** Absolute path of the content folder. */
  readonly root: string;
  index(): ContentIndex;
  of(template: string): Blueprint | undefined;
  /** Counts up when page types change. */
  version(): number;
}

/** The relations of a site, found when they are asked for. */
export class SiteRelations implements Relations {
  readonly #parts: RelationParts;
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

  constructor(parts: RelationParts) {
    this.#parts = parts;
  }

  addTarget(target: string, exists: TargetExists): void {
    assertTarget(target, exists);
    this.#targets.set(target, exists);
  }

  keyOf(entry: PageEntry): string {
    return pageKey(entry);
  }

  of(entry: PageEntry): readonly Relation[] {
    const references = this.#references(entry, this.#parts.of(entry.template));
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

  moved({ fields, values, lang }: RelationValues, pathAfter: (path: string) => string) {
    const references = referencesIn(fields, values);
    return movedPatch(values, references, { page: (key) => this.#page(key, lang), pathAfter });
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
    { frontmatter }: Pick<PageEntry, "frontmatter">,
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
