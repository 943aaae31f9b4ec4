/** A visitor's browser: stores cookies per origin and path, sends them, follows redirects on request. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string; origin: string }>();
  readonly #aliases: ReadonlyMap<string, string>;

  /** `aliases`: origins mapped to their real address (`site.url` on a port not known before). */
  constructor(aliases: Readonly<Record<string, string>> = {}) {
    this.#aliases = new Map(Object.entries(aliases));
  }

  /** One request; does not follow redirects. */
  async go(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = this.#real(new URL(address));
    const headers = new Headers(init.headers);
    const cookie = this.#cookiesFor(url);
    if (cookie !== "" && !headers.has("cookie")) headers.set("cookie", cookie);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) this.#keep(url, header);
    return response;
  }

  /** Follows redirects from an address until one starts with `until`, or a response is not a redirect. */
  async follow(address: string | URL, until?: string): Promise<{ url: URL; response: Response }> {
    let url = new URL(address);
    let response = await this.go(url);
    for (let hops = 0; response.status >= 300 && response.status < 400 && hops < 20; hops += 1) {
      url = new URL(response.headers.get("location") ?? "/", url);
      if (until !== undefined && url.href.startsWith(until)) return { url, response };
      response = await this.go(url);
    }
    return { url, response };
  }

  /** The value of a cookie, undefined when it is not set. */
  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.endsWith(` ${name}`))?.[1].value;
  }

  /** Cookies with this name prefix, as a `Cookie` header. */
  pairs(prefix: string): string {
    return [...this.#cookies]
      .map(([key, { value }]) => `${key.split(" ")[1]}=${value}`)
      .filter((pair) => pair.startsWith(prefix))
      .join("; ");
  }

  #real(url: URL): URL {
    const origin = this.#aliases.get(url.origin) ?? url.origin;
    return new URL(url.pathname + url.search, origin);
  }

  #cookiesFor(url: URL): string {
    return [...this.#cookies]
      .filter(([, one]) => one.origin === url.origin && url.pathname.startsWith(one.path))
      .map(([key, { value }]) => `${key.split(" ")[1]}=${value}`)
      .join("; ");
  }

  #keep(url: URL, header: string): void {
    const [pair = "", ...attributes] = header.split(/;\s*/);
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    const attribute = (wanted: string): string | undefined =>
      attributes
        .find((one) => one.toLowerCase().startsWith(`${wanted}=`))
        ?.slice(wanted.length + 1);
    const path = attribute("path") ?? "/";
    const key = `${url.origin}${path} ${name}`;
    const isOver =
      attribute("max-age") === "0" || Date.parse(attribute("expires") ?? "") <= Date.now();
    if (isOver) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, path, origin: url.origin });
  }
}
