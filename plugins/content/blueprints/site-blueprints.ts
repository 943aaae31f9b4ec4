/** The page types and blocks of a site. */
import type { Field, FieldKinds, JsonSchema, SiteContext } from "#kernel";
import { initialValues, isEmpty, fieldsSchema } from "#lib/fields";
import { zoneDay } from "#lib/dates";
import type {
  BlockType,
  Blueprint,
  Blueprints,
  ContentProblem,
  NewPage,
  PageEntry,
} from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import type { TermFields, TextFields } from "../index/tree-nodes.js";
import { recordOfBytes } from "../read/source-record.js";
import { followFolder } from "../watch/root-folders.js";
import { addPageKinds, SiteRelations } from "./relations.js";
import { readBlueprintFiles, type BlueprintFile, BlueprintProblems } from "./blueprint-files.js";
import { newPath, locateFile } from "./page-paths.js";
import { PageChecks } from "./page-checks.js";
import { readBlocks, readBlueprints, listTermFields, listTextFields } from "./read-blueprint.js";

/** Folder of page types, below the site root. */
export const BLUEPRINTS_FOLDER = "blueprints";
const BLOCKS_FOLDER = `${BLUEPRINTS_FOLDER}/blocks`;

/** Kinds of fields whose value is a day. */
const DATE_KINDS: ReadonlySet<string> = new Set(["date", "datetime"]);

/** A page that is about to be written. */
export interface OpenFile {
  /** Below the content folder. */
  readonly path: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly isNew: boolean;
  /** When the change publishes the page, Unix ms; null: it does not, or the page was public before. */
  readonly publishedAt: number | null;
}

/** Dependencies of the page types. */
export interface BlueprintOptions {
  readonly kinds: FieldKinds;
  index(): ContentIndex;
  rules(): ContentRules;
}

type BlueprintSite = Pick<SiteContext, "log" | "paths" | "runtime" | "settings">;

/** Page types as their files describe them. */
export class SiteBlueprints implements Blueprints {
  readonly relations: SiteRelations;
  /** Finds the fields that do not fit in a file that is about to be written. */
  readonly violationsOf: PageChecks["ofFile"];
  readonly #site: BlueprintSite;
  readonly #options: BlueprintOptions;
  readonly #checks: PageChecks;
  readonly #kinds: FieldKinds;
  #byTemplate: ReadonlyMap<string, Blueprint> = new Map();
  #blocks: readonly BlockType[] = [];
  #problems: readonly ContentProblem[] = [];
  /** Files by path, as last read without syntax error. */
  #files: ReadonlyMap<string, BlueprintFile> = new Map();
  #names: ReadonlySet<string> = new Set();
  #termFields: TermFields = new Map();
  #textFields: TextFields = listTextFields([], []);
  #version = 0;

