import assert from "node:assert/strict";
import { definePlugin, type AnyHook, type HookContext, type SiteContext } from "#kernel";
import { RecordedLog } from "#lib/testing";
import type { ContentView } from "../../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

/** What a plugin does; `set` of a handler of a hook changes its payload. */
type Mistake = (set?: (value: unknown) => void) => unknown;

/** Time limit of a handler that hangs, in ms. */
const LIMIT_MS = 400;

/** More items than a call takes as arguments. */
const MANY = 200_000;
const HUGE_LIST: readonly unknown[] = Array.from({ length: MANY }, () => 7);
const HUGE_TEXT = "x".repeat(1_000_000);

/** What a handler, or a function that a plugin adds to a list, does instead of its work. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  throws: () => {
    throw new Error("no moon tonight");
  },
  rejects: () => Promise.reject(new Error("no moon tonight")),
  hangs: () => new Promise(() => undefined),
  "gives nothing": (set) => set?.(undefined),
  "gives null": (set) => (set === undefined ? null : set(null)),
  "gives a number": (set) => (set === undefined ? 42 : set(42)),
  "gives an empty object": (set) => (set === undefined ? {} : set({})),
  "gives a list": (set) => (set === undefined ? [7] : set([7])),
  "gives a huge list": (set) => (set === undefined ? HUGE_LIST : set(HUGE_LIST)),
  "gives a wrong field": (set) =>
    set?.({
      req: 42,
      page: {},
      html: 42,
      raw: 42,
      match: { kind: "nope" },
      media: [{}],
      answer: { status: 7, type: "text/plain", body: "" },
      status: 7,
      body: 10n,
      props: {},
      template: "nope",
      collection: { items: [{}] },
    }),
};

/** What no list takes for a result. */
const NEVER_VALID = new Set(["throws", "rejects", "hangs", "gives a number"]);

/** A valid payload with much more in it: long texts and lists, and a long field in each object. */
function grown(data: object): object {
  const fields = Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (name === "req" || name === "template") return [name, value];
    if (typeof value === "string") return [name, value + HUGE_TEXT];
    if (Array.isArray(value)) return [name, Array.from({ length: MANY }, () => value[0])];
    if (typeof value !== "object" || value === null) return [name, value];
    return [
      name,
      Object.assign(Object.create(Object.getPrototypeOf(value)), value, { huge: HUGE_TEXT }),
    ];
  });
  return Object.fromEntries(fields);
}

/** Much more than a plugin needs to add, of the kind that the list takes. */
const HUGE: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  collectionSources: (_, view) => {
    const [entry] = (view as ContentView).all({});
    return HUGE_LIST.map(() => entry);
  },
  pageIncludes: () => HUGE_TEXT,
  recordIncludes: () => HUGE_TEXT,
  writeGuards: () => HUGE_TEXT,
  imageAttributes: () => ({ "data-x": HUGE_TEXT }),
  mdxComponents: () => Object.fromEntries(HUGE_LIST.map((_, at) => [`X${at}`, () => null])),
  templateNames: () => HUGE_LIST.map((_, at) => `t${at}`),
  pageHead: () => `<meta name="x" content="${HUGE_TEXT}">`,
  pageProps: () => ({ huge: HUGE_TEXT }),
  pluginProblems: () =>
    HUGE_LIST.map((_, at) => ({
      sourcePath: `x${at}.md`,
      code: "x",
      message: "x",
      severity: "warning",
    })),
  routeClaims: () => HUGE_TEXT,
  redirects: (before) => ({
    ...Object(before),
    ...Object.fromEntries(HUGE_LIST.slice(0, 20_000).map((_, at) => [`/x${at}`, "/green"])),
  }),
  cspSources: () => ({ "img-src": HUGE_LIST.map((_, at) => `https://x${at}.example`) }),
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
  "flex-objects/boat.yaml": "title: Boats\nfields:\n  name: { type: text }\n",
  "flex-objects/boat/aurora.yaml": "_id: aurora\n_createdAt: 1\n_updatedAt: 1\nname: Aurora\n",
  "menus/main.yaml": "a: 1\n",
};
/** A page with the items of the source that the plugin adds. */
const SOURCE_PAGE =
  "---\ntitle: Broken\ncollection: { items: '@broken', pagination: { size: 5 } }\n---\n\n";

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

/** Where functions are called that plugins add under a key. */
const KEYED_ADDRESSES: typeof ADDRESSES = [
  ["/broken", 200],
  ["/api/collections?items=@broken", 200],
  ["/api/pages/green?include=broken", 200],
  ["/api/flex/boat?include=broken", 200],
];

/** What a plugin adds to a list of more than functions, with a function that is its work. */
const AROUND: Readonly<Record<string, (work: (...args: unknown[]) => unknown) => unknown>> = {
  collectionSources: (work) => ({ "@broken": work }),
  pageIncludes: (of) => ({ broken: { description: "Broken", of } }),
  recordIncludes: (of) => ({ broken: { description: "Broken", of } }),
  rootFolders: (read) => ({ folder: "menus", read }),
};

