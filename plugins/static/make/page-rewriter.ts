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
  readonly #place: BaseAddress;
  readonly #known = new Map<string, Known | null>();
  readonly #told = new Map<string, number>();

  constructor(place: BaseAddress) {
    this.#place = place;
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
      const known = this.#resolve(value, path);
      if (known === null) return null;
      if (known.isVariant) variants.add(known.own.path + known.own.query);
      this.#tell(known.own.path, links);
      return known.text;
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
    const known = isRooted ? this.#known.get(value) : undefined;
    if (known !== undefined) return known;
    const made = this.#work(value, page);
    if (isRooted && this.#known.size < MAX_KNOWN) this.#known.set(copyOf(value), made);
    return made;
  }

  #work(value: string, page: string): Known | null {
    const own = ownAddress(value, page, this.#place);
    if (own === null) return null;
    const variant = variantPath(own);
    const isVariant = variant !== null;
    const isAbsolute = /^[a-z]+:/i.test(value.trim());
    const start = isAbsolute ? this.#place.baseUrl : this.#place.prefix;
    const text = start + (isVariant ? variant : own.path + own.query) + own.hash;
    return { own, isVariant, text: text === value ? null : text };
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
