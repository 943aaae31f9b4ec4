/** The file of an imported page: front matter and Markdown with the new addresses. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { mediaTypeOf } from "#lib/files";
import { formatYaml } from "#lib/yaml";
import type { ImportedPage, LinkBase, Origin } from "../contract.js";
import { htmlToMarkdown } from "./html-to-markdown.js";
import { changeAddresses, changeWikiLinks, encodePath, type ScanText } from "./markdown-text.js";
import {
  addressKey,
  anchorOn,
  decoded,
  fileKey,
  isHostOf,
  readAnchor,
  wikiKey,
} from "../plan/address-key.js";
import type { Plan } from "../plan/plan.js";
import { toFolder, type PlannedMedia, type PlannedPage } from "../plan/places.js";

/** The text of a page, and what happened to its links. */
interface PageText {
  readonly text: string;
  /** The line of the file at which the text after the front matter begins, from 1. */
  readonly bodyLine: number;
  readonly notes: readonly string[];
  readonly rewritten: number;
  readonly unresolved: readonly DeadLink[];
}
/** A link to something of the old site that is missing. */
interface DeadLink {
  readonly target: string;
  /** Why the target stayed behind; null when the source had none. */
  readonly lost: string | null;
}

/** Makes the file of a page. */
export async function pageText(
  page: ImportedPage,
  context: LinkContext,
  scan: ScanText,
): Promise<PageText> {
  const links = new Links(context);
  const { markdown, lost } = await convertBody(page, links, scan);
  const image =
    typeof page.image === "string" && page.image !== "" ? links.change(page.image) : null;
  const { slug } = context.page;
  const linked = (page.linkKeys ?? []).reduce(
    (matter: unknown, key) => withLinks(matter, key.split("."), (address) => links.change(address)),
    page.frontmatter,
  );
  const matter = withoutEmpty({
    ...(isRecord(linked) ? linked : {}),
    ...(slug !== null && { slug }),
    ...(image !== null && { image }),
  });
  const notes = [
    ...(page.notes ?? []),
    ...lost.map((name) => `${name} has no counterpart in Markdown and was left out`),
  ];
  const body = markdown.trim();
  const head = `---\n${formatYaml(matter)}---\n`;
  return {
    text: head + (body === "" ? "" : `\n${body}\n`),
    bodyLine: head.split("\n").length + 1,
    notes,
    rewritten: links.rewritten,
    unresolved: links.unresolved,
  };
}

