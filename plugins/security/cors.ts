import { canParseUrl } from "#kernel";
import type { SiteSettings } from "#kernel";

/** Paths that answer other origins: the public read API and its descriptions. */
const PREFIXES = ["/api/", "/_site/"];
/** For servers, whatever their origin: no browser reads it. */
const NOT_READ = "/api/webhook/";

/** Origins that may read the API: that of `site.url` first, then `cors_origins`. */
export function allowedOrigins(site: SiteSettings): ReadonlySet<string> {
  const origins = [site.url, ...site.cors_origins].flatMap((url) =>
    canParseUrl(url) ? [new URL(url).origin] : [],
  );
  return new Set(origins);
}

/** True for a path whose answers may be read by the allowed origins. */
export function isCorsPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) && !path.startsWith(NOT_READ);
}

/** CORS headers by origin, the site's own first, computed once; `Vary: Origin` always. */
export class CorsHeaders {
  readonly #plain: Readonly<Record<string, string>>;
  readonly #own: Readonly<Record<string, string>>;
  readonly #byOrigin: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(block: Readonly<Record<string, string>>, origins: ReadonlySet<string>) {
    this.#plain = { ...block, Vary: "Origin" };
    this.#byOrigin = new Map(
      [...origins].map((origin) => [
        origin,
        {
          ...this.#plain,
          "Access-Control-Allow-Origin": origin,
          "Access-Control-Expose-Headers": "ETag, Link, Retry-After, X-Total-Count",
        },
      ]),
    );
    const [own = this.#plain] = this.#byOrigin.values();
    this.#own = own;
  }

  /** The header block of an answer to `origin`; who names none is told the site's own. */
  for(origin: string | undefined): Readonly<Record<string, string>> {
    return origin === undefined ? this.#own : (this.#byOrigin.get(origin) ?? this.#plain);
  }
}
