import assert from "node:assert/strict";
import { definePlugin, SiteError, type Engines } from "#kernel";
import { bootSite } from "../support/sites/boot-site.js";

type OptionalMethod<E> = {
  [M in keyof E]-?: undefined extends E[M]
    ? NonNullable<E[M]> extends (...args: never[]) => unknown
      ? M
      : never
    : never;
}[keyof E];
/** Every optional method of every slot: one that is missing here does not compile. */
type OptionalMethods = {
  readonly [S in keyof Engines]: Readonly<Record<OptionalMethod<Engines[S]>, true>>;
};

const OPTIONAL: OptionalMethods = {
  authorization: {},
  authzStore: { close: true },
  changeAnnouncer: { sharesRoot: true },
  changeStore: { close: true },
  commitTarget: {},
  image: { look: true },
  imageStore: {},
  jobs: {},
  leader: {},
  mailer: { close: true },
  rateLimit: { release: true, close: true },
  records: {},
  search: {
    update: true,
    words: true,
    facetCounts: true,
    explain: true,
    save: true,
    load: true,
    close: true,
  },
  sessionStore: { claim: true, sweep: true, open: true, close: true },
  userStore: { close: true },
  writeLock: {},
};

describe("an engine whose optional method is no function", () => {
  it("is refused in every slot, with plugin, slot and method", async () => {
    const messages: string[] = [];
    const wanted: string[] = [];
    const tide = definePlugin({
      name: "tide",
      version: "1.0.0",
      requires: ["email", "media", "search", "security", "session", "users"],
      setup({ engines }) {
        for (const [slot, methods] of Object.entries(OPTIONAL)) {
          const open = engines.slot(slot as "search");
          const engine = open.get(open.activeName ?? open.names[0] ?? "");
          for (const method of Object.keys(methods)) {
            wanted.push(
              `plugin "tide" registers the engine "odd" of slot "${slot}": ${method}: expected a function or nothing, received 5`,
            );
            const odd = new Proxy(engine ?? assert.fail(slot), {
              get: (target, key) => (key === method ? 5 : Reflect.get(target, key, target)),
            });
            try {
              open.register("odd", odd);
            } catch (error) {
              assert.ok(error instanceof SiteError && error.code === "ERR_ENGINE_INVALID");
              messages.push(error.message);
            }
          }
        }
      },
    });
    const site = await bootSite({
      plugins: ["admin", "email", "history", "media", "search", "security", "session", "users"],
      extraPlugins: [tide],
    });
    await site.close();
    assert.deepEqual(messages, wanted);
  });
});
