/** Checks pages against their page types. */
import { join } from "node:path";
import { checkFields } from "#lib/fields";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import type {
  Blueprint,
  ContentProblem,
  FieldViolation,
  PageEntry,
  RelationValues,
} from "../contract.js";
import { locateProblem } from "../problems/problem-log.js";
import type { SourceRecord } from "../read/source-record.js";
import { shortValue } from "./blueprint-files.js";
import { locateEntry, locateFile, type PagePlace } from "./page-paths.js";

/** Dependencies of the checks. */
export interface PageCheckOptions {
  /** Absolute path of the content folder. */
  readonly root: string;
  readonly defaultLanguage: string;
  index(): ContentIndex;
  rules(): ContentRules;
  of(template: string): Blueprint | undefined;
  /** Counts up when page types change. */
  version(): number;
  /** Relations of a page that lead nowhere. */
  missing(given: RelationValues): Promise<readonly FieldViolation[]>;
}

/** A file that is about to be written. */
export interface FileToCheck {
  readonly path: string;
  readonly record: SourceRecord;
  /** Null for a new file. */
  readonly before: SourceRecord | null;
}

const FIX = "correct the front matter, or the file in blueprints/";

/** Finds what does not fit; front matter that was checked once is not checked again. */
export class PageChecks {
  readonly #options: PageCheckOptions;
  // Not in site.cache: what is wrong with front matter goes with it.
  readonly #seen = new WeakMap<
    PagePlace["frontmatter"],
    { version: number; found: readonly FieldViolation[] }
  >();

  constructor(options: PageCheckOptions) {
    this.#options = options;
  }

  /** Finds what does not fit in an indexed page, with line, key and value. */
  async problems(entry: PageEntry): Promise<readonly ContentProblem[]> {
    const { index, defaultLanguage, root } = this.#options;
    const violations = await this.#violations(locateEntry(entry, index(), defaultLanguage));
    const { sourcePath, frontmatter } = entry;
    return violations.map(({ field, message }) => {
      const [key = ""] = field.split(".");
      const value = shortValue(Object.hasOwn(frontmatter, key) ? frontmatter[key] : undefined);
      const what = { sourcePath, severity: "warning", code: "ERR_CONTENT_INVALID" } as const;
      const problem = { ...what, message, key, ...(value !== null && { value }), fix: FIX };
      return { ...locateProblem(problem, join(root, sourcePath)), key: field };
    });
  }

  /** Finds what does not fit in a file that is about to be written; `before` is the file until now. */
  async ofFile({ path, record, before }: FileToCheck): Promise<readonly FieldViolation[]> {
    const [index, rules] = [this.#options.index(), this.#options.rules()];
    const place = locateFile(path, record, index, rules);
    if (place === null) return [];
    const old = before === null ? null : locateFile(path, before, index, rules);
    return this.#violations(place, old?.frontmatter ?? null);
  }

  async #violations(
    place: PagePlace,
    before: PagePlace["frontmatter"] | null = null,
  ): Promise<readonly FieldViolation[]> {
    const blueprint = this.#options.of(place.template);
    const family = this.#family(place, blueprint);
    if (blueprint === undefined) return family;
    const { fields } = blueprint;
    const { frontmatter: values, lang, folder } = place;
    const missing = await this.#options.missing({ fields, values, lang, folder, before });
    const unfit = this.#fields(place, blueprint);
    const malformed = new Set(unfit.map(({ field }) => field));
    return [...unfit, ...missing.filter(({ field }) => !malformed.has(field)), ...family];
  }

  #fields({ frontmatter }: PagePlace, { fields }: Blueprint): readonly FieldViolation[] {
    const version = this.#options.version();
    const seen = this.#seen.get(frontmatter);
    if (seen?.version === version) return seen.found;
    const violations = checkFields(fields, frontmatter).errors.map(({ field, message }) => ({
      field,
      message,
    }));
    this.#seen.set(frontmatter, { version, found: violations });
    return violations;
  }

  /** Checks that the page may stand below its parent. */
  #family(place: PagePlace, blueprint: Blueprint | undefined): readonly FieldViolation[] {
    const { parent, template } = place;
    if (parent === null || place.isModule) return [];
    const children = this.#options.of(parent.template)?.children ?? null;
    const parents = blueprint?.parents ?? null;
    const misfits: string[] = [];
    if (children?.includes(template) === false)
      misfits.push(`${template} is not allowed below ${parent.route}: ${listed(children)}.`);
    if (parents?.includes(parent.template) === false)
      misfits.push(`${template} must stand below ${listed(parents)}, not ${parent.template}.`);
    return misfits.map((message) => ({ field: "template", message }));
  }
}

function listed(templates: readonly string[]): string {
  return templates.length === 0 ? "no page" : templates.join(", ");
}
