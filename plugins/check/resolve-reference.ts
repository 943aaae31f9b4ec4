/** Resolves addresses in pages. */
import { posix } from "node:path";
import { withoutExtension } from "#lib/text";
import type { ContentService, ContentView, Generation, PageEntry } from "../content/contract.js";

/** `file`: written as a file path; `route`: as an address of the site; `loose`: nearly one of them. */
export type ReferenceStyle = "file" | "route" | "loose";
/** The target of an address. */
interface TargetPosition {
  style: ReferenceStyle;
  /** Below the content folder, or the route. */
  path: string;
  suffix: string;
  /** Part of an address from the repository root before the path: `content/`. */
  above?: string;
}
/** The resolved target of an address. */
export type Resolved =
  | ({ kind: "page"; entry: PageEntry } & TargetPosition)
  | ({ kind: "media" } & TargetPosition)
  | { kind: "elsewhere" }
  | { kind: "broken" };

interface Reference {
  path: string;
  /** Query and fragment. */
  suffix: string;
}
type Found = Extract<Resolved, TargetPosition>;

/** Dependencies of resolving. */
export interface ResolveContext {
  content: Pick<ContentService, "mediaFile" | "addresses">;
  generation: Generation;
  /** Includes unpublished pages. */
  view: ContentView;
  /** True for addresses of other parts of the site. */
  isForeign(path: string): boolean;
}

const MEDIA_PREFIX = "/content-media/";
/** Redirects that a browser follows at most. */
const MAX_REDIRECTS = 20;
const elsewhere: Resolved = { kind: "elsewhere" };
const broken: Resolved = { kind: "broken" };

/** Resolves the addresses of one generation. */
export class ReferenceTargets {
  readonly #context: ResolveContext;
  /** Pages by their files without the extension. */
  readonly #stems = new Map<string, PageEntry>();
  readonly #folders = new Map<string, PageEntry>();
  readonly #media = new Map<string, Promise<boolean>>();

  constructor(context: ResolveContext) {
    this.#context = context;
    for (const [path, entry] of context.generation.bySource) {
      const stem = withoutExtension(path);
      if (!this.#stems.has(stem)) this.#stems.set(stem, entry);
    }
    for (const entry of context.generation.entries) {
      // A file beside others is not the page of their folder.
      if (entry.depth >= entry.folder.split("/").length) continue;
      const other = this.#folders.get(entry.folder);
      if (other === undefined || entry.route.length < other.route.length) {
        this.#folders.set(entry.folder, entry);
      }
    }
  }

  async resolve(from: PageEntry, written: string): Promise<Resolved> {
    const reference = split(written);
    if (reference === null) return elsewhere;
    const { path } = reference;
    if (path === null) return broken;
    const resolved = await this.#onSite(from, { ...reference, path });
    const isFromRoot = resolved.kind === "broken" && path.startsWith("/");
    return (isFromRoot ? await this.#inRepository({ ...reference, path }) : null) ?? resolved;
  }

  /** The target of an address in HTML: only routes, over redirects that keep the fragment. */
  async follow(from: PageEntry, href: string): Promise<Resolved> {
    const reference = split(href);
    if (reference === null) return elsewhere;
    const { path, suffix } = reference;
    if (path === null) return broken;
    const address = addressOf(from, path);
    return this.#byRoute(this.#redirected(address), suffix);
  }

  /** The last address on this site that redirects lead to; a redirect with a fragment is not followed. */
  #redirected(address: string): string {
    let at = address;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      const match = this.#context.view.resolve(at);
      if (match.kind !== "redirect" || !/^\/[^?#]*$/.test(match.to)) return at;
      at = decodeURIComponent(match.to);
    }
    return address;
  }

  async #onSite(from: PageEntry, { path, suffix }: Reference): Promise<Resolved> {
    const target = toTarget(from, path);
    // `/articles/first` is a route and a file without its extension: the author means the route.
    const isRoute = path.startsWith("/") && !this.#context.generation.bySource.has(target ?? "");
    if (isRoute) {
      const byRoute = await this.#byRoute(addressOf(from, path), suffix);
      if (byRoute.kind === "page") return byRoute;
    }
    const byFile = target === null ? null : await this.#byFile(target, suffix);
    return byFile ?? this.#byRoute(addressOf(from, path), suffix);
  }

  /** A file from the root of the repository, as its host renders it. */
  async #inRepository({ path, suffix }: Reference): Promise<Resolved | null> {
    const target = posix.normalize(path.slice(1)).replace(/(?<!\/)\/+$/, "");
    const below = this.#context.content.addresses.belowContent(target);
    const resolved = below === null ? null : await this.#byFile(below, suffix);
    if (below === null || resolved === null) return null;
    return { ...resolved, above: target.slice(0, target.length - below.length) };
  }

