/** Names and fields of pages that are served as they are, although their author may have meant something else. */
import type { SiteContext } from "#kernel";
import { sameLanguage, splitOrder } from "#lib/text";
import type { PageEntry } from "../content/contract.js";
import type { CheckErrorCode, CheckProblem } from "./errors.js";

/** The taxonomies of the site. */
interface Taxonomies {
  readonly names: ReadonlySet<string>;
  /** By `termKey`. */
  readonly byKey: ReadonlyMap<string, string>;
}

/** Addresses that differ in case only, folders that sound like drafts, and fields that have no effect. */
export function nearMisses(site: SiteContext, entries: readonly PageEntry[]): CheckProblem[] {
  const content = site.use("content");
  const names = site.settings.site.taxonomies;
  const taxonomies: Taxonomies = {
    names: new Set(names),
    byKey: new Map(names.map((name) => [termKey(name), name])),
  };
  return [
    ...sameAddresses(entries),
    ...draftFolders(entries),
    ...entries.flatMap((entry) => {
      const blueprint = content.blueprints.of(entry.template);
      const declared = new Set(blueprint?.fields.map(({ name }) => name));
      return [
        ...unreadTerms(entry, taxonomies, declared),
        ...unreadLanguage(entry, declared),
        ...unreadAliases(entry, declared),
      ];
    }),
  ];
}

/** Pages whose addresses differ only in case: a static export keeps one of them on file systems that ignore case. */
function sameAddresses(entries: readonly PageEntry[]): CheckProblem[] {
  const byAddress = new Map<string, PageEntry>();
  const problems: CheckProblem[] = [];
  for (const entry of entries) {
    if (!entry.routable) continue;
    const key = entry.url.toLowerCase();
    const other = byAddress.get(key);
    if (other === undefined) byAddress.set(key, entry);
    else if (other.url !== entry.url) {
      const shown = JSON.stringify(other.sourcePath);
      const message = `the address differs from that of ${shown} only in case, so an export on Windows or macOS keeps only one of them; change the slug of one`;
      problems.push({ ...warning(entry, "ERR_CHECK_NAME"), message });
    }
  }
  return problems;
}

/** Folders named `drafts` whose pages are public, the first page of each. */
function draftFolders(entries: readonly PageEntry[]): CheckProblem[] {
  const folders = new Set<string>();
  return entries.flatMap((entry) => {
    if (!entry.routable || !entry.published) return [];
    const names = entry.sourcePath.split("/").slice(0, -1);
    const at = names.findIndex((name) => /^drafts?$/i.test(splitOrder(name).rest));
    const folder = names.slice(0, at + 1).join("/");
    if (at === -1 || folders.has(folder)) return [];
    folders.add(folder);
    const message = `the pages of ${JSON.stringify(folder)} are public; name the folder "_drafts" to keep them off the site`;
    return [{ ...warning(entry, "ERR_CHECK_NAME"), message }];
  });
}

/** `tags`, `Category`, and names in `taxonomy` that are almost those of the site. */
function unreadTerms(
  entry: PageEntry,
  taxonomies: Taxonomies,
  declared: ReadonlySet<string>,
): CheckProblem[] {
  const { taxonomy } = entry.frontmatter;
  const inside = Object.keys(entry.taxonomy).filter(
    (name) => !taxonomies.names.has(name) && hasTaxonomy(taxonomy, name),
  );
  const beside = Object.entries(entry.frontmatter).flatMap(([key, value]) =>
    isTerms(value) && !declared.has(key) ? [key] : [],
  );
  const problems: CheckProblem[] = [];
  for (const key of [...inside, ...beside]) {
    const meant = taxonomies.byKey.get(termKey(key));
    if (meant === undefined) continue;
    const where = inside.includes(key) ? `taxonomy.${key}` : key;
    const message = `front matter: ${where} gives the page no terms; write taxonomy: { ${meant}: […] }`;
    problems.push({ ...warning(entry, "ERR_CHECK_FIELD"), key, message });
  }
  return problems;
}

function hasTaxonomy(taxonomy: unknown, name: string): boolean {
  return typeof taxonomy === "object" && taxonomy !== null && Object.hasOwn(taxonomy, name);
}

function isTerms(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTerms);
  return typeof value === "string" && value !== "";
}

/** Without case and plural: `Tags` and `tag`, `categories` and `category`. */
function termKey(name: string): string {
  return name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");
}

/** `lang: de` in a file whose name says another language. */
function unreadLanguage(entry: PageEntry, declared: ReadonlySet<string>): CheckProblem[] {
  return ["lang", "locale", "language"].flatMap((key) => {
    const value = entry.frontmatter[key];
    if (typeof value !== "string" || !/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(value)) return [];
    if (declared.has(key) || isLanguage(value, entry.lang)) return [];
    const message = `front matter: ${key} is ${JSON.stringify(value)}, and the page is in ${JSON.stringify(entry.lang)}; the language is in the name of the file, such as page.${value}.md`;
    return [{ ...warning(entry, "ERR_CHECK_FIELD"), key, message }];
  });
}

/** Old addresses as Hugo and Jekyll name them; other systems list names of a note in `aliases`. */
function unreadAliases(entry: PageEntry, declared: ReadonlySet<string>): CheckProblem[] {
  return ["aliases", "redirect_from"].flatMap((key) => {
    const paths = [entry.frontmatter[key]].flat().filter((one) => String(one).startsWith("/"));
    if (paths.length === 0 || declared.has(key)) return [];
    const message = `front matter: ${key} gives the page no further addresses; write routes: { aliases: […] }`;
    return [{ ...warning(entry, "ERR_CHECK_FIELD"), key, message }];
  });
}

/** True for `en_US` and `en`. */
function isLanguage(value: string, lang: string): boolean {
  return sameLanguage(value, lang) || value.split(/[-_]/)[0]?.toLowerCase() === lang.toLowerCase();
}

function warning<C extends CheckErrorCode>({ sourcePath }: PageEntry, code: C) {
  return { sourcePath, severity: "warning", code } as const;
}