/** Whatever JSON has is a value of an include. */
const INCLUDES: readonly string[] = ["pageIncludes", "recordIncludes"];

/**
 * Functions that plugins add. Those of values are checked when they are added. Preparations have a test of their own;
 * data of visitors and files of the panel are called for people who are logged in: see the tests of auth and panel.
 */
const LISTS = [
  // First: the policy is computed once.
  "cspSources",
  "imageAttributes",
  "mdxComponents",
  "templateNames",
  "pageHead",
  "pageProps",
  "pluginProblems",
  "routeClaims",
  "redirects",
  "collectionSources",
  "pageIncludes",
  "recordIncludes",
  "rootFolders",
  "writeGuards",
] as const;

/** What a plugin adds that adds nothing. */
const USUAL: Readonly<Record<string, () => unknown>> = {
  templateNames: () => [],
  pageHead: () => "",
  pluginProblems: () => [],
  routeClaims: () => null,
  collectionSources: () => [],
  pageIncludes: () => null,
  recordIncludes: () => null,
  rootFolders: () => false,
  writeGuards: () => null,
};

/** What is wrong for every list. */
const NO_CONTRIBUTIONS: readonly unknown[] = [undefined, null, 42, "x", [7], HUGE_LIST];

describe("a site with a plugin whose", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  async function boot(
    setup: (site: SiteContext) => void,
    log: RecordedLog,
    handlerLimitMs?: number,
  ): Promise<TestSite> {
    const plugin = definePlugin({
      name: "broken",
      version: "1.0.0",
      after: ["render", "markdown", "content", "security", "pages", "flex", "auth", "panel"],
      setup,
    });
    // The check of responses leaves those alone that a hook may have changed.
    site = await bootSite({
      files,
      extraPlugins: [plugin],
      log: log.logger,
      ...(handlerLimitMs !== undefined && { handlerLimitMs }),
    });
    return site;
  }

  async function assertServed(
    running: TestSite,
    what: string,
    addresses = ADDRESSES,
  ): Promise<void> {
    const each = addresses.map(async ([path, status]) => {
      const response = await running.fetch(path);
      const body = await response.text();
      assert.equal(response.status, status, `${what}: ${path}: ${body.slice(0, 2_000)}`);
    });
    await Promise.all(each);
  }

  /** Changes the pages that the lists are asked about, and a file below a folder of the plugin. */
  async function change(running: TestSite, text: string): Promise<{ code?: string }> {
    const content = running.site.context("test").use("content");
    await running.write("content/03.green/default.md", `---\ntitle: Green\n---\n\n${text}\n`);
    await running.write("content/04.broken/default.md", `${SOURCE_PAGE}${text}\n`);
    await running.write("menus/main.yaml", `a: ${text}\n`);
    await content.refresh(["03.green/default.md", "04.broken/default.md"]);
    const [result = {}] = await content.apply([{ op: "write", path: "note.txt", content: text }]);
    return result;
  }

  const limitOf = (mistake: string): number | undefined =>
    mistake === "hangs" ? LIMIT_MS : undefined;

  it("handlers of every hook: each makes its payload huge", async () => {
    const log = new RecordedLog();
    let huge: string | null = null;
    const called = new Set<string>();
    const running = await boot(({ hooks }) => {
      for (const [name, kind] of hooks.declared()) {
        if (kind !== "transform") continue;
        const handler = (ctx: HookContext<AnyHook>): void => {
          if (huge !== name) return;
          called.add(name);
          ctx.setData(grown(Object(ctx.data)) as never);
        };
        hooks.on(name as AnyHook, handler);
      }
    }, log);
    const transforms = [...running.site.context("test").hooks.declared()].filter(
      ([, kind]) => kind === "transform",
    );
    for (const [name] of transforms) {
      huge = name;
      await assertServed(running, `${name} huge`);
    }
    assert.deepEqual([...called].toSorted(), transforms.map(([name]) => name).toSorted());
  });

  it("additions to every list: each gives huge values", async () => {
    const log = new RecordedLog();
    let huge: string | null = null;
    const running = await boot(({ extensions }) => {
      const add = extensions.add as (list: string, value: unknown) => void;
      for (const list of LISTS) {
        const work = (...args: unknown[]): unknown => {
          if (huge === list) return HUGE[list]?.(...args);
          return list === "redirects" ? args[0] : (USUAL[list] ?? Object)();
        };
        add(list, AROUND[list]?.(work) ?? work);
      }
    }, log);
    for (const list of LISTS.filter((name) => Object.hasOwn(HUGE, name))) {
      huge = list;
      const written = await change(running, list);
      if (list === "writeGuards") assert.equal(written.code, "ERR_CONTENT_CONFLICT");
      await assertServed(running, `${list} huge`, [...ADDRESSES, ...KEYED_ADDRESSES]);
    }
    // Clients refuse so many headers: the list is as if the plugin had added nothing.
    const [failed] = log.of("extension.failed");
    assert.deepEqual([failed?.fields["plugin"], failed?.fields["list"]], ["broken", "cspSources"]);
    assert.match(String(failed?.fields["error"]), /at most 4096 characters/);
  });

  it("additions to every list: none of the kind of the list is accepted", async () => {
    const errors: { readonly what: string; readonly error: unknown }[] = [];
    const running = await boot(({ extensions }) => {
      const add = extensions.add as (list: string, value: unknown) => void;
      for (const list of [...LISTS, "prepareContent", "personalData", "panelExtensions"]) {
        for (const value of NO_CONTRIBUTIONS) {
          const what = `${list} ${typeof value}`;
          try {
            add(list, value);
            errors.push({ what, error: null });
          } catch (error) {
            errors.push({ what, error });
          }
        }
      }
    }, new RecordedLog());
    for (const { what, error } of errors) {
      const { code, message, fix } = Object(error);
      assert.equal(code, "ERR_EXTENSION_INVALID", what);
      assert.match(message, /^plugin "broken" adds to the extension list "\w+": .*expected /, what);
      assert.ok(typeof fix === "string", what);
    }
    await assertServed(running, "without additions");
  });

  for (const [mistake, act] of Object.entries(MISTAKES)) {
    it(`handlers of every hook: each ${mistake}`, async () => {
      const log = new RecordedLog();
      let broken: string | null = null;
      const running = await boot(
        ({ hooks }) => {
          for (const [name, kind] of hooks.declared()) {
            if (kind === "create") continue;
            const handler = (ctx: HookContext<AnyHook>): unknown =>
              broken === name ? act((value) => ctx.setData(value as never)) : undefined;
            hooks.on(name as AnyHook, handler as () => void);
          }
        },
        log,
        limitOf(mistake),
      );
      const declared = running.site.context("test").hooks.declared();
      for (const [name, kind] of declared) {
        if (kind === "create") continue;
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
      const failing = [...hooks].filter((name) => transforms.includes(String(name)));
      assert.deepEqual(failing.toSorted(), transforms.toSorted());
      if (["throws", "rejects", "hangs"].includes(mistake)) assert.ok(hooks.has("onResponse"));
      for (const { fields } of failed) assert.equal(fields["plugin"], "broken");
    });

    it(`additions to every list: each ${mistake}`, async () => {
      const log = new RecordedLog();
      let broken: string | null = null;
      const running = await boot(
        ({ extensions }) => {
          const add = extensions.add as (list: string, value: unknown) => void;
          for (const list of LISTS) {
            const work = (...args: unknown[]): unknown => {
              if (broken === list) return act();
              return list === "redirects" ? args[0] : (USUAL[list] ?? Object)();
            };
            add(list, AROUND[list]?.(work) ?? work);
          }
        },
        log,
        limitOf(mistake),
      );
      for (const list of LISTS) {
        broken = list;
        const { code } = await change(running, list);
        if (list === "writeGuards" && mistake !== "gives null") {
          assert.equal(code, "ERR_CONTENT_CONFLICT");
          const [guard] = log.of("content.guard_failed");
          assert.equal(guard?.fields["by"], "broken");
        } else assert.equal(code, undefined);
        if (list === "rootFolders") {
          await until(() =>
            log.of("extension.failed").some(({ fields }) => fields["list"] === "rootFolders"),
          );
        }
        // A plugin may remove every redirect.
        const others = ADDRESSES.filter(([path]) => list !== "redirects" || path !== "/old");
        await assertServed(running, `${list} ${mistake}`, [...others, ...KEYED_ADDRESSES]);
      }
      const failed = log.of("extension.failed");
      assert.deepEqual(new Set(failed.map(({ fields }) => fields["plugin"])), new Set(["broken"]));
      if (!NEVER_VALID.has(mistake)) return;
      // Each of them was called; no page here is MDX.
      const lists = new Set(failed.map(({ fields }) => fields["list"]));
      const expected = LISTS.filter(
        (list) =>
          list !== "mdxComponents" &&
          // Its failures have an event of their own, as nothing is written then.
          list !== "writeGuards" &&
          !(mistake === "gives a number" && INCLUDES.includes(list)),
      );
      assert.deepEqual(lists, new Set(expected));
    });

    it(`a preparation of the content: it ${mistake}`, async () => {
      const log = new RecordedLog();
      const booting = boot(
        ({ extensions }) => {
          const add = extensions.add as (list: string, value: unknown) => void;
          add("prepareContent", () => act());
        },
        log,
        limitOf(mistake),
      );
      if (!["throws", "rejects", "hangs"].includes(mistake)) {
        return assertServed(await booting, `prepareContent ${mistake}`);
      }
      await assert.rejects(booting, /plugin "broken" could not prepare the content/);
      assert.equal(log.of("plugin.failed")[0]?.fields["failed"], "broken");
    });
  }
});
