/** The path of `site.url`, and the one translation between addresses of the site and public addresses. */
import type { IncomingHttpHeaders, OutgoingHttpHeader } from "node:http";
import { rewriteHtml, rewriteSrcset } from "#lib/html";
import { isRooted } from "#lib/urls";

const CSS_URL = /(url\(\s*|@import\s+)(["']?)(\/(?![/\\])[^"')\s;]*)/gi;
const COOKIE_PATH = /(;\s*path=)\/?([^;]*)/i;
const LINK_TARGET = /<(\/(?![/\\])[^>]*)>/g;

/**
 * Inside the server every address starts at `/`. This class removes the path from requests and adds it to
 * responses; nothing else does.
 */
export class SitePath {
  /** Path of `site.url` without a trailing slash: empty or `/docs`. */
  readonly prefix: string;
  // Not a cache of a site's data: the same files of a theme are sent many times.
  readonly #sheets = new WeakMap<Buffer, Buffer>();

  constructor(url: string) {
    this.prefix = new URL(url).pathname.replace(/\/+$/, "");
  }

  /** The target of a request without the path of the site; others are returned as they are. */
  inside(target: string): string {
    const { prefix } = this;
    if (prefix === "" || !target.startsWith(prefix)) return target;
    const rest = target.slice(prefix.length);
    if (rest === "") return "/";
    if (rest.startsWith("/")) return rest;
    return rest.startsWith("?") || rest.startsWith("#") ? `/${rest}` : target;
  }

  /** The public form of an address from the root of the site; other addresses are returned as they are. */
  outside(address: string): string {
    return this.prefix !== "" && isRooted(address) ? this.prefix + address : address;
  }

  /** A document or style sheet with public addresses; other types are returned as they are. */
  body(type: string, body: string | Buffer): string | Buffer {
    if (this.prefix === "") return body;
    if (type.startsWith("text/html")) return this.html(body.toString());
    if (!type.startsWith("text/css")) return body;
    if (typeof body === "string") return this.css(body);
    const sheet = this.#sheets.get(body) ?? Buffer.from(this.css(body.toString()));
    this.#sheets.set(body, sheet);
    return sheet;
  }

  html(source: string): string {
    if (this.prefix === "") return source;
    const take = (address: string): string | null => {
      const bare = address.trim();
      return isRooted(bare) ? this.outside(bare) : null;
    };
    return rewriteHtml(source, {
      address: (value, { attribute }) =>
        attribute.endsWith("srcset") ? rewriteSrcset(value, take) : take(value),
      css: (text) => this.css(text),
    });
  }

  css(source: string): string {
    if (this.prefix === "") return source;
    return source.replace(CSS_URL, (all, start: string, quote: string, path: string) =>
      start.startsWith("@") && quote === "" ? all : start + quote + this.prefix + path,
    );
  }

  /** A response header with public addresses: `Location`, `Link`, `Refresh` and the path of cookies. */
  header(name: string, value: OutgoingHttpHeader): OutgoingHttpHeader {
    const rewrite = this.prefix === "" ? undefined : HEADERS[name.toLowerCase()];
    if (rewrite === undefined || typeof value === "number") return value;
    return typeof value === "string"
      ? rewrite(value, this)
      : value.map((one: string) => rewrite(one, this));
  }
}

const HEADERS: Readonly<Record<string, (value: string, path: SitePath) => string>> = {
  location: (value, path) => path.outside(value),
  "content-location": (value, path) => path.outside(value),
  link: (value, path) =>
    value.replace(LINK_TARGET, (_all, address: string) => `<${path.outside(address)}>`),
  refresh: (value, path) =>
    value.replace(
      /(url\s*=\s*)(.*)$/i,
      (_all, start: string, address: string) => start + path.outside(address),
    ),
  // A path without a trailing slash covers the address of the site itself too.
  "set-cookie": (value, { prefix }) =>
    value.replace(
      COOKIE_PATH,
      (_all, start: string, rest: string) => start + (rest === "" ? prefix : `${prefix}/${rest}`),
    ),
};

/**
 * True when a trusted proxy says that it has removed the path of the site from the target: a page may have
 * the name of the path.
 */
export function isPathRemoved(headers: IncomingHttpHeaders, prefix: string): boolean {
  const removed = headers["x-forwarded-prefix"];
  return typeof removed === "string" && removed.replace(/\/+$/, "") === prefix;
}
