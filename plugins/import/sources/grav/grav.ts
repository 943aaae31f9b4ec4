/** Grav and Dune: folders with the layout of this project. Paths stay, so do numbers, modules and translations. */
import { posix } from "node:path";
import type { ImportItem, ImportSource } from "../../contract.js";
import { isRecord } from "#kernel";
import { readConfigFile } from "../source-files.js";
import { listOf, parseDate, parseYamlMap, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { plainRule } from "../files/host-redirects.js";
import { gravText } from "./grav-text.js";

const ROOTS: Readonly<Record<string, readonly string[]>> = {
  grav: ["user/pages", "pages"],
  dune: ["content"],
};
const NUMBER = /^\d{1,9}\./;
const SIDECAR = ".meta.yaml";

/** The source `grav`. */
export const grav: ImportSource = sameLayout("grav", "the folder of a site, or its user/pages");
/** The source `dune`. */
export const dune: ImportSource = sameLayout("dune", "the folder of a site, or its content/");

function sameLayout(name: "grav" | "dune", summary: string): ImportSource {
  return folderSource(summary, async ({ root: source, paths }) => {
    const sidecars = await readSidecars(source, paths);
    const root = ROOTS[name]?.find((one) => paths.some((path) => path.startsWith(`${one}/`))) ?? "";
    const below = (path: string): string => (root === "" ? path : path.slice(root.length + 1));
    const config = name === "grav" ? await readConfig(source) : null;
    const variants = new Variants(config ?? NO_CONFIG, paths);
    const rules: FolderRules = {
      extensions: [".md"],
      isIgnored: (path) =>
        (root !== "" && !path.startsWith(`${root}/`)) || /^[^/]+\.ya?ml$/.test(below(path)),
      isRead: (path) => path.endsWith(SIDECAR),
      isPage: (path) => path.endsWith(".md") && variants.issueOf(path) === null,
      lostPage: (path) => (path.endsWith(".md") ? variants.issueOf(path) : null),
      isFolderPage: true,
      answersAtFolders: name === "grav",
      place: (page) => place(page, below(variants.mainOf(page.path)), name === "grav"),
      ...(config !== null && { extra: () => config.redirects }),
      addressOf: (path) => toAddress(withoutNumbers(below(path))),
      metaOf: (path) => sidecars.get(path) ?? {},
      ...(name === "grav" && { transform: (body: string) => gravText(body) }),
    };
    return rules;
  });
}

/** What the configuration of Grav sets. */
interface GravConfig {
  /** The codes of languages, the main one first; empty for a site of one language. */
  readonly languages: readonly string[];
  /** The languages in which a page of the main one is looked for; empty for a name without a code. */
  readonly chain: readonly string[];
  readonly redirects: readonly ImportItem[];
}

const NO_CONFIG: GravConfig = { languages: [], chain: [], redirects: [] };

/** Reads `system.yaml` and `site.yaml`, beside the pages. */
async function readConfig(source: string): Promise<GravConfig> {
  const languages: string[] = [];
  const chain: string[] = [];
  const redirects: ImportItem[] = [];
  for (const folder of ["user/config", "config"]) {
    const system = parseYamlMap(await readConfigFile(source, `${folder}/system.yaml`));
    const options = "data" in system ? system.data["languages"] : undefined;
    if (isRecord(options)) {
      const supported: unknown[] = Array.isArray(options["supported"]) ? options["supported"] : [];
      const codes = supported.map(String);
      const main = String(options["default_lang"] ?? codes[0] ?? "");
      languages.push(...codes.filter((code) => code === main));
      languages.push(...codes.filter((code) => code !== main));
      const fallbacks = isRecord(options["content_fallback"]) ? options["content_fallback"] : {};
      const listed: unknown = fallbacks[main];
      chain.push(...(Array.isArray(listed) ? listed.map(String) : [main, ""]));
    }
    const file = `${folder}/site.yaml`;
    const site = parseYamlMap(await readConfigFile(source, file));
    if (!("data" in site)) continue;
    for (const key of ["redirects", "routes"]) {
      const rules = site.data[key];
      for (const [from, to] of Object.entries(isRecord(rules) ? rules : {}))
        redirects.push(redirectItem(from, text(to) ?? "", { file, languages }));
    }
  }
  return { languages, chain, redirects };
}

/** A redirect of Grav, whose patterns are regular expressions that may begin with the language. */
function redirectItem(
  written: string,
  target: string,
  { file, languages }: { readonly file: string; readonly languages: readonly string[] },
): ImportItem {
  const origin = { file };
  const plain = written
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/\\(?=[./-])/g, "");
  const [whole = "", group = ""] =
    /^\/(\((?:\\d\+|\[a-z\]\+|\[a-z\]\{2\}|[\w|-]+)\))(?=\/)/.exec(plain) ?? [];
  const isLanguage =
    group !== "" && languages.length > 0 && languages.every((code) => fits(code, group));
  const from = isLanguage ? plain.slice(whole.length) : plain;
  const to = isLanguage
    ? target.replaceAll(/\$(\d)/g, (_, at: string) => `$${Number(at) - 1}`)
    : target;
  const rule =
    target.startsWith("/") || /^https?:/.test(target)
      ? plainRule(from, to.replace(/^\/\$0(?=\/)/, ""))
      : null;
  return rule === null
    ? {
        kind: "notImported",
        origin,
        reason: `the redirect from ${written} to ${target} has no counterpart`,
      }
    : { kind: "redirect", origin, ...rule };
}

