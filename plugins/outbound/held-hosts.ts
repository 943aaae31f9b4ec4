import { z } from "zod";
import { canParseUrl, sha256, type CollectionDefinition, type RecordStore } from "#kernel/internal";
import type { HeldHostsService } from "./contract.js";
import { hostName } from "./target.js";

const shape = z.object({ host: z.string() });
type HeldHost = z.infer<typeof shape>;

const COLLECTION: CollectionDefinition<HeldHost> = {
  name: "outbound-hosts",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** Hosts that came through the admin API, across restarts and for all nodes that share the records. */
export class HeldHosts implements HeldHostsService {
  readonly #store: () => RecordStore;

  constructor(store: () => RecordStore) {
    this.#store = store;
  }

  /** True for a host that came through the admin API. Read each time: asked for private targets only. */
  async isHeld(host: string): Promise<boolean> {
    return (await this.#records.get(sha256(plain(host)))) !== null;
  }

  async hold(hosts: readonly string[]): Promise<void> {
    for (const host of new Set(hosts.map(plain))) await this.#records.put(sha256(host), { host });
  }

  /** Removes all others. */
  async keepOnly(hosts: readonly string[]): Promise<void> {
    const kept = new Set(hosts.map(plain));
    const { items } = await this.#records.list();
    for (const { value } of items) {
      if (!kept.has(value.host)) await this.#records.delete(sha256(value.host));
    }
  }

  get #records() {
    return this.#store().collection(COLLECTION);
  }
}

/** As a URL has it: `2130706433` is `127.0.0.1`. */
function plain(host: string): string {
  const isBare = host.includes(":") && !host.startsWith("[");
  const url = `http://${isBare ? `[${host}]` : host}/`;
  return canParseUrl(url) ? hostName(new URL(url)) : host.toLowerCase();
}
