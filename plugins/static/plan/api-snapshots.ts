import type { SiteContext } from "#kernel";
import type { ContentView } from "../../content/contract.js";
import type {} from "../../flex/contract.js";
import type { StaticSection } from "../contract.js";
import type { GeneratedFiles } from "../make/generated-files.js";
import type { ExportJob } from "../make/page-exporter.js";

/** Maximum number of pages per API response. */
const SLICE = 200;
const ALL_PAGES = "api/pages.json";

/** The API responses that are written as files, unchanged. */
export function apiJobs(site: SiteContext, view: ContentView): ExportJob[] {
  const { api } = site.settings.system.static;
  if (api === "none" || !isActive(site, "pages")) return [];
  const jobs: ExportJob[] = [
    { url: "/api/nav", file: "api/nav.json" },
    { url: "/api/taxonomy", file: "api/taxonomy.json" },
    { url: "/api/config/site", file: "api/config/site.json" },
  ];
  for (const [name, values] of Object.entries(view.taxonomies())) {
    jobs.push(jobAt(`/api/taxonomy/${encodeURIComponent(name)}`, ["taxonomy", name]));
    for (const value of Object.keys(values)) {
      const url = `/api/taxonomy/${encodeURIComponent(name)}/${encodeURIComponent(value)}`;
      jobs.push(jobAt(url, ["taxonomy", name, value]));
    }
  }
  for (const { name } of site.use("flex", { optional: true })?.types() ?? []) {
    jobs.push(jobAt(`/api/flex/${encodeURIComponent(name)}`, ["flex", name]));
  }
  return [...jobs, ...pageJobs(site, view, api)];
}

function pageJobs(site: SiteContext, view: ContentView, api: StaticSection["api"]): ExportJob[] {
  if (api !== "pages") return [];
  return site
    .use("content")
    .generation()
    .entries.filter((entry) => entry.routable && !entry.isModule && view.canSee(entry))
    .filter(({ roles, url }) => roles === null && !url.includes("?"))
    .map(({ url, route }) => {
      const file = route === "/" ? `${url}/index` : url;
      return jobAt(`/api/pages${url}`, ["pages", ...decodeURIComponent(file).split("/")]);
    });
}

function jobAt(url: string, segments: readonly string[]): ExportJob {
  const names = segments.filter((segment) => segment !== "");
  return { url, file: `api/${names.map(fileName).join("/")}.json` };
}

/** A taxonomy value may contain characters that are invalid in file names. */
function fileName(value: string): string {
  return /^\.+$|[/\\\0]/.test(value) ? encodeURIComponent(value).replaceAll(".", "%2E") : value;
}

/** The list of all pages in one file: the slices of the API combined. */
export async function exportPageList(site: SiteContext, made: GeneratedFiles): Promise<void> {
  if (site.settings.system.static.api === "none" || !isActive(site, "pages")) return;
  if (made.keep(ALL_PAGES)) return;
  const items: unknown[] = [];
  const reads = new Set<string>();
  for (let total = 1; items.length < total;) {
    const response = await site
      .use("static")
      .request(`/api/pages?limit=${SLICE}&offset=${items.length}`);
    const slice = parseSlice(response.body.toString());
    for (const tag of response.reads ?? []) reads.add(tag);
    if (response.status !== 200 || slice.items.length === 0) break;
    items.push(...slice.items);
    total = slice.meta.total;
  }
  const meta = { total: items.length, page: 1, pages: 1, limit: items.length };
  await made.put(ALL_PAGES, JSON.stringify({ items, meta }), [...reads]);
}

function parseSlice(text: string): { items: unknown[]; meta: { total: number } } {
  // The site's own response, with the shape that its schema declares.
  return JSON.parse(text) as { items: unknown[]; meta: { total: number } };
}

function isActive(site: SiteContext, plugin: string): boolean {
  return site.runtime.plugins().some(({ name, state }) => name === plugin && state === "active");
}
