import { canParseUrl } from "#kernel/internal";
import type { SiteSettings } from "#kernel";

/** Paths readable by other origins: the public read API and its descriptions. */
const PREFIXES = ["/api/", "/_site/"];
/** Called by servers, never by browsers. */
const NOT_READ = "/api/webhook/";

/** Origins that may read the API: first that of `site.url`, then `cors_origins`. */
export function allowedOrigins(site: SiteSettings): ReadonlySet<string> {
  const origins = [site.url, ...site.cors_origins].flatMap((url) =>
    canParseUrl(url) ? [new URL(url).origin] : [],
  );
  return new Set(origins);
}

/** True for a path that allowed origins may read. */
export function isCorsPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) && !path.startsWith(NOT_READ);
}

/** CORS headers by origin, computed once; `Vary: Origin` always. */
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
          "Access-Control-Expose-Headers": "ETag, Link, Retry-After, X-Next-Cursor, X-Total-Count",
        },
      ]),
    );
    const [own = this.#plain] = this.#byOrigin.values();
    this.#own = own;
  }

  /** The CORS headers for `origin`; defaults to the site's own origin. */
  for(origin: string | undefined): Readonly<Record<string, string>> {
    return origin === undefined ? this.#own : (this.#byOrigin.get(origin) ?? this.#plain);
  }
}
