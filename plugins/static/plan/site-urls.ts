import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import type { ContentView, Generation, PageEntry } from "../../content/contract.js";
import type {} from "../../flex/contract.js";
import type {} from "../../llms/contract.js";
import type { LeftOut } from "../contract.js";
import type {} from "../../render/contract.js";
import type {} from "../../feeds/contract.js";
import { pageKey } from "./addresses.js";
import type { ExportJob } from "../make/page-exporter.js";

/** The initial addresses of the export; links lead to the rest. */
interface SiteUrls {
  /** Paths as in a URL. */
  urls: Set<string>;
  /** Pages that only some visitors may read. */
  gated: number;
  /** Pages that are missing from the export, with the reason. */
  leftOut: LeftOut[];
}

const GENERATED = [
  "/robots.txt",
  "/favicon.ico",
  "/favicon.svg",
  "/apple-touch-icon.png",
  "/icon-192.png",
  "/icon-512.png",
];

/** Every page in every language, with aliases; redirects; feeds, records, search. */
export async function siteUrls(site: SiteContext, view: ContentView): Promise<SiteUrls> {
  const urls = new Set<string>();
  const content = site.use("content");
  const leftOut = [...unreachable(content.generation()), ...queryRedirects(site)];
  let gated = 0;
  for (const entry of content.generation().entries) {
    if (!entry.routable || entry.isModule) continue;
    if (entry.roles !== null) {
      gated += 1;
      leftOut.push({ page: entry.sourcePath, reason: "only members may read it" });
    } else if (view.canSee(entry)) for (const url of listUrls(site, entry)) urls.add(url);
  }
  for (const route of configured(site)) urls.add(route);
  for (const url of await recordUrls(site)) urls.add(url);
  for (const url of [...made(site), ...feedUrls(site, view)]) urls.add(url);
  return { urls, gated, leftOut };
}

function unreachable({ problems }: Pick<Generation, "problems">): LeftOut[] {
  return problems
    .filter(({ code }) => code === "ERR_CONTENT_UNREACHABLE")
    .map(({ sourcePath, message }) => ({ page: sourcePath, reason: message }));
}

/** The page, its aliases, and its addresses in the languages that fall back to it. */
function listUrls(site: SiteContext, entry: PageEntry): string[] {
  const { supported, default: main } = site.settings.system.languages;
  const { addresses } = site.use("content");
  const urls = [entry.url, ...entry.aliases.map((alias) => addresses.urlOf(alias, entry.lang))];
  if (entry.lang === main) {
    for (const lang of supported) if (lang !== main) urls.push(addresses.urlOf(entry.route, lang));
  }
  return urls;
}

/**
 * Aliases and redirects of site.yaml, with `/old` of `/old/*`. The rest of `/old/*` is a rule for hosts; `/?p=12`
 * is left out, as a file has no query.
 */
function configured(site: SiteContext): string[] {
  const redirects = site.use("content").redirects();
  const aliases = Object.keys(site.settings.site.routes).map(pageKey);
  const paths = redirects.filter(({ kind }) => kind !== "query").map(({ path }) => path);
  return [...aliases, ...paths].map(encodePath);
}

function queryRedirects(site: SiteContext): LeftOut[] {
  const queries = site
    .use("content")
    .redirects()
    .filter(({ kind }) => kind === "query");
  return queries.map(({ from }) => ({
    page: "site.yaml",
    reason: `the redirect from ${JSON.stringify(from)} depends on a query, which files cannot read`,
  }));
}

async function recordUrls(site: SiteContext): Promise<string[]> {
  const flex = site.use("flex", { optional: true });
  const urls: string[] = [];
  for (const { name } of flex?.types() ?? []) {
    const list = await flex?.list(name);
    urls.push(`/flex/${encodeURIComponent(name)}`);
    for (const { _id } of list?.records ?? []) {
      urls.push(`/flex/${encodeURIComponent(name)}/${encodeURIComponent(_id)}`);
    }
  }
  return urls;
}

function made(site: SiteContext): string[] {
  const has = (plugin: string): boolean =>
    site.runtime.plugins().some(({ name }) => name === plugin);
  const searchPages = site.use("search", { optional: true })?.pages ?? [];
  return [
    ...GENERATED,
    ...searchPages.map(({ path }) => path),
    ...(has("feeds") ? ["/sitemap.xml"] : []),
    ...(has("llms") && site.settings.site.llms.enabled ? programUrls(site) : []),
  ];
}

/** The lists of pages for programs, which no page links to. */
function programUrls(site: SiteContext): string[] {
  const { languages, addresses } = site.use("content");
  const roots = languages.supported.map((lang) => addresses.rootOf(lang));
  return roots.flatMap((root) => [`${root}/llms.txt`, `${root}/llms-full.txt`]);
}