  async #byFile(target: string, suffix: string): Promise<Found | null> {
    const exact = this.#context.generation.bySource.get(target);
    const entry = exact ?? this.#stems.get(target) ?? this.#folders.get(target);
    if (entry !== undefined) return { kind: "page", entry, style: "file", path: target, suffix };
    if (await this.#hasMedia(target)) return { kind: "media", style: "file", path: target, suffix };
    return null;
  }

  async #byRoute(address: string, suffix: string): Promise<Resolved> {
    if (address.startsWith(MEDIA_PREFIX)) {
      const path = address.slice(MEDIA_PREFIX.length);
      return (await this.#hasMedia(path))
        ? { kind: "media", style: "route", path, suffix }
        : broken;
    }
    const entry = this.#pageAt(address);
    if (entry === "redirect") return elsewhere;
    if (entry !== null) return { kind: "page", entry, style: "route", path: address, suffix };
    const owner = this.#pageAt(posix.dirname(address));
    if (owner !== null && owner !== "redirect") {
      const path = posix.join(owner.folder, posix.basename(address));
      if (await this.#hasMedia(path)) return { kind: "media", style: "route", path, suffix };
    }
    return this.#context.isForeign(address) ? elsewhere : broken;
  }

  #pageAt(address: string): PageEntry | "redirect" | null {
    const match = this.#context.view.resolve(address);
    if (match.kind === "page" || match.kind === "gated") return match.entry;
    if (match.kind !== "redirect") return null;
    const isSlash = decodeURIComponent(match.to) === address.replace(/(.)\/$/, "$1");
    const target = isSlash ? this.#context.view.resolve(decodeURIComponent(match.to)) : null;
    return target?.kind === "page" || target?.kind === "gated" ? target.entry : "redirect";
  }

  #hasMedia(path: string): Promise<boolean> {
    const cached = this.#media.get(path);
    if (cached !== undefined) return cached;
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const media = this.#context.content
      .mediaFile(folder, posix.basename(path))
      .then((file) => file !== null);
    this.#media.set(path, media);
    return media;
  }
}

/** Path and suffix; the path is null when it cannot be decoded or the address belongs to another site. */
function split(written: string): { path: string | null; suffix: string } | null {
  const text = written.trim();
  if (text === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/|[#?{])/i.test(text)) return null;
  const end = text.search(/[?#]/);
  const suffix = end === -1 ? "" : text.slice(end);
  try {
    const path = decodeURIComponent(end === -1 ? text : text.slice(0, end));
    return { path: /[\0\\]/.test(path) ? null : path, suffix };
  } catch (error) {
    if (error instanceof URIError) return { path: null, suffix };
    throw error;
  }
}

/** Path below the content folder; null when it leaves it. */
function toTarget(from: PageEntry, path: string): string | null {
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(from.folder, path);
  const target = posix.normalize(joined).replace(/(?<!\/)\/+$/, "");
  return target === "" || target === "." || target.startsWith("..") ? null : target;
}

/** The address that a browser would request. */
function addressOf(from: PageEntry, path: string): string {
  if (path.startsWith("/")) return posix.normalize(path);
  return posix.normalize(posix.join(posix.dirname(decodeURIComponent(from.url)), path));
}
