import { z } from "zod";
import { canParseUrl } from "#lib/urls";
import { sha256 } from "#lib/secrets";
import type { CollectionDefinition, RecordStore } from "../records/contract.js";
import type { GuardedHostsService } from "./contract.js";
import { hostName } from "./target.js";

const shape = z.object({ host: z.string() });
type GuardedHost = z.infer<typeof shape>;

const COLLECTION: CollectionDefinition<GuardedHost> = {
  name: "outbound-hosts",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** Hosts that came through the admin API, across restarts and for all nodes that share the records. */
export class GuardedHosts implements GuardedHostsService {
  readonly #store: RecordStore;
  readonly #publicRefusal: (url: string) => Promise<string | null>;

  /** `publicRefusal`: why a URL is not public; null when it is. */
  constructor(store: RecordStore, publicRefusal: (url: string) => Promise<string | null>) {
    this.#store = store;
    this.#publicRefusal = publicRefusal;
  }

  async guard(addresses: readonly string[]): Promise<void> {
    for (const host of toHosts(addresses)) await this.#records.put(sha256(host), { host });
  }

  async keepOnly(addresses: readonly string[]): Promise<void> {
    const hosts = toHosts(addresses);
    const { items } = await this.#records.list();
    for (const { value } of items) {
      if (!hosts.has(value.host)) await this.#records.delete(sha256(value.host));
    }
  }

  /** Read each time: the client asks for private targets only. */
  async isGuarded(address: string): Promise<boolean> {
    const host = parseHost(address);
    return host !== null && (await this.#records.get(sha256(host))) !== null;
  }

  async refusal(address: string): Promise<string | null> {
    return (await this.isGuarded(address)) ? this.refusalToSet(address) : null;
  }

  async refusalToSet(address: string): Promise<string | null> {
    const host = parseHost(address);
    if (host === null) return `${JSON.stringify(address)} is on this machine`;
    const url = /^https?:\/\//i.test(address) ? address : toUrl(host);
    return this.#publicRefusal(url);
  }

  get #records() {
    return this.#store.collection(COLLECTION);
  }
}

function toHosts(addresses: readonly string[]): Set<string> {
  return new Set(addresses.flatMap((address) => parseHost(address) ?? []));
}

/** The host as URLs have it: `2130706433` is `127.0.0.1`; null for a path of this machine. */
function parseHost(address: string): string | null {
  const written = writtenHost(address);
  if (written === null) return null;
  const url = toUrl(written);
  return canParseUrl(url) ? hostName(new URL(url)) : written.toLowerCase();
}

/** The host of `https://host/path`, `redis://host`, `git@host:path` or `host`. */
function writtenHost(address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    const hostname = canParseUrl(address) ? new URL(address).hostname : "";
    return hostname === "" ? null : hostname;
  }
  if (address === "" || address.startsWith("/")) return null;
  const [, scp] = /^(?:[^@/]+@)?([^:/@[\]]+):[^:]/.exec(address) ?? [];
  return scp ?? address;
}

function toUrl(host: string): string {
  const isBare = host.includes(":") && !host.startsWith("[");
  return `http://${isBare ? `[${host}]` : host}/`;
}
