/** Finds what a link of the source leads to. */
import { posix } from "node:path";
import { mediaTypeOf } from "#lib/files";
import type { LinkBase, Origin } from "../contract.js";
import { encodePath } from "../text/markdown-text.js";
import { addressKey, decoded, fileKey, isHostOf, wikiKey } from "./address-key.js";
import type { Plan } from "./plan.js";
import { folderOf, type PlannedMedia, type PlannedPage } from "./places.js";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SIZE = /-\d{1,5}x\d{1,5}(\.[a-z0-9]+)$/i;
const DOCUMENT = /\.(?:pdf|zip|docx?|xlsx?|pptx?|od[tsp]|epub)$/i;

/** True for files that a link of the old site takes along; feeds and data stay where they are. */
function isMedia(path: string): boolean {
  return /^(?:image|audio|video)\//.test(mediaTypeOf(path)) || DOCUMENT.test(path);
}

/** A page that contains links. */
export interface LinkContext {
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
  | { readonly kind: "unresolved" };

/** Resolves a link or image. */
export function resolveLink(reference: string, context: LinkContext): Resolved {
  const text = reference.trim();
  if (isForeign(text)) return { kind: "outside" };
  const keys = keysOf(text, context);
  const page = first(keys, (key) => context.plan.page(key));
  if (page !== undefined) {
    const { route } = context.plan.inLanguage(page, context.page.lang);
    return { kind: "page", href: encodeURI(route) + anchorOf(text) };
  }
  const file = first(keys, (key) => mediaAt(key, context.plan)) ?? discovered(text, context);
  if (file !== undefined) return mediaLink(file, context);
  return { kind: isInside(keys, text, context) ? "unresolved" : "outside" };
}

/** True for an anchor, and for an address of another kind, such as `mailto:`. */
function isForeign(text: string): boolean {
  if (text === "" || text.startsWith("#")) return true;
  return SCHEME.test(text) && !/^(?:https?|id|file|wiki):/i.test(text);
}

/** The address of a file from a page: its name in the same folder, else its path from the root. */
function mediaHref(path: string, page: Pick<PlannedPage, "path">): string {
  const folder = folderOf(page);
  const encoded = encodePath(path);
  if (folder !== "" && posix.dirname(path) === folder) return encodePath(posix.basename(path));
  return `/content-media/${encoded}`;
}

function mediaLink(file: PlannedMedia, { page, takesMedia }: LinkContext): Resolved {
  if (takesMedia) return { kind: "media", href: mediaHref(file.path, page) };
  return "url" in file.from ? { kind: "media", href: file.from.url } : { kind: "unresolved" };
}

function keysOf(text: string, { plan, base }: LinkContext): string[] {
  if (/^(?:id|file|wiki):/.test(text)) return [text];
  const own = addressKey(text, plan.hosts);
  const web = own === null ? relativeKeys(text, base, plan.hosts) : withVariants(own);
  return [...web, ...namedKeys(text, base)];
}

/** Keys of a link relative to a page. */
function relativeKeys(text: string, { file, url }: LinkBase, hosts: ReadonlySet<string>): string[] {
  const files = file === null ? [] : fileKeys(text, file);
  const isUrl = url !== null && URL.canParse(text, url);
  const key = isUrl ? addressKey(new URL(text, url).href, hosts) : null;
  return [...files, ...(key === null ? [] : withVariants(key))];
}

/** A path from the root of the source; some systems find a page or file by its name only. */
function namedKeys(text: string, { file }: LinkBase): string[] {
  if (file === null) return [];
  const name = /^([^/?#]+\.[a-z0-9]{2,5})(?:[?#]|$)/i.exec(text)?.[1]?.replace(/\.md$/, "");
  return [
    ...(text.startsWith("/") ? fileKeys(text.slice(1), "") : []),
    ...(name === undefined ? [] : [wikiKey(decoded(name))]),
  ];
}

/** An old address, and its other spelling. */
function withVariants(key: string): string[] {
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

function mediaAt(key: string, plan: Plan): PlannedMedia | undefined {
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
  return plan.discover(url.href, name, origin, folderOf(page) || "media");
}

/** The address on the web that a link means; null for one into the source folder. */
function webAddress(text: string, { url, file }: LinkBase): URL | null {
  const isWeb = /^(?:https?:)?\/\//i.test(text);
  if (!isWeb && file !== null) return null;
  const above = isWeb ? "https://invalid.invalid/" : url;
  if (above === null || !URL.canParse(text, above)) return null;
  const found = new URL(text, above);
  // Not a host that exists: the source does not know its own.
  return /^https?:$/.test(found.protocol) && !found.hostname.endsWith(".invalid") ? found : null;
}

function isInside(keys: readonly string[], text: string, { plan }: LinkContext): boolean {
  if (keys.length === 0) return false;
  const isWeb = /^(?:https?:)?\/\//i.test(text);
  if (!isWeb) return true;
  const url = text.startsWith("//") ? `https:${text}` : text;
  return URL.canParse(url) && isHostOf(new URL(url).hostname, plan.hosts);
}

function anchorOf(text: string): string {
  const at = text.indexOf("#");
  return at === -1 ? "" : text.slice(at);
}

function first<T>(keys: readonly string[], find: (key: string) => T | undefined): T | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