/** True when a group of a pattern stands for a code: `(\d+)`, `([a-z]+)`, `(en|de)`. */
function fits(code: string, group: string): boolean {
  if (group === "(\\d+)") return /^\d+$/.test(code);
  if (group.startsWith("([a-z]")) return /^[a-z]+$/.test(code);
  return group.slice(1, -1).split("|").includes(code);
}

/** A code that this project reads at the end of a name. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/i;

/** The files of one page in several languages: `docs.md`, `docs.en.md`, `docs.17.md`. */
class Variants {
  readonly #languages: readonly string[];
  /** The languages in which Grav looks for the page of the main one; empty for a name without a code. */
  readonly #chain: readonly string[];
  readonly #paths: ReadonlySet<string>;

  constructor({ languages, chain }: GravConfig, paths: readonly string[]) {
    this.#languages = languages;
    this.#chain = chain;
    this.#paths = new Set(paths);
  }

  /** The path of the file in the main language, which needs no code. */
  mainOf(path: string): string {
    const { bare } = this.#split(path);
    return this.#winner(bare) === path ? bare : path;
  }

  /** Why a file stays behind; null for one that is a page here. */
  issueOf(path: string): string | null {
    const { bare, lang } = this.#split(path);
    const winner = this.#winner(bare);
    if (winner === path || (lang !== null && LANGUAGE.test(lang))) return null;
    if (lang !== null)
      return `it is in ${JSON.stringify(lang)}, which is not a language of the site`;
    return winner === undefined
      ? null
      : `${posix.basename(winner)} is the page in the main language`;
  }

  #winner(bare: string): string | undefined {
    return this.#chain
      .map((code) => (code === "" ? bare : bare.replace(/\.md$/, `.${code}.md`)))
      .find((path) => this.#paths.has(path));
  }

  #split(path: string): { readonly bare: string; readonly lang: string | null } {
    const code = /\.([\w-]{1,20})\.md$/.exec(path)?.[1];
    return code !== undefined && this.#languages.includes(code)
      ? { bare: path.replace(`.${code}.md`, ".md"), lang: code }
      : { bare: path, lang: null };
  }
}

/** What `picture.jpg.meta.yaml` says of `picture.jpg`. */
async function readSidecars(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const sidecars = new Map<string, Readonly<Record<string, unknown>>>();
  for (const path of paths.filter((one) => one.endsWith(SIDECAR))) {
    const parsed = parseYamlMap(await readConfigFile(root, path));
    if ("data" in parsed) sidecars.set(path.slice(0, -SIDECAR.length), parsed.data);
  }
  return sidecars;
}

function withoutNumbers(path: string): string {
  return path
    .split("/")
    .map((part) => part.replace(NUMBER, ""))
    .join("/");
}

function place({ data }: PageFile, path: string, isGrav: boolean): PlacedPage {
  const folder = posix.dirname(path);
  const parts = withoutNumbers(folder === "." ? "" : folder).split("/");
  const slug = text(data["slug"]);
  const last = slug === null ? parts : [...parts.slice(0, -1), slug];
  const isFlat =
    !/^(?:\d+\.)?(?:default|index|item|post|blog|docs|landing|home|page|modular)\b/.test(
      posix.basename(path),
    ) && folder === ".";
  const route = toAddress(
    [
      ...last,
      ...(isFlat ? [posix.basename(path).replace(NUMBER, "").replace(/\.md$/, "")] : []),
    ].join("/"),
  );
  const isHome = route === "/home" || route === "/index";
  const routes = isRecord(data["routes"]) ? data["routes"] : {};
  return {
    route: isHome ? "/" : route,
    template: posix.basename(path).replace(/\..*$/, ""),
    position: null,
    path,
    matter: { ...toFrontMatter(data), ...(isGrav && readDates(data)) },
    addresses: [
      route,
      ...(isGrav ? [text(routes["default"]) ?? route, ...listOf(routes["aliases"])] : []),
    ],
  };
}

const DATES = ["date", "publish_date", "unpublish_date"];
/** `17:34 06/30/2024` and `30-06-2024 17:34`, as the panel of Grav writes them: PHP reads slashes month first. */
const PANEL_DATE =
  /^(?:(\d{1,2}:\d{2})[ T]+)?(?:(\d{1,2})\/(\d{1,2})\/(\d{4})|(\d{1,2})-(\d{1,2})-(\d{4}))(?:[ T]+(\d{1,2}:\d{2}))?$/;

/** The dates in another form than that of this project. */
function readDates(data: PageFile["data"]): Record<string, string> {
  return Object.fromEntries(
    DATES.flatMap((key) => {
      const date = panelDate(text(data[key]) ?? "");
      return date === null ? [] : [[key, date] as const];
    }),
  );
}

function panelDate(written: string): string | null {
  const match = PANEL_DATE.exec(written.trim());
  if (match === null) return null;
  const [, before, month, day, year, dayFirst, monthNext, yearLast, after] = match;
  const parts = [month ?? monthNext ?? "", day ?? dayFirst ?? ""].map((part) =>
    part.padStart(2, "0"),
  );
  const time = (before ?? after)?.padStart(5, "0");
  return parseDate(`${year ?? yearLast}-${parts.join("-")}${time === undefined ? "" : ` ${time}`}`);
}

/** The front matter as it is. */
function toFrontMatter(data: PageFile["data"]): Record<string, unknown> {
  const images = listOf(data["media_order"]);
  return {
    metadata: null,
    summary: null,
    taxonomy: null,
    custom: null,
    status: null,
    ...data,
    media_order: images,
  };
}