/** Encodes a path for a URL. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((segment) =>
      encodeURIComponent(segment).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent),
    )
    .join("/");
}

/** Addresses of the files of the active themes: styles, scripts, fonts. */
export function themeUrls(site: SiteContext): string[] {
  return site
    .use("render")
    .themes.flatMap(({ name, folder }) =>
      listFiles(join(folder, "static"), "").map((path) =>
        encodePath(`/themes/${name}/static/${path}`),
      ),
    );
}

function listFiles(folder: string, prefix: string): string[] {
  return readFolder(folder).flatMap((entry) => {
    const path = prefix + entry.name;
    if (entry.isDirectory()) return listFiles(join(folder, entry.name), `${path}/`);
    return entry.isFile() ? [path] : [];
  });
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  } catch {
    return [];
  }
}

const FILES = ["feed.xml", "atom.xml", "feed.json"];

/**
 * Feeds of the site, of each section with dated pages and of each of their taxonomy values, in
 * every language. Feed readers know these addresses, even if no page links to them.
 */
function feedUrls(site: SiteContext, view: ContentView): string[] {
  const hasFeeds = site.runtime.plugins().some(({ name }) => name === "feeds");
  if (!hasFeeds || !site.settings.site.feed.enabled) return [];
  const { addresses } = site.use("content");
  const languages = site.settings.system.languages.supported.flatMap((lang) => {
    const root = addresses.rootOf(lang);
    return [root, ...taxonomyValues(view, lang).map((value) => root + value)];
  });
  const places = new Set([...languages, ...sections(site, view)]);
  return [...places].flatMap((folder) => FILES.map((file) => `${folder}/${file}`));
}

/** Addresses of pages with dated pages below them. */
function sections(site: SiteContext, view: ContentView): string[] {
  const parents = new Map<string, { route: string; lang: string }>();
  for (const entry of site.use("content").generation().entries) {
    const { date, routable, isModule, parent, lang } = entry;
    if (date === null || !routable || isModule || parent === null) continue;
    if (view.canSee(entry)) parents.set(`${lang} ${parent}`, { route: parent, lang });
  }
  return [...parents.values()].flatMap(({ route, lang }) => {
    const section = view.page(route, lang);
    return section?.routable === true && section.route !== "/" ? [section.url] : [];
  });
}

function taxonomyValues(view: ContentView, lang: string): string[] {
  const values = Object.entries(view.taxonomies(lang)).flatMap(([name, counts]) =>
    Object.keys(counts).map((value) => ({ name, value })),
  );
  return values
    .filter(({ value }) => !value.includes("/"))
    .filter(({ name, value }) =>
      view.taxonomyPages(name, value, lang).some(({ date }) => date !== null),
    )
    .map(({ name, value }) => `/taxonomy/${encodeURIComponent(name)}/${encodeURIComponent(value)}`);
}

/** The API responses that are written as files, unchanged. */
export function apiJobs(site: SiteContext, view: ContentView): ExportJob[] {
  if (!hasApiFiles(site)) return [];
  const jobs: ExportJob[] = [
    { url: "/api/nav", file: "api/nav.json" },
    { url: "/api/taxonomy", file: "api/taxonomy.json" },
    { url: "/api/config/site", file: "api/config/site.json" },
  ];
  for (const [name, values] of Object.entries(view.taxonomies())) {
    jobs.push(toJob(`/api/taxonomy/${encodeURIComponent(name)}`, ["taxonomy", name]));
    for (const value of Object.keys(values)) {
      const url = `/api/taxonomy/${encodeURIComponent(name)}/${encodeURIComponent(value)}`;
      jobs.push(toJob(url, ["taxonomy", name, value]));
    }
  }
  for (const { name } of site.use("flex", { optional: true })?.types() ?? []) {
    jobs.push(toJob(`/api/flex/${encodeURIComponent(name)}`, ["flex", name]));
  }
  return [...jobs, ...pageJobs(site, view)];
}

/** True when the export has API responses as files. */
export function hasApiFiles(site: SiteContext): boolean {
  const plugins = site.runtime.plugins();
  const hasApi = plugins.some(({ name, state }) => name === "pages" && state === "active");
  return site.settings.system.static.api !== "none" && hasApi;
}

function pageJobs(site: SiteContext, view: ContentView): ExportJob[] {
  if (site.settings.system.static.api !== "pages") return [];
  return site
    .use("content")
    .generation()
    .entries.filter((entry) => entry.routable && !entry.isModule && view.canSee(entry))
    .filter(({ roles, url }) => roles === null && !url.includes("?"))
    .map(({ url, route }) => {
      const file = route === "/" ? `${url}/index` : url;
      return toJob(`/api/pages${url}`, ["pages", ...decodeURIComponent(file).split("/")]);
    });
}

function toJob(url: string, segments: readonly string[]): ExportJob {
  const names = segments.filter((segment) => segment !== "");
  return { url, file: `api/${names.map(fileName).join("/")}.json` };
}

/** A taxonomy value may contain characters that are invalid in file names. */
function fileName(value: string): string {
  return /^\.+$|[/\\\0]/.test(value) ? encodeURIComponent(value).replaceAll(".", "%2E") : value;
}
