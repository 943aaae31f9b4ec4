import assert from "node:assert/strict";
import type { HookContext, HookData, HookHandlers, HookName, Plugin } from "#kernel";
import { firstPartyPlugins } from "../../plugins/main.js";
import { bootAuthSite, SITE_URL, type AuthSite } from "../support/sites/auth-site.js";
import { picture } from "../support/content/pictures.js";

/** Every hook with the fields of its payload. A missing hook does not compile. */
const payloads: { [N in HookName]: readonly (keyof HookData<N>)[] } = {
  onConfigLoaded: ["settings"],
  onStorageReady: ["paths"],
  onRequest: ["req", "answer"],
  onResponse: ["req", "status", "durationMs"],
  onApiRequest: ["req"],
  onApiResponse: ["req", "status", "body"],
  onContentIndexReady: ["generation"],
  onMediaDiscovered: ["media", "page"],
  onPageLoaded: ["page"],
  onCollectionResolved: ["query", "collection"],
  onRebuild: ["generation", "created", "updated", "deleted", "tags"],
  onPageCreate: ["sourcePath", "title"],
  onPageUpdate: ["sourcePath", "title"],
  onPageDelete: ["sourcePath"],
  onWorkflowChange: ["sourcePath", "from", "to"],
  onMarkdownProcess: ["raw", "page"],
  onMarkdownProcessed: ["html", "page"],
  onRouteResolved: ["req", "match"],
  onBeforeRender: ["req", "page", "template", "props"],
  onAfterRender: ["req", "page", "html"],
  onThemeSwitch: ["from", "to"],
  onCacheHit: ["key"],
  onCacheMiss: ["key"],
  onCacheInvalidate: ["keys"],
  onSearchEngineCreate: ["register", "activate", "documents", "loadText", "settings"],
  onSearchRecordsCollect: ["records"],
  onImageCreate: ["register", "activate"],
  onImageStoreCreate: ["register", "activate"],
  onSessionStoreCreate: ["register", "activate", "settings"],
  onUserStoreCreate: ["register", "activate", "registerAuthz", "activateAuthz", "settings"],
  onUserCreate: ["user"],
  onUserDelete: ["user"],
  onMailerCreate: ["register", "activate", "settings"],
  onLogin: ["user", "provider"],
  onLogout: ["user"],
  onFormSubmit: ["id", "form", "values"],
  onFlexChange: ["op", "type", "id", "record"],
};

/** Hooks covered by another test, with the reason why this one cannot trigger them. */
const provedElsewhere: Readonly<Partial<Record<HookName, string>>> = {
  onFormSubmit: "test/plugins/forms/forms.test.ts: a form needs a token that is some seconds old",
};

const isHookName = (name: string): name is HookName => Object.hasOwn(payloads, name);
const names = Object.keys(payloads).filter(isHookName);

const files = async () => ({
  "site.yaml": "title: Hooks\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n# Hello *world*\n\n![a picture](dot.png)\n",
  "content/01.home/dot.png": await picture(8, 8),
  "content/02.blog/blog.md": "---\ntitle: Blog\ncollection: {items: '@self.children'}\n---\nAll.\n",
  "content/02.blog/01.post/post.md": "---\ntitle: Post\n---\nPost.\n",
  "flex-objects/product.yaml": "title: Products\nfields: {name: {type: text}}\n",
  "themes/other/theme.yaml": "parent: default\n",
});

describe("hooks", () => {
  let site: AuthSite;
  const heard = new Map<HookName, unknown[]>();
  const declared = new Set<string>();

  /** Listens to one hook, at the type of its name. */
  function ear<N extends HookName>(name: N): HookHandlers {
    const listen = ({ data }: HookContext<N>): void => {
      heard.set(name, [...(heard.get(name) ?? []), data]);
    };
    return { [name]: listen };
  }

  before(async () => {
    const plugins = await Promise.all(firstPartyPlugins.map(({ load }) => load()));
    for (const { fires } of plugins)
      for (const name of Object.keys(fires ?? {})) declared.add(name);
    const ears: Plugin = {
      name: "ears",
      version: "1.0.0",
      hooks: Object.assign({}, ...names.map((name) => ear(name))),
    };
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        files: await files(),
        plugins: firstPartyPlugins.map(({ name }) => name),
        env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
        extraPlugins: [ears],
      },
    );
    await readPages(site);
    await changeContent(site);
    await comeAndGo(site);
    await site.site.context("ears").hooks.settled();
  });
  after(() => site.close());

  it("are all listed in this test", () => {
    assert.deepEqual(
      [...declared].filter((name) => !isHookName(name)),
      [],
    );
  });

  it("are each declared by the kernel or by the plugin that fires them", () => {
    const ofKernel = [
      "onConfigLoaded",
      "onStorageReady",
      "onRequest",
      "onResponse",
      "onApiRequest",
      "onApiResponse",
    ];
    const known = new Set([...declared, ...ofKernel]);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    );
  });

  for (const name of names.filter((at) => provedElsewhere[at] === undefined)) {
    it(`${name} fires, with ${payloads[name].join(", ")}`, () => {
      const [first] = heard.get(name) ?? [];
      assert.ok(typeof first === "object" && first !== null, "was never called");
      assert.deepEqual(
        payloads[name].filter((key) => !(key in first)),
        [],
      );
    });
  }

  it("fire once for each event", () => {
    const count = (name: HookName): number => heard.get(name)?.length ?? 0;
    for (const name of [
      "onPageCreate",
      "onPageDelete",
      "onWorkflowChange",
      "onThemeSwitch",
    ] as const) {
      assert.equal(count(name), 1, name);
    }
    for (const name of ["onConfigLoaded", "onStorageReady", "onContentIndexReady"] as const) {
      assert.equal(count(name), 1, name);
    }
    assert.deepEqual(heard.get("onWorkflowChange"), [
      { sourcePath: "03.new/default.md", from: "published", to: "archived" },
    ]);
  });
});

/** Pages, lists and the API, twice: the second time from the cache. */
async function readPages(site: AuthSite): Promise<void> {
  for (const path of ["/", "/blog", "/api/pages", "/api/pages/blog", "/api/search?q=post"]) {
    for (let round = 0; round < 2; round += 1) await (await site.fetch(path)).text();
  }
}

async function changeContent({ site }: AuthSite): Promise<void> {
  const content = site.use("content");
  const path = "03.new/default.md";
  const apply = async (change: Parameters<typeof content.apply>[0][number]): Promise<void> => {
    const [result] = await content.apply([change]);
    assert.deepEqual(result?.errors, []);
  };
  await apply({ op: "write", path, content: "---\ntitle: New\n---\nNew.\n" });
  await apply({ op: "frontmatter", path, patch: { status: "archived" } });
  await apply({ op: "delete", path });
  const [record] = await site
    .use("flex")
    .apply([{ op: "create", type: "product", data: { name: "Lamp" } }]);
  assert.equal(record?.status, "created");
  await site.use("render").switchTheme("other");
}

async function comeAndGo(site: AuthSite): Promise<void> {
  const ann = await site.loggedIn("ann@site.example");
  await ann.go(`${SITE_URL}/auth/logout`);
  const users = site.site.use("users");
  const user = await users.findByEmail("ann@site.example");
  assert.ok(user && (await users.delete(user.id)));
}
