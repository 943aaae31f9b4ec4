import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { definePlugin, type Plugin } from "#kernel";
import type { SearchEngine, SearchService } from "../../../plugins/search/contract.js";
import type { InternalSearchService } from "../../../plugins/search/service.js";
import { RecordedLog } from "#testing";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const files = {
  "content/01.apple/default.md": "# Apple\n\nAn apple a day.",
  "content/02.pear/default.md": "# Pear\n\nNo apple.",
};
const engine = (rest: Partial<SearchEngine>): SearchEngine => ({
  build: async () => undefined,
  search: () => ({ total: 1, hits: [{ route: "/pear", score: 42 }] }),
  suggest: () => ["pear"],
  ...rest,
});
const bringing = (given: SearchEngine, activate = true): Plugin =>
  definePlugin({
    name: "other-engine",
    version: "1.0.0",
    hooks: {
      onSearchEngineCreate: ({ data }) => {
        data.register("other", given);
        if (activate) data.setActiveEngine("other");
      },
    },
  });

const isInternal = (service: SearchService): service is InternalSearchService =>
  "searchCounted" in service;

describe("search service", () => {
  let site: TestSite;
  const boot = async (options: BootOptions = {}): Promise<TestSite> =>
    (site = await bootSite({
      plugins: ["content", "markdown", "search", "pages", "health"],
      files,
      env: { SITE_ENV: "production" },
      ...options,
    }));
  const apple = (): Promise<Response> => site.fetch("/api/search?q=apple");
  afterEach(() => site.close());

  it("uses the engine that a plugin activates", async () => {
    await boot({ extraPlugins: [bringing(engine({}))] });
    const { items } = (await (await apple()).json()) as {
      items: { route: string; score: number; excerpt: string }[];
    };
    assert.deepEqual(
      items.map(({ route, score, excerpt }) => [route, score, excerpt]),
      [["/pear", 42, "Pear\n\nNo <mark>apple</mark>.".replace("\n\n", " ")]],
    );
    assert.equal(site.site.use("search").state().engine, "other");
  });

  it("records neither a search that does not count nor its cached response", async () => {
    await boot();
    const search = site.site.use("search");
    assert.ok(isInternal(search));
    const filters = { taxonomy: {}, facets: {} };
    const request = { text: "apple", filters, limit: 5, offset: 0, lang: null } as const;
    const viewer = { roles: null, seesUnpublished: false };
    for (const isCounted of [false, true]) {
      const { recordHit } = await search.searchCounted(
        { ...request, sort: "relevance", isCounted },
        viewer,
      );
      recordHit();
    }
    assert.equal((await search.analytics()).totalSearches, 2);
  });

  it("uses the engine in the configuration", async () => {
    await boot({
      extraPlugins: [bringing(engine({}), false)],
      settings: { system: { search: { engine: "other" } } },
    });
    assert.equal(site.site.use("search").state().engine, "other");
  });

  it("fails at startup for an unregistered engine, and names the registered ones", async () => {
    await assert.rejects(boot({ settings: { system: { search: { engine: "lumr" } } } }), /builtin/);
    await boot();
  });

  const BROKEN: readonly (readonly [title: string, search: SearchEngine["search"]])[] = [
    [
      "throws",
      () => {
        throw new Error("disk on fire");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk on fire"))],
    ["hangs", () => new Promise(() => undefined)],
    ["hangs in another context", () => runInNewContext("new Promise(() => undefined)")],
    ...[
      "null",
      "1",
      "[]",
      "{}",
      '{"total":1}',
      '{"total":"many","hits":[]}',
      '{"total":-1,"hits":[]}',
      '{"total":1,"hits":[null]}',
      '{"total":1,"hits":[{"route":1,"score":1}]}',
      '{"total":1,"hits":[{"route":"/pear","score":null}]}',
      '{"total":1,"hits":[{"route":"/pear","score":1e999}]}',
    ].map((value) => [`returns ${value}`, () => JSON.parse(value)] as const),
  ];
  it("responds 503 with Retry-After for a broken engine, stays up, reports it and recovers", async () => {
    const usual = engine({}).search;
    let current = usual;
    await boot({
      extraPlugins: [bringing(engine({ search: (query) => current(query) }))],
      settings: { system: { search: { timeout_ms: 100 } } },
    });
    const { state } = site.site.use("search");
    for (const [title, search] of BROKEN) {
      current = search;
      const response = await apple();
      assert.equal(response.status, 503, title);
      assert.ok(Number(response.headers.get("retry-after")) > 0);
      assert.doesNotMatch(await response.text(), /fire/);
      assert.equal(state().status, "failing", title);
      assert.equal((await site.fetch("/api/pages")).status, 200);
      current = usual;
      assert.equal((await site.fetch(`/api/search?q=${encodeURIComponent(title)}`)).status, 200);
      assert.equal(state().error, null, title);
    }
  });

  it("names engine, plugin, member and field of a wrong value in its state and in the log", async () => {
    const log = new RecordedLog();
    const search = () => JSON.parse(`{"total":1,"hits":[{"route":"/pear"}]}`);
    const suggest = () => JSON.parse(`{"0":"pear"}`);
    await boot({ extraPlugins: [bringing(engine({ search, suggest }))], log: log.logger });
    const { state } = site.site.use("search");
    const who = 'of the engine "other" of plugin "other-engine" failed: it returned a wrong value';
    for (const [path, error] of [
      [
        "/api/search?q=apple",
        `\`search\` ${who}: hits.0.score: expected a number, received nothing`,
      ],
      [
        "/api/search/suggest?q=pea",
        `\`suggest\` ${who}: expected a list, received an object with 0`,
      ],
    ] as const) {
      assert.equal((await site.fetch(path)).status, 503);
      assert.equal(state().error?.split(";")[0], error);
      const [refused] = log.of("request.refused").slice(-1);
      assert.match(String(refused?.fields["cause"]), /^ERR_SEARCH_ENGINE: `/);
      assert.ok(String(refused?.fields["cause"]).includes(error));
    }
  });

  it("responds 503 when the engine cannot explain a hit", async () => {
    const explain = () => JSON.parse(`{"score":"high"}`);
    await boot({ extraPlugins: [bringing(engine({ explain }))] });
    const filters = { taxonomy: {}, facets: {} };
    const request = { text: "apple", filters, sort: "relevance", limit: 5, offset: 0, lang: null };
    const asked = site.site
      .use("search")
      .search(
        { ...request, sort: "relevance", explain: true },
        { roles: null, seesUnpublished: false },
      );
    await assert.rejects(asked, { status: 503 });
    assert.match(
      site.site.use("search").state().error ?? "",
      /`explain` of .* score: expected a num/,
    );
  });

  it("stops calling an engine that hangs repeatedly", async () => {
    let asked = 0;
    const search = (): Promise<never> => new Promise(() => void (asked += 1));
    await boot({
      extraPlugins: [bringing(engine({ search }))],
      settings: { system: { search: { timeout_ms: 100 } } },
    });
    await Promise.all(Array.from({ length: 40 }, apple));
    assert.ok(asked <= 16, `asked ${asked} times`);
  });

  it("responds 503 while there is no index, and recovers when a build succeeds", async () => {
    let fails = true;
    const build = async (): Promise<void> => {
      if (fails) throw new Error("no room");
    };
    const log = new RecordedLog();
    await boot({ extraPlugins: [bringing(engine({ build }))], log: log.logger });
    assert.equal((await apple()).status, 503);
    const [failed] = log.of("search.failed");
    assert.deepEqual(
      [failed?.fields["engine"], failed?.fields["enginePlugin"], failed?.fields["error"]],
      ["other", "other-engine", "no room"],
    );
    const { code, slot, member, at, fix } = failed?.fields ?? {};
    assert.deepEqual([code, slot, member], ["ERR_ENGINE_FAILED", "search", "build"]);
    assert.match(String(at), /service\.test\.ts:\d+:\d+$/);
    assert.match(String(fix), /correct the engine/);
    assert.equal((await apple()).status, 503);
    const { error, builtAt } = site.site.use("search").state();
    assert.deepEqual([error, builtAt], ["no room", null]);
    assert.doesNotMatch(await (await apple()).text(), /is being built/);
    fails = false;
    await site.site.use("search").rebuild();
    assert.equal((await apple()).status, 200);
  });

  it("serves pages while the first index is built, and searches wait for it", async () => {
    let [builds, finish] = [0, (): void => undefined];
    const built = new Promise<void>((resolve) => (finish = resolve));
    const build = (): Promise<void> => {
      builds += 1;
      return built;
    };
    await boot({ extraPlugins: [bringing(engine({ build }))] });
    assert.equal((await site.fetch("/api/pages/apple")).status, 200);
    const searches = [apple(), apple()];
    await until(() => builds > 0);
    assert.equal(site.site.use("search").state().status, "building");
    assert.equal((await site.fetch("/api/pages/apple")).status, 200);
    finish();
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    assert.deepEqual([statuses, builds], [[200, 200], 1]);
  });

  it("builds a new index when the engine cannot load that of the last run", async () => {
    const loading = {
      build: async () => void (builds += 1),
      update: async () => undefined,
      save: async () => Buffer.from("state"),
      load: JSON.parse.bind(null, `"yes"`) as () => Promise<boolean>,
    };
    let builds = 0;
    const folder = await boot({ extraPlugins: [bringing(engine(loading))] });
    assert.equal((await apple()).status, 200);
    await folder.site.close();
    const log = new RecordedLog();
    const second = await bootSite({
      plugins: ["content", "markdown", "search", "pages", "health"],
      root: folder.root,
      extraPlugins: [bringing(engine(loading))],
      log: log.logger,
    });
    try {
      assert.equal((await second.fetch("/api/search?q=apple")).status, 200);
      assert.equal(builds, 2);
      const [line] = log.of("search.snapshot_not_loaded");
      const { enginePlugin, member, code, error } = line?.fields ?? {};
      assert.deepEqual([enginePlugin, member, code], ["other-engine", "load", "ERR_ENGINE_VALUE"]);
      assert.match(String(error), /expected a boolean, received "yes"/);
    } finally {
      await second.close();
    }
  });

  it("responds 503 when the engine does not end an update that a scheduled page needs", async () => {
    const clock = { at: Date.parse("2026-03-01T00:00:00Z"), now: () => clock.at };
    let hangs = false;
    const update = (): Promise<void> =>
      hangs ? new Promise<void>(() => undefined) : Promise.resolve();
    await boot({
      extraPlugins: [bringing(engine({ update }))],
      clock,
      files: {
        ...files,
        "content/03.fig/default.md": "---\npublish_date: 2026-03-02\n---\n# Fig\n\nAn apple.",
      },
      settings: { system: { search: { timeout_ms: 100 } } },
    });
    assert.equal((await apple()).status, 200);
    hangs = true;
    clock.at = Date.parse("2026-03-03T00:00:00Z");
    assert.equal((await apple()).status, 503);
    assert.equal((await site.fetch("/api/pages/apple")).status, 200);
  });

  it("keeps the old index when a later build fails", async () => {
    let fails = false;
    const build = async (): Promise<void> => {
      if (fails) throw new Error("no room");
    };
    const clock = { at: 10_000, now: () => clock.at };
    await boot({ extraPlugins: [bringing(engine({ build }))], clock });
    assert.equal((await apple()).status, 200);
    fails = true;
    clock.at = 20_000;
    await site.site.use("search").rebuild();
    assert.equal((await apple()).status, 200);
    const { status, builtAt } = site.site.use("search").state();
    assert.deepEqual([status, builtAt], ["failing", 10_000]);
  });

  it("drops unknown routes and subtracts them from the total", async () => {
    const search = (): ReturnType<SearchEngine["search"]> => ({
      total: 3,
      hits: [
        { route: "/nowhere", score: 2 },
        { route: "/pear", score: 1 },
      ],
    });
    await boot({ extraPlugins: [bringing(engine({ search }))] });
    const { items, total } = (await (await apple()).json()) as { items: unknown[]; total: number };
    assert.deepEqual([items.length, total], [1, 2]);
  });

  it("rebuilds an engine without update when content changes", async () => {
    const built: string[][] = [];
    const build: SearchEngine["build"] = async (documents) => {
      const routes: string[] = [];
      for await (const { route } of documents) routes.push(route);
      built.push(routes);
    };
    await boot({ extraPlugins: [bringing(engine({ build }))] });
    await site.site.use("content").apply([{ op: "delete", path: "02.pear/default.md" }]);
    await apple();
    assert.deepEqual(built.at(-1), ["/"]);
  });

  it("starts with the saved index and applies later changes", async () => {
    await boot();
    const { root } = site;
    await site.site.close();
    await site.write("content/03.fig/default.md", "# Fig\n\nNo apple either.");
    await site.write("content/01.apple/default.md", "# Quince\n\nSomething else.");
    const again = await bootSite({
      root,
      plugins: ["content", "markdown", "search"],
      env: { SITE_ENV: "production" },
    });
    const { items } = (await (await again.fetch("/api/search?q=apple")).json()) as {
      items: { route: string }[];
    };
    assert.deepEqual(items.map(({ route }) => route).sort(), ["/fig", "/pear"]);
    await again.close();
  });

  it("works when the saved index is damaged", async () => {
    await boot();
    const { root } = site;
    await site.site.close();
    for (const file of ["search-index.bin", "search-index.json"])
      await site.write(`.dune/cache/${file}`, "{broken");
    const again = await bootSite({
      root,
      plugins: ["content", "markdown", "search"],
      env: { SITE_ENV: "production" },
    });
    assert.equal(
      ((await (await again.fetch("/api/search?q=apple")).json()) as { total: number }).total,
      2,
    );
    await again.close();
  });
});
