/** The format `json`: one file with pages, records and redirects. */
import { atomicWrite, type SiteContext } from "#kernel";
import type { Page, PageEntry } from "../../content/contract.js";
import { type ExportInput, type Written, pageMedia, isBelow } from "./pick-pages.js";

/** Writes the file, one page at a time. */
export async function writeJson(input: ExportInput): Promise<Written> {
  const counts = { pages: 0, media: 0, records: 0, redirects: 0, notes: [] };
  await atomicWrite(input.out, buffers(parts(input, counts)), { access: "shared" });
  return counts;
}

async function* buffers(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

type Counts = { -readonly [K in keyof Written]: Written[K] };

async function* parts(input: ExportInput, counts: Counts): AsyncGenerator<string> {
  const { site, picked, below } = input;
  const { title, url } = site.settings.site;
  yield `{"format":"sitewright-export","version":1,"site":${JSON.stringify({ title, url })},\n"pages":[`;
  for (const entry of picked.pages) {
    const page = await picked.view.load(entry);
    const value = await pageValue(input, page);
    yield `${counts.pages === 0 ? "\n" : ",\n"}${JSON.stringify(value)}`;
    counts.pages += 1;
    counts.media += value.media.length;
    input.tick();
  }
  yield '],\n"records":{';
  if (below === null) yield* recordParts(site, input.includesDrafts, counts);
  const redirects = Object.entries(site.use("check").redirects.current).filter(([, to]) =>
    isBelow(to, below),
  );
  counts.redirects = redirects.length;
  yield `},\n"redirects":${JSON.stringify(Object.fromEntries(redirects))}}\n`;
}

async function pageValue({ site, picked }: ExportInput, page: Page) {
  const { entry } = page;
  const media = await pageMedia(site, picked, page);
  const modules = picked.view.modules(entry).filter((module) => picked.accepts(module));
  return {
    route: entry.route,
    url: entry.url,
    lang: entry.lang,
    title: entry.title,
    template: entry.template,
    status: entry.status,
    isPublic: isPublic(entry, picked),
    ...(await formatPage(site, page)),
    media: media.map(({ name, url, type, size, meta }) => ({ name, url, type, size, meta })),
    modules: await Promise.all(
      modules.map(async (module) => ({
        template: module.template,
        ...(await formatPage(site, await picked.view.load(module))),
      })),
    ),
  };
}

function isPublic(entry: PageEntry, picked: ExportInput["picked"]): boolean {
  return entry.roles === null && picked.isReleased(entry);
}

/** Source and HTML; addresses in the HTML are those of the site. */
async function formatPage(site: SiteContext, page: Page) {
  const { html } = await site.use("markdown").render(page);
  const { format, frontmatter } = page.entry;
  return { format, frontmatter, markdown: page.body, html };
}

async function* recordParts(
  site: SiteContext,
  includesDrafts: boolean,
  counts: Counts,
): AsyncGenerator<string> {
  const flex = site.use("flex", { optional: true });
  let isFirst = true;
  for (const { name } of flex?.types() ?? []) {
    const published = async () => (await flex?.list(name))?.records ?? [];
    const records = includesDrafts ? ((await flex?.all(name)) ?? []) : await published();
    counts.records += records.length;
    yield `${isFirst ? "\n" : ",\n"}${JSON.stringify(name)}:${JSON.stringify(records)}`;
    isFirst = false;
  }
}
