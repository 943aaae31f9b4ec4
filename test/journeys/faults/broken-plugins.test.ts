import assert from "node:assert/strict";
import { definePlugin, type AnyHook, type HookContext, type SiteContext } from "#kernel";
import { RecordedLog } from "../../../kernel/testing/recorded-log.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

/** What a handler, or a function that a plugin adds to a list, does instead of its work. */
const MISTAKES: Readonly<Record<string, (set?: (value: unknown) => void) => unknown>> = {
  throws: () => {
    throw new Error("no moon tonight");
  },
  rejects: () => Promise.reject(new Error("no moon tonight")),
  "gives nothing": (set) => set?.(undefined),
  "gives null": (set) => (set === undefined ? null : set(null)),
  "gives a number": (set) => (set === undefined ? 42 : set(42)),
  "gives an empty object": (set) => (set === undefined ? {} : set({})),
  "gives a list": (set) => (set === undefined ? [7] : set([7])),
  "gives a wrong field": (set) =>
    set?.({
      ...{ req: 42, page: {}, html: 42, raw: 42, match: { kind: "nope" }, media: [{}] },
      ...{ answer: { status: 7, type: "text/plain", body: "" }, status: 7, body: 10n, props: {} },
      ...{ template: "nope", collection: { items: [{}] } },
    }),
};

const files = {
  "site.yaml": "title: Tea\nredirects: { /old: /green }\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n\n![A](a.png) [Green](/green)\n",
  "content/01.home/a.png": Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  "content/02.blog/blog.md":
    "---\ntitle: Blog\ncollection: { items: '@self.children' }\n---\n\nPosts.\n",
  "content/02.blog/01.one/post.md": "---\ntitle: One\ndate: 2026-05-01\n---\n\nText.\n",
  "content/03.green/default.md": "---\ntitle: Green\n---\n\nUse water.\n",
};

const ADDRESSES: readonly (readonly [path: string, status: number])[] = [
  ["/", 200],
  ["/blog", 200],
  ["/old", 301],
  ["/missing", 404],
  ["/api/pages", 200],
  ["/api/pages/green", 200],
  ["/feed.xml", 200],
  ["/health", 200],
];

/** Functions that plugins add. Those of values are checked when they are added. */
const LISTS = [
  "imageAttributes",
  "mdxComponents",
  "templateNames",
  "pageHead",
  "pageProps",
  "pluginProblems",
  "routeClaims",
  "redirects",
  "cspSources",
] as const;

describe("a site with a plugin whose", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  async function boot(setup: (site: SiteContext) => void, log: RecordedLog): Promise<TestSite> {
    const plugin = definePlugin({
      name: "broken",
      version: "1.0.0",
      after: ["render", "markdown", "content", "security", "pages", "flex"],
      setup,
    });
    // The check of responses leaves those alone that a hook may have changed.
    site = await bootSite({ files, extraPlugins: [plugin], log: log.logger });
    return site;
  }

  async function assertServed(
    running: TestSite,
    what: string,
    addresses = ADDRESSES,
  ): Promise<void> {
    for (const [path, status] of addresses) {
      const response = await running.fetch(path);
      assert.equal(response.status, status, `${what}: ${path}: ${await response.text()}`);
    }
  }

  for (const [mistake, act] of Object.entries(MISTAKES)) {
    it(`handlers of every hook: each ${mistake}`, async () => {
      const log = new RecordedLog();
      let broken: string | null = null;
      const running = await boot(({ hooks }) => {
        for (const [name, kind] of hooks.declared()) {
          if (kind === "create") continue;
          const handler = (ctx: HookContext<AnyHook>): unknown =>
            broken === name ? act((value) => ctx.setData(value as never)) : undefined;
          hooks.on(name as AnyHook, handler as () => void);
        }
      }, log);
      const declared = running.site.context("test").hooks.declared();
      for (const [name, kind] of declared) {
        if (kind !== "transform") continue;
        broken = name;
        await assertServed(running, `${name} ${mistake}`);
      }
      broken = null;
      const failed = log.of("hook.failed");
      const hooks = new Set(failed.map(({ fields }) => fields["hook"]));
      // Each of them was called, and its mistake was seen.
      const transforms = [...declared].flatMap(([name, kind]) =>
        kind === "transform" ? [name] : [],
      );
      assert.deepEqual([...hooks].toSorted(), transforms.toSorted());
      for (const { fields } of failed) assert.equal(fields["plugin"], "broken");
    });

    it(`additions to every list: each ${mistake}`, async () => {
      const log = new RecordedLog();
      let broken: string | null = null;
      const running = await boot(({ extensions }) => {
        const add = extensions.add as (list: string, value: unknown) => void;
        const usual: Readonly<Record<string, () => unknown>> = {
          templateNames: () => [],
          pageHead: () => "",
          pluginProblems: () => [],
          routeClaims: () => null,
        };
        for (const list of LISTS) {
          add(list, (...args: unknown[]) => {
            if (broken === list) return act();
            return list === "redirects" ? args[0] : (usual[list]?.() ?? {});
          });
        }
      }, log);
      for (const list of LISTS) {
        broken = list;
        await running.write("content/03.green/default.md", `---\ntitle: Green\n---\n\n${list}\n`);
        await running.site.context("test").use("content").refresh(["03.green/default.md"]);
        // A plugin may remove every redirect.
        const others = ADDRESSES.filter(([path]) => list !== "redirects" || path !== "/old");
        await assertServed(running, `${list} ${mistake}`, others);
      }
      const failed = log.of("extension.failed");
      assert.deepEqual(new Set(failed.map(({ fields }) => fields["plugin"])), new Set(["broken"]));
    });
  }
});
