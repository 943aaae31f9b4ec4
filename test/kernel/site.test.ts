import assert from "node:assert/strict";
import { z } from "zod";
import { definePlugin, type Plugin, type SiteContext } from "#kernel";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const THIRD_PARTY = `
import { definePlugin } from "sitewright";
import type { SiteContext } from "sitewright";
export default (config: { greeting?: string }) => definePlugin({
  name: "hello", version: "2.1.0", engine: "^1.0",
  setup(site: SiteContext) {
    site.http.use("pages", (req, res, next) => {
      if (req.ctx.path !== "/hello") return next();
      site.http.send(req, res, { type: "text/plain", body: config.greeting ?? "hi" });
    });
  },
});
`;

describe("createSite", () => {
  let site: TestSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  const boot = async (options: Parameters<typeof bootSite>[0]): Promise<TestSite> =>
    (site = await bootSite(options));
  const plugin = (name: string, more: Partial<Plugin> = {}): Plugin =>
    definePlugin({ name, version: "1.0.0", ...more });

  it("serves with the selected plugins and what they require, and with no other", async () => {
    const { site: running } = await boot({ plugins: ["pages"] });
    const names = running
      .context("pages")
      .runtime.plugins()
      .map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["content", "markdown", "pages", "records"]);
  });

  it("loads a TypeScript plugin of the site by its path, with its config block", async () => {
    const running = await boot({
      files: {
        "site.yaml":
          "title: T\nplugins:\n  - health\n  - src: ./plugins/hello.ts\n    config: {greeting: Moin}\n",
        "plugins/hello.ts": THIRD_PARTY,
      },
    });
    assert.equal(await (await running.fetch("/hello")).text(), "Moin");
    const info = running.site
      .context("hello")
      .runtime.plugins()
      .find(({ name }) => name === "hello");
    assert.deepEqual([info?.version, info?.firstParty, info?.state], ["2.1.0", false, "active"]);
  });

  it("sets plugins up in order, runs onReady in order and onClose in reverse", async () => {
    const steps: string[] = [];
    const noting = (name: string, requires: string[]) =>
      plugin(name, {
        requires,
        setup: (context: SiteContext) => {
          steps.push(`setup ${name}`);
          context.lifecycle.onReady(() => void steps.push(`ready ${name}`));
          context.lifecycle.onClose(() => void steps.push(`close ${name}`));
        },
      });
    const running = await boot({
      plugins: ["health"],
      extraPlugins: [noting("b", ["a"]), noting("a", [])],
    });
    await running.close();
    site = null;
    assert.deepEqual(steps, ["setup a", "setup b", "ready a", "ready b", "close b", "close a"]);
  });

  it("fires onConfigLoaded, onStorageReady, onRequest and onResponse", async () => {
    const events: string[] = [];
    const ears = plugin("ears", {
      hooks: {
        onConfigLoaded: ({ data }) => void events.push(`config ${data.settings.site.title}`),
        onStorageReady: ({ data }) => void events.push(typeof data.paths.root),
        onApiRequest: ({ data }) => void events.push(`api ${data.req.ctx.path}`),
        onResponse: ({ data }) => void events.push(`response ${data.status}`),
        onRequest: ({ data, setData }) => {
          if (data.req.ctx.path === "/early") {
            setData({ ...data, answer: { type: "text/plain", body: "early" } });
          }
        },
      },
    });
    const running = await boot({ plugins: ["pages"], extraPlugins: [ears] });
    assert.equal(await (await running.fetch("/early")).text(), "early");
    await (await running.fetch("/api/nav")).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await running.site.context("ears").hooks.settled();
    assert.deepEqual(events, [
      "config Test",
      "string",
      "response 200",
      "api /api/nav",
      "response 200",
    ]);
  });

  it("gives a plugin its config block, validated and with defaults", async () => {
    const seen: unknown[] = [];
    const configured = plugin("shop", {
      config: z.object({ currency: z.string().default("EUR") }),
      setup: ({ config }) => void seen.push(config),
    });
    await boot({ plugins: ["health"], extraPlugins: [configured] });
    assert.deepEqual(seen, [{ currency: "EUR" }]);
  });

  const FAILURES: readonly (readonly [string, Parameters<typeof bootSite>[0], object])[] = [
    [
      "a plugin listens to an unknown hook",
      {
        plugins: ["content"],
        extraPlugins: [plugin("bad", { hooks: { onPageUpdat: () => undefined } as object })],
      },
      { code: "ERR_HOOK_UNKNOWN", fix: 'did you mean "onPageUpdate"?' },
    ],
    [
      "a module does not parse",
      {
        files: {
          "plugins/x.ts": "export default {",
          "site.yaml": "title: T\nplugins: [{src: ./plugins/x.ts}]\n",
        },
      },
      { code: "ERR_PLUGIN_LOAD", message: /plugins\/x\.ts/ },
    ],
    [
      "the file of a plugin is missing",
      { files: { "site.yaml": "title: T\nplugins: [{src: ./plugins/none.ts}]\n" } },
      { code: "ERR_CONFIG_INVALID" },
    ],
  ];
  for (const [what, options, expected] of FAILURES) {
    it(`fails to start when ${what}`, async () => {
      await assert.rejects(bootSite(options), expected);
    });
  }

  it("isolates two sites in one process", async () => {
    const one = await boot({ files: { "site.yaml": "title: One\n" }, plugins: ["pages"] });
    const two = await bootSite({ files: { "site.yaml": "title: Two\n" }, plugins: ["pages"] });
    const title = async (which: TestSite) =>
      ((await (await which.fetch("/api/config/site")).json()) as { title: string }).title;
    assert.deepEqual([await title(one), await title(two)], ["One", "Two"]);
    await two.close();
  });

  it("finishes open requests before it closes", async () => {
    let release = (): void => undefined;
    const slow = plugin("slow", {
      setup: ({ http }) =>
        http.use("pages", async (req, res) => {
          await new Promise<void>((resolve) => void (release = resolve));
          http.send(req, res, { type: "text/plain", body: "done" });
        }),
    });
    const running = await boot({ plugins: ["health"], extraPlugins: [slow] });
    const open = running.fetch("/x");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closing = running.site.close();
    setTimeout(() => release(), 50);
    assert.equal(await (await open).text(), "done");
    await closing;
  });
});
