/** Completes the announcements of nodes that died. */
import type { SiteContext } from "#kernel";
import type {} from "../content/contract.js";
import type { Message, Transport } from "./transport.js";

/** What the leader does; a page may be announced twice if its node had almost finished. */
export class Adoptions {
  readonly #site: SiteContext;
  readonly #transport: Pick<Transport, "orphans" | "finish">;
  #isRunning = false;

  constructor(site: SiteContext, transport: Pick<Transport, "orphans" | "finish">) {
    this.#site = site;
    this.#transport = transport;
  }

  /** Looks for orphans in the background: the heartbeat must not wait for webhooks. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#adoptAll()
      .catch((error: unknown) => {
        this.#site.log.warn("cluster.not_adopted", { error: String(error) });
      })
      .finally(() => (this.#isRunning = false));
  }

  async #adoptAll(): Promise<void> {
    for (const message of await this.#transport.orphans()) await this.#adopt(message);
  }

  async #adopt({ node, changes, open = "" }: Message): Promise<void> {
    const pages = (changes ?? []).filter(({ kind }) => kind === "page");
    this.#site.log.warn("cluster.adopted", { node, pages: pages.length });
    const content = this.#site.use("content", { optional: true });
    await content?.announce(pages.map(({ op, key }) => ({ op, sourcePath: key })));
    await this.#transport.finish(open);
  }
}