/** The value with changed addresses at a way of keys. */
function withLinks(
  value: unknown,
  keys: readonly string[],
  change: (address: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map((one) => withLinks(one, keys, change));
  const [key, ...others] = keys;
  if (key === undefined) return typeof value === "string" ? change(value) : value;
  if (!isRecord(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: withLinks(value[key], others, change) };
}

async function convertBody({ body }: ImportedPage, links: Links, scan: ScanText) {
  const change = (address: string): string => links.change(address);
  if (body.format === "html") return htmlToMarkdown(body.text, change);
  const plain =
    body.wikiLinks === true ? changeWikiLinks(body.text, (name) => links.wiki(name)) : body.text;
  return { markdown: changeAddresses(plain, change, scan), lost: [] };
}

/** Counts what happens to the links of one page. */
class Links {
  readonly #context: LinkContext;
  readonly unresolved: DeadLink[] = [];
  /** Addresses of wiki links: new ones, which the links of Markdown include too. */
  readonly #fromWiki = new Set<string>();
  rewritten = 0;

  constructor(context: LinkContext) {
    this.#context = context;
  }

  change(address: string): string {
    if (this.#fromWiki.has(address.replace(/#.*$/s, ""))) return address;
    const resolved = resolveLink(address, this.#context);
    if (resolved.kind === "outside") return address;
    if (resolved.kind === "unresolved") {
      this.unresolved.push({ target: address, lost: resolved.lost });
      return address;
    }
    this.rewritten += 1;
    return resolved.href;
  }

  /** The address of a name in a wiki link; null when nothing has it. */
  wiki(key: string): string | null {
    const resolved = resolveLink(key, this.#context);
    if (resolved.kind === "page" || resolved.kind === "media") {
      this.rewritten += 1;
      this.#fromWiki.add(resolved.href);
      return resolved.href;
    }
    const lost = resolved.kind === "unresolved" ? resolved.lost : null;
    this.unresolved.push({ target: key.replace(/^wiki:/, ""), lost });
    return null;
  }
}

/** The front matter without empty values, and without maps that have nothing else. */
function withoutEmpty(matter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(matter)
    .map(([key, value]) => [key, isRecord(value) ? withoutEmpty(value) : value] as const)
    .filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(entries);
}

/** True for a value that front matter need not have. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && !(value instanceof Date) && Object.keys(value).length === 0;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SIZE = /-\d{1,5}x\d{1,5}(\.[a-z0-9]+)$/i;
const DOCUMENT = /\.(?:pdf|zip|docx?|xlsx?|pptx?|od[tsp]|epub)$/i;

/** True for files that a link of the old site takes along; feeds and data stay where they are. */
function isMedia(path: string): boolean {
  return /^(?:image|audio|video)\//.test(mediaTypeOf(path)) || DOCUMENT.test(path);
}

/** A page that contains links. */
interface LinkContext {
  readonly plan: Plan;
  readonly page: PlannedPage;
  readonly base: LinkBase;
  readonly origin: Origin;
  /** False leaves images of the old site where they are. */
  readonly takesMedia: boolean;
}
/** A link of the source: its new address; `unresolved` when it names something of the old site that is missing. */
type Resolved =
  | { readonly kind: "page"; readonly href: string }
  | { readonly kind: "media"; readonly href: string }
  | { readonly kind: "outside" }
  | ({ readonly kind: "unresolved" } & Pick<DeadLink, "lost">);

/** Redirects of the old site that lead to each other. */
const MAX_HOPS = 5;

/** Where a redirect of the old site leads, with the anchor of the link. */
function redirected(to: string, text: string, context: LinkContext, hops: number): Resolved {
  const target = to.includes("#") ? to : to + readAnchor(text);
  const resolved = resolveLink(target, context, hops + 1);
  return resolved.kind === "outside" ? { kind: "page", href: target } : resolved;
}

/** Resolves a link or image; `hops`: the redirects that led to it. */
function resolveLink(reference: string, context: LinkContext, hops = 0): Resolved {
  const text = reference.trim();
  const { page: own } = context;
  if (text.startsWith("#") && text !== "#" && anchorOn(own, text) === "")
    return { kind: "page", href: encodeURI(own.route) };
  if (isForeign(text)) return { kind: "outside" };
  const keys = listKeys(text, context);
  const page = first(keys, (key) => context.plan.page(key));
  if (page !== undefined) {
    const target = context.plan.inLanguage(page, context.page.lang);
    return { kind: "page", href: encodeURI(target.route) + anchorOn(target, text) };
  }
  const file = first(keys, (key) => findMedia(key, context.plan)) ?? discovered(text, context);
  if (file !== undefined) return mediaLink(file, context);
  const list = first(keys, (key) => context.plan.list(key));
  if (list !== undefined) return { kind: "page", href: encodeURI(list) + readAnchor(text) };
  const made = keys.find((key) => context.plan.isMadeHere(key));
  if (made !== undefined) return { kind: "page", href: made };
  const moved = first(keys, (key) => context.plan.redirected(key));
  if (moved !== undefined && hops < MAX_HOPS) return redirected(moved, text, context, hops);
  if (!isInside(keys, text, context)) return { kind: "outside" };
  return { kind: "unresolved", lost: first(keys, (key) => context.plan.lost(key)) ?? null };
}

/** True for an anchor, and for an address of another kind, such as `mailto:`. */
function isForeign(text: string): boolean {
  if (text === "" || text.startsWith("#")) return true;
  return SCHEME.test(text) && !/^(?:https?|id|file|page|wiki):/i.test(text);
}

/** The address of a file from a page: its name in the same folder, else its path from the root. */
function mediaHref(path: string, page: Pick<PlannedPage, "path">): string {
  const folder = toFolder(page);
  const encoded = encodePath(path);
  if (folder !== "" && posix.dirname(path) === folder) return encodePath(posix.basename(path));
  return `/content-media/${encoded}`;
}

function mediaLink(file: PlannedMedia, { page, takesMedia }: LinkContext): Resolved {
  if (takesMedia) return { kind: "media", href: mediaHref(file.path, page) };
  if ("url" in file.from) return { kind: "media", href: file.from.url };
  return { kind: "unresolved", lost: "files were not taken along" };
}

function listKeys(text: string, { plan, base }: LinkContext): string[] {
  if (/^(?:id|file|page|wiki):/.test(text)) return [text];
  const key = addressKey(text, plan.hosts);
  // Beside the path of the site, its host has other sites.
  if (key !== null && isWeb(text) && key.startsWith("/") && !plan.isOwnPath(key)) return [];
  const web = key === null ? relativeKeys(text, base, plan) : withVariants(key, plan);
  return [...web, ...namedKeys(text, base)];
}

/** Keys of a link relative to a page: a name with an extension is that of a file, any other one an address. */
function relativeKeys(text: string, { file, url }: LinkBase, plan: Plan): string[] {
  const files = file === null ? [] : fileKeys(text, file);
  const isUrl = url !== null && URL.canParse(text, url);
  const key = isUrl ? addressKey(new URL(text, url).href, plan.hosts) : null;
  const web = key === null ? [] : withVariants(key, plan);
  return /\.\w{1,10}(?:[?#]|$)/.test(text) ? [...files, ...web] : [...web, ...files];
}

const FILE_NAME = /^([^/?#]+\.[a-z0-9]{2,5})(?:[?#]|$)/i;

/** A path from the root of the source; some systems find a page or file by its name only. */
function namedKeys(text: string, { file, roots = [], isByName = false }: LinkBase): string[] {
  if (file === null) return [];
  const name = isByName ? FILE_NAME.exec(text)?.[1]?.replace(/\.md$/, "") : undefined;
  return [
    ...(text.startsWith("/") ? fileKeys(text.slice(1), "") : []),
    // `@site/` is the source folder of Docusaurus.
    ...roots.flatMap((root) => fileKeys(posix.join(root, text.replace(/^@site\//, "")), "")),
    ...(text.startsWith("@site/") ? fileKeys(text.slice("@site/".length), "") : []),
    ...(name === undefined ? [] : [wikiKey(decoded(name))]),
  ];
}

/** An old address, and its other spellings: without the path of the site, without the name of its file. */
function withVariants(key: string, plan: Plan): string[] {
  const { basePath } = plan;
  const isBelow = basePath !== "" && plan.isOwnPath(key);
  const keys = isBelow ? [key.slice(basePath.length) || "/", key] : [key];
  return keys.flatMap(withoutFile);
}

function withoutFile(key: string): string[] {
  const plain = key.replace(/\/index(?:\.html?)?$/i, "").replace(/\.html?$/i, "");
  return plain === key ? [key] : [key, plain === "" ? "/" : plain];
}

/** A link to a file, or to a page by the name of its file without extension. */
function fileKeys(text: string, from: string): string[] {
  const plain = decoded(text.replace(/[?#].*$/s, ""));
  const path = posix.normalize(posix.join(posix.dirname(from === "" ? "x" : from), plain));
  if (path.startsWith("..") || path === ".") return [];
  const bare = path.replace(/\/$/, "");
  const endings = ["", ".md", ".mdx", ".markdown", "/index.md", "/_index.md", "/README.md"];
  return endings.map((ending) => fileKey(bare + ending));
}

function findMedia(key: string, plan: Plan): PlannedMedia | undefined {
  return (
    plan.file(key) ??
    plan.file(key.replace(SIZE, "$1")) ??
    plan.file(key.replace(SIZE, "-scaled$1"))
  );
}

/** A file of the old host that no item of the source names. */
function discovered(
  text: string,
  { plan, base, page, origin }: LinkContext,
): PlannedMedia | undefined {
  const url = webAddress(text, base);
  if (url === null || !isMedia(url.pathname) || !plan.isMediaHost(url.hostname)) return undefined;
  url.hash = "";
  const name = decoded(posix.basename(url.pathname));
  return plan.discover(url.href, name, origin, toFolder(page) || "media");
}

/** The address on the web that a link means; null for one into the source folder. */
function webAddress(text: string, { url, file }: LinkBase): URL | null {
  if (!isWeb(text) && file !== null) return null;
  const above = isWeb(text) ? "https://invalid.invalid/" : url;
  if (above === null || !URL.canParse(text, above)) return null;
  const resolved = new URL(text, above);
  // This host does not exist: the source does not know its own.
  return /^https?:$/.test(resolved.protocol) && !resolved.hostname.endsWith(".invalid")
    ? resolved
    : null;
}

function isInside(keys: readonly string[], text: string, { plan }: LinkContext): boolean {
  if (keys.length === 0) return false;
  if (!isWeb(text)) return true;
  const url = text.startsWith("//") ? `https:${text}` : text;
  return URL.canParse(url) && isHostOf(new URL(url).hostname, plan.hosts);
}

function isWeb(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text);
}

function first<T>(keys: readonly string[], find: (key: string) => T | undefined): T | undefined {
  for (const key of keys) {
    const target = find(key);
    if (target !== undefined) return target;
  }
  return undefined;
}