  constructor(site: BlueprintSite, options: BlueprintOptions) {
    this.#site = site;
    this.#options = options;
    this.#kinds = options.kinds;
    const lookup = {
      root: site.paths.content,
      index: () => options.index(),
      of: (template: string) => this.of(template),
      version: () => this.#version,
    };
    addPageKinds(options.kinds);
    this.relations = new SiteRelations(lookup);
    this.#checks = new PageChecks({
      ...lookup,
      defaultLanguage: site.settings.system.languages.default,
      rules: () => options.rules(),
      missing: (values) => this.relations.missing(values),
    });
    this.violationsOf = async (file) =>
      this.#byTemplate.size === 0 ? [] : this.#checks.ofFile(file);
  }

  get version(): number {
    return this.#version;
  }

  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** Names of templates with a file, even an invalid one: a mistake must not move pages. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Fields whose values are terms of the page. */
  get termFields(): TermFields {
    return this.#termFields;
  }

  /** Fields whose values are the texts in the file. */
  get textFields(): TextFields {
    return this.#textFields;
  }

  of(template: string): Blueprint | undefined {
    return this.#byTemplate.get(template);
  }

  list(): readonly Blueprint[] {
    return [...this.#byTemplate.values()];
  }

  blocks(): readonly BlockType[] {
    return this.#blocks;
  }

  async violations(entry: PageEntry): Promise<readonly ContentProblem[]> {
    return this.#byTemplate.size === 0 ? [] : this.#checks.problems(entry);
  }

  describe(path: string, text: string): ReturnType<Blueprints["describe"]> {
    const record = recordOfBytes(path, Buffer.from(text));
    const place = locateFile(path, record, this.#options.index(), this.#options.rules());
    const { frontmatter } = place ?? record;
    return { blueprint: place === null ? undefined : this.of(place.template), frontmatter };
  }

  /**
   * The values that the page type gives to a page that is about to be written: the defaults of the fields in a
   * new file, and the `date` of a page that is published for the first time. Only of fields without a value.
   */
  openValues(file: OpenFile): Readonly<Record<string, unknown>> {
    const { frontmatter, publishedAt } = file;
    const record = { frontmatter, texts: null };
    const { index, rules } = this.#options;
    const template = locateFile(file.path, record, index(), rules())?.template ?? "";
    const fields = this.of(template)?.fields ?? [];
    const moment = { now: this.#site.runtime.clock.now(), timezone: this.#timezone };
    const initial = file.isNew ? initialValues(fields, frontmatter, moment) : {};
    const isOpen = isEmpty(frontmatter["date"]) && !Object.hasOwn(initial, "date");
    const date = publishedAt === null || !isOpen ? null : this.dateAt(template, publishedAt);
    return date === null ? initial : { ...initial, date };
  }

  dateAt(template: string, time: number): string | null {
    const field = this.of(template)?.fields.find(({ name }) => name === "date");
    if (field === undefined || !DATE_KINDS.has(field.type)) return null;
    return field.kind.valueAt?.({ now: time, timezone: this.#timezone }) ?? null;
  }

  get #timezone(): string {
    return this.#site.settings.system.timezone;
  }

  newPath(page: NewPage): string {
    const { runtime, settings } = this.#site;
    return newPath(page, {
      index: this.#options.index(),
      lang: settings.system.languages.default,
      blueprint: this.of(page.template),
      today: zoneDay(runtime.clock.now(), this.#timezone),
    });
  }

  /** Reads the files. True when page types or blocks differ from before. */
  async read(): Promise<boolean> {
    const { root } = this.#site.paths;
    const pages = await readBlueprintFiles(root, BLUEPRINTS_FOLDER, this.#kinds);
    const blocks = await readBlueprintFiles(root, BLOCKS_FOLDER, this.#kinds);
    const problems = new BlueprintProblems();
    if (!pages.isListed || !blocks.isListed) {
      this.#report([...pages.problems, ...blocks.problems]);
      return false;
    }
    const pageFiles = pages.files.map((file) => this.#lastGood(file));
    const blockFiles = blocks.files.map((file) => this.#lastGood(file));
    const names = { kinds: this.#kinds, taxonomies: this.#site.settings.site.taxonomies };
    const types = readBlocks(blockFiles, names, problems);
    const blueprints = readBlueprints(pageFiles, names, problems);
    const files = [...pageFiles, ...blockFiles];
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#report([...pages.problems, ...blocks.problems, ...problems.list]);
    return this.#take(blueprints, types, new Set(pages.files.map(({ name }) => name)));
  }

  /** True when these differ from before. */
  #take(
    blueprints: readonly Blueprint[],
    types: readonly BlockType[],
    names: ReadonlySet<string>,
  ): boolean {
    const before = JSON.stringify([this.#blocks, this.list(), [...this.#names]]);
    if (before === JSON.stringify([types, blueprints, [...names]])) return false;
    const fields = types.map(({ name, fields: list }): [string, readonly Field[]] => [name, list]);
    this.#kinds.setBlocks(new Map(fields));
    this.#blocks = types;
    this.#byTemplate = new Map(blueprints.map((blueprint) => [blueprint.name, blueprint]));
    this.#termFields = listTermFields(blueprints);
    this.#textFields = listTextFields(blueprints, types);
    this.#names = names;
    this.#version += 1;
    return true;
  }

  /** A file with a syntax error counts as it was before, so that saving half a file breaks nothing. */
  #lastGood(file: BlueprintFile): BlueprintFile {
    return file.source === null ? (this.#files.get(file.path) ?? file) : file;
  }

  #report(problems: readonly ContentProblem[]): void {
    const logged = new Set(this.#problems.map((problem) => JSON.stringify(problem)));
    this.#problems = problems;
    for (const problem of problems) {
      if (logged.has(JSON.stringify(problem))) continue;
      const { sourcePath: file, severity: _severity, ...rest } = problem;
      this.#site.log.warn("content.blueprint_problem", { file, ...rest });
    }
  }
}

/** JSON Schema of front matter by template, and of blocks by `blocks/{type}`. */
export function editorSchemas(
  blueprints: Pick<Blueprints, "list" | "blocks">,
): Readonly<Record<string, JsonSchema>> {
  const pages = blueprints
    .list()
    .map(({ name, title, fields }) => [name, { title, ...fieldsSchema(fields) }] as const);
  const blocks = blueprints.blocks().map(({ name, label, fields }) => {
    const schema = fieldsSchema(fields);
    const properties = { type: { const: name }, ...Object(schema["properties"]) };
    const needed: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
    const required = ["type", ...needed];
    return [`blocks/${name}`, { title: label, ...schema, properties, required }] as const;
  });
  return Object.fromEntries([...pages, ...blocks]);
}

/**
 * Watches the folder, which may be created later; every worker reads it for itself. `rebuild` sorts files into pages
 * again: page types decide which file is a folder's page, and its terms.
 */
export function followBlueprints(
  site: SiteContext,
  blueprints: SiteBlueprints,
  rebuild: () => Promise<void>,
): void {
  const read = async (): Promise<boolean> => {
    const before = treeRules(blueprints);
    if (!(await blueprints.read())) return false;
    if (treeRules(blueprints) !== before) await rebuild();
    // Any cached value may have been made from the former page types.
    await site.changes.publish({ changes: [], tags: null, isFound: true });
    site.log.info("content.blueprints_read", { version: blueprints.version });
    return true;
  };
  followFolder(site, BLUEPRINTS_FOLDER, read);
}

/** A stamp of the names and fields that decide places, values and terms of pages. */
function treeRules({ names, termFields, textFields }: SiteBlueprints): string {
  return JSON.stringify([[...names].sort(), [...termFields], textFields.stamp]);
}
