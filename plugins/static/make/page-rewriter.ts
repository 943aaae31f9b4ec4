import { createHash } from "node:crypto";
import { rewriteHtml, rewriteSrcset } from "#lib/html";
import { ownAddress, variantPath, type OwnAddress, type BaseAddress } from "../plan/addresses.js";

/** Cached addresses. */
const MAX_KNOWN = 50_000;
/** Preview pictures of pages are named by absolute addresses in `<meta>`, and are part of the site. */
const CARD = /\/_site\/cards\/[^"'?\s<>]+\.png/g;
const NO_FILE_LINK = /\b(?:preconnect|dns-prefetch)\b/i;

/** A page for a static host, and what was found in it. */
interface RewrittenPage {
  html: string;
  variants: string[];
  links: string[];
  inline: string[];
}

interface Known {
  text: string | null;
  own: OwnAddress;
  isVariant: boolean;
}

/** Rewrites pages as the server sends them for the export: variants as files, no relative addresses. */
export class PageRewriter {
  readonly #siteAddress: BaseAddress;
  readonly #known = new Map<string, Known | null>();
  readonly #told = new Map<string, number>();

  constructor(siteAddress: BaseAddress) {
    this.#siteAddress = siteAddress;
  }

  /**
   * `path`: of the page, as in a URL. `links` collects targets that few pages have linked to so
   * far.
   */
  rewrite(source: string, path: string): RewrittenPage {
    const variants = new Set<string>();
    const links = new Set<string>();
    const inline = new Set<string>();
    const take = (value: string): string | null => {
      const resolved = this.#resolve(value, path);
      if (resolved === null) return null;
      if (resolved.isVariant) variants.add(resolved.own.path + resolved.own.query);
      this.#tell(resolved.own.path, links);
      return resolved.text;
    };
    const html = rewriteHtml(source, {
      address: (value, { attribute, rel }) => {
        if (NO_FILE_LINK.test(rel)) return null;
        return attribute.endsWith("srcset") ? rewriteSrcset(value, take) : take(value);
      },
      inline: (tag, text) => void inline.add(`${tag} ${cspHash(text)}`),
      drops: (tag) => / data-live[\s>]/.test(tag),
    });
    for (const [card] of source.matchAll(CARD)) this.#tell(copyOf(card), links);
    return { html, variants: [...variants], links: [...links], inline: [...inline] };
  }

  /** A common target is reported a few times only, enough for the report of broken links. */
  #tell(target: string, links: Set<string>): void {
    const times = this.#told.get(target) ?? 0;
    if (times >= 5 || links.has(target)) return;
    this.#told.set(target, times + 1);
    links.add(target);
  }

  #resolve(value: string, page: string): Known | null {
    // A relative address has another meaning on every page.
    const isRooted = value.startsWith("/");
    const cached = isRooted ? this.#known.get(value) : undefined;
    if (cached !== undefined) return cached;
    const resolved = this.#work(value, page);
    if (isRooted && this.#known.size < MAX_KNOWN) this.#known.set(copyOf(value), resolved);
    return resolved;
  }

  #work(value: string, page: string): Known | null {
    const address = ownAddress(value, page, this.#siteAddress);
    if (address === null) return null;
    const variant = variantPath(address);
    const isVariant = variant !== null;
    const isAbsolute = /^[a-z]+:/i.test(value.trim());
    const start = isAbsolute ? this.#siteAddress.baseUrl : this.#siteAddress.prefix;
    const text = start + (isVariant ? variant : address.path + address.query) + address.hash;
    return { own: address, isVariant, text: text === value ? null : text };
  }
}

/**
 * The same text as a string of its own. V8 makes parts of a string as views of it: an address that is
 * stored would keep the whole page in memory, in an export of 100,000 pages more than 1 GB.
 */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}

function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
