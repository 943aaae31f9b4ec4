/** The format `markdown`: a folder that is a content folder too. */
import { createReadStream } from "node:fs";
import { posix } from "node:path";
import { formatYaml } from "#lib/yaml";
import { atomicWrite, safeJoin, type SiteContext } from "#kernel";
import { makeFolder } from "#lib/files";
import type { PageEntry, Page } from "../../content/contract.js";
import type { ImportNote } from "../contract.js";
import { encodePath, changeAddresses } from "../text/markdown-text.js";
import { htmlToMarkdown } from "../text/html-to-markdown.js";
import type { ExportInput, Written } from "./pick-pages.js";
import {
  mediaFiles,
  MediaPlaces,
  OutNames,
  PagePlaces,
  type PagePlace,
} from "./markdown-places.js";

/** Writes one file per page, and files beside their pages. */
export async function writeMarkdown(input: ExportInput): Promise<Written> {
  const { site, picked, out, below } = input;
  const names = new OutNames();
  const pages = new PagePlaces(site, picked, names);
  const files = await mediaFiles(site, picked);
  const withModules = picked.pages.filter((entry) => picked.view.modules(entry).length > 0);
  pages.place(
    new Set([
      ...files.flatMap(({ owner }) => owner?.sourcePath ?? []),
      ...withModules.map(({ sourcePath }) => sourcePath),
    ]),
  );
  const media = new MediaPlaces(files, { pages, names, takesAll: below === null });
  await makeFolder(out, "shared");
  const targets: LinkTargets = { site, pages, media };
  const notes: ImportNote[] = [];
  for (const entry of picked.pages) {
    await writePage(input, entry, targets, notes);
    for (const module of picked.view.modules(entry)) {
      if (picked.accepts(module)) await writePage(input, module, targets, notes);
    }
    input.tick();
  }
  const count = await writeMedia(media, out);
  return { pages: picked.pages.length, media: count, records: 0, redirects: 0, notes };
}

async function writePage(
  { picked, out }: ExportInput,
  entry: PageEntry,
  targets: LinkTargets,
  notes: ImportNote[],
): Promise<void> {
  const place = targets.pages.of(entry);
  const file = place === undefined ? null : safeJoin(out, place.path);
  if (place === undefined || file === null) return;
  const { text, lost } = await pageFile(await picked.view.load(entry), place, targets);
  for (const name of lost) {
    notes.push({ file: entry.sourcePath, reason: `${name} has no counterpart in Markdown` });
  }
  // A failed export is removed as a whole, so single files need no sync.
  await atomicWrite(file, text, { access: "shared", durable: false });
}

async function writeMedia(media: MediaPlaces, out: string): Promise<number> {
  const used = media.used();
  for (const { file, path } of used) {
    const target = safeJoin(out, path);
    if (target === null) continue;
    await atomicWrite(target, createReadStream(file.file), { access: "shared", durable: false });
    const { meta } = file.item;
    if (Object.keys(meta).length === 0) continue;
    await atomicWrite(`${target}.meta.yaml`, formatYaml(meta), {
      access: "shared",
      durable: false,
    });
  }
  return used.length;
}

/** The pages and files that links can lead to. */
interface LinkTargets {
  readonly site: SiteContext;
  readonly pages: PagePlaces;
  readonly media: MediaPlaces;
}

/** The text of a file, and the elements that Markdown cannot hold. */
async function pageFile(
  page: Page,
  place: PagePlace,
  targets: LinkTargets,
): Promise<{ text: string; lost: readonly string[] }> {
  const { markdown, lost } = await bodyOf(page, place, targets);
  const matter = matterOf(page.entry, place, targets);
  const head = Object.keys(matter).length === 0 ? "" : formatYaml(matter);
  const body = markdown.trim();
  return { text: `---\n${head}---\n${body === "" ? "" : `\n${body}\n`}`, lost };
}

async function bodyOf(page: Page, place: PagePlace, targets: LinkTargets) {
  const { site } = targets;
  const markdown = site.use("markdown");
  if (page.entry.format !== "md") {
    const { html } = await markdown.render(page);
    const change = (address: string): string => relativeTo(address, place, targets) ?? address;
    return htmlToMarkdown(html, change);
  }
  const scan = (text: string) => site.use("check").scan(text);
  const written = [...new Set(scan(page.body).map(({ target }) => target))];
  const hrefs = await markdown.hrefs(page.entry, written);
  const links = new Map(written.map((target, at) => [target, hrefs[at] ?? target]));
  const change = (target: string): string => {
    if (target.startsWith("#")) return target;
    return relativeTo(links.get(target) ?? target, place, targets) ?? target;
  };
  return { markdown: changeAddresses(page.body, change, scan), lost: [] };
}

/** The relative path from a file of the export; null for what is not part of it. */
function relativeTo(address: string, from: PagePlace, targets: LinkTargets): string | null {
  if (!/^\/(?!\/)/.test(address)) return null;
  const end = address.search(/[?#]/);
  const suffix = end === -1 ? "" : address.slice(end);
  const target = targets.media.at(address) ?? pageAt(address.replace(/[?#].*$/s, ""), targets);
  if (target === null) return null;
  const isFile = !target.endsWith(".md");
  const path = posix.relative(posix.dirname(from.path), target);
  return encodePath(path) + (isFile ? suffix.replace(/^\?[^#]*/, "") : suffix);
}

function pageAt(address: string, { site, pages }: LinkTargets): string | null {
  const content = site.use("content");
  const { route, lang } = content.addresses.parse(address);
  const entry = content.generation().at(route, lang ?? content.languages.main);
  return entry === undefined ? null : (pages.of(entry)?.path ?? null);
}

/** Front matter that gives the page the same address, place and look without its old path. */
function matterOf(entry: PageEntry, place: PagePlace, targets: LinkTargets) {
  const { slug: _, ...own } = entry.frontmatter;
  const matter: Record<string, unknown> = { ...own };
  if (place.slug !== null) matter["slug"] = place.slug;
  if (place.isFolder || entry.template !== "default") matter["template"] = entry.template;
  if (entry.isModule) delete matter["template"];
  if (!entry.isModule && entry.isOrdered === true) matter["order"] = entry.order;
  if (!entry.isModule && entry.visible) matter["visible"] = true;
  const image = imageOf(entry, place, targets);
  if (image !== null) matter["image"] = image;
  return matter;
}

/** A file of the same folder by its name, another one by its new address. */
function imageOf(entry: PageEntry, place: PagePlace, { site, media }: LinkTargets): string | null {
  const address = site.use("content").addresses.imageOf(entry);
  const path = address === null ? null : media.at(address);
  if (path === null) return null;
  const isOwn = posix.dirname(path) === posix.dirname(place.path);
  return isOwn ? posix.basename(path) : `/content-media/${encodePath(path)}`;
}
