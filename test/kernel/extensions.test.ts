import assert from "node:assert/strict";
import { expectKind, type ExtensionRules, type Extensions } from "#kernel";
import { ExtensionLists } from "../../kernel/extensions.js";
import { RecordedLog } from "#lib/testing";

type PageHead = Extensions["pageHead"];
const req = {} as Parameters<PageHead>[0];

describe("ExtensionLists", () => {
  function lists() {
    const log = new RecordedLog();
    let now = 0;
    const made = new ExtensionLists(log.logger, () => now);
    const open = () =>
      made.forPlugin("render", 5).open("pageHead", {
        check: expectKind("function"),
        result: expectKind("string"),
      });
    const failures = () => log.of("extension.failed").map(({ fields }) => fields);
    return { made, open, failures, pass: (ms: number) => void (now += ms) };
  }

  it("takes contributions before and after the list is open, in the order of the plugins", () => {
    const { made, open } = lists();
    made.forPlugin("late", 9).add("pageHead", () => "c");
    const list = open();
    made.forPlugin("early", 1).add("pageHead", () => "a");
    made.forPlugin("late", 9).add("pageHead", () => "d");
    assert.deepEqual(
      list.each((part) => part(req)),
      ["a", "c", "d"],
    );
    assert.deepEqual(made.list(), [
      { list: "pageHead", plugin: "render", from: ["early", "late", "late"] },
    ]);
  });

  it("names plugin and list for a contribution of another kind, whenever the list opens", () => {
    const expected = {
      code: "ERR_EXTENSION_INVALID",
      message:
        'plugin "mine" adds to the extension list "pageHead": expected a function, received "<b>"',
    };
    const before = lists();
    before.made.forPlugin("mine", 1).add("pageHead", "<b>" as never);
    assert.throws(before.open, expected);
    const after = lists();
    after.open();
    assert.throws(() => after.made.forPlugin("mine", 1).add("pageHead", "<b>" as never), expected);
  });

  const broken: readonly (readonly [what: string, part: () => unknown, error: RegExp])[] = [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["returns another kind", () => 42, /expected a string, received 42/],
    ["returns nothing", () => undefined, /expected a string, received nothing/],
  ];
  for (const [what, part, error] of broken) {
    it(`leaves out one that ${what}, and switches it off for a minute after five failures`, () => {
      const { made, open, failures, pass } = lists();
      const list = open();
      made.forPlugin("broken", 1).add("pageHead", part as PageHead);
      made.forPlugin("good", 2).add("pageHead", () => "ok");
      const call = () => list.each((one) => one(req));
      for (let at = 0; at < 8; at += 1) assert.deepEqual(call(), ["ok"]);
      assert.equal(failures().length, 5);
      const [first] = failures();
      assert.deepEqual([first?.["plugin"], first?.["list"]], ["broken", "pageHead"]);
      assert.match(JSON.stringify(first), error);
      assert.deepEqual(
        made
          .forPlugin("health", 0)
          .stats()
          .map(({ plugin, errors, open: isOff }) => [plugin, errors, isOff]),
        [
          ["broken", 5, true],
          ["good", 0, false],
        ],
      );
      pass(60_001);
      call();
      assert.equal(failures().length, 6);
    });
  }

  it("waits for each, and leaves out one that rejects", async () => {
    const { made, failures } = lists();
    const list = made.forPlugin("markdown", 1).open("mdxComponents", {
      check: expectKind("function"),
      result: expectKind("object"),
    });
    made.forPlugin("a", 2).add("mdxComponents", async () => ({ A: 1 }));
    made.forPlugin("b", 3).add("mdxComponents", () => Promise.reject(new Error("no")));
    made.forPlugin("c", 4).add("mdxComponents", async () => ({ C: 1 }));
    assert.deepEqual(await list.eachAsync((load) => load()), [{ A: 1 }, { C: 1 }]);
    assert.equal(failures().length, 1);
  });

  it("passes a value through all, and past one that fails", () => {
    const { made } = lists();
    const list = made.forPlugin("content", 1).open("redirects", {
      check: expectKind("function"),
      result: expectKind("object"),
    });
    made.forPlugin("a", 2).add("redirects", (before) => ({ ...before, "/a": "/x" }));
    made.forPlugin("b", 3).add("redirects", () => 42 as never);
    made.forPlugin("c", 4).add("redirects", (before) => ({ ...before, "/c": "/y" }));
    assert.deepEqual(
      list.chain({}, (change, before) => change(before)),
      { "/a": "/x", "/c": "/y" },
    );
  });

  it("rejects the same key of two plugins in a keyed list, with both names", () => {
    const { made } = lists();
    const source = { "@recent": () => [] };
    made.forPlugin("a", 1).add("collectionSources", source);
    made.forPlugin("content", 0).open("collectionSources", {
      check: expectKind("object"),
      isKeyed: true,
    });
    assert.throws(() => made.forPlugin("b", 2).add("collectionSources", source), {
      code: "ERR_EXTENSION_CONFLICT",
      message: /plugins "a" and "b" both add "@recent"/,
    });
  });

  describe("a keyed list", () => {
    function keyed(rules: Partial<ExtensionRules> = {}) {
      const { made, failures, pass } = lists();
      const open = () =>
        made.forPlugin("pages", 1).open("pageIncludes", {
          check: expectKind("object"),
          isKeyed: true,
          ...rules,
        });
      const add = (plugin: string, includes: object) =>
        made.forPlugin(plugin, 2).add("pageIncludes", includes as Extensions["pageIncludes"]);
      const stats = () => made.forPlugin("health", 0).stats();
      return { open, add, failures, stats, pass };
    }

    it("finds the parts of all plugins by key, whenever they were added", async () => {
      const { open, add } = keyed();
      add("a", { words: 1 });
      const list = open();
      add("b", { links: 2, images: 3 });
      assert.deepEqual(list.keys, ["words", "links", "images"]);
      const links = list.part("links");
      assert.deepEqual([links?.plugin, links?.key], ["b", "links"]);
      assert.equal(await links?.call(Number, () => -1), 2);
      assert.equal(list.part("constructor"), undefined);
    });

    for (const [what, work, error] of [
      ["throws", () => assert.fail("no moon"), /no moon/],
      ["rejects", () => Promise.reject(new Error("no moon")), /no moon/],
      ["hangs", () => new Promise(() => undefined), /did not finish within 20 ms/],
      ["gives another kind", () => 42, /expected a string, received 42/],
    ] as const) {
      it(`replaces what a part gives that ${what}, and switches off only this part`, async () => {
        const { open, add, failures, stats, pass } = keyed({
          result: expectKind("string"),
          limitMs: 20,
        });
        add("mine", { good: 1, bad: 2 });
        const list = open();
        const call = (key: string, by: () => unknown) => list.part(key)?.call(by, () => "failed");
        for (let at = 0; at < 6; at += 1) assert.equal(await call("bad", work), "failed");
        assert.equal(failures().length, 5);
        const [first] = failures();
        assert.deepEqual(
          [first?.["plugin"], first?.["list"], first?.["key"]],
          ["mine", "pageIncludes", "bad"],
        );
        assert.match(String(first?.["error"]), error);
        assert.equal(await call("good", () => "ok"), "ok");
        assert.deepEqual(
          stats().map(({ key, errors, open: isOff }) => [key, errors, isOff]),
          [
            ["good", 0, false],
            ["bad", 5, true],
          ],
        );
        assert.deepEqual(list.keys, ["good", "bad"]);
        pass(60_001);
        assert.equal(await call("bad", () => "again"), "again");
      });
    }

    it("names a plugin that adds a key twice, and the fix of a wrong contribution", () => {
      const { open, add } = keyed({ fix: "add objects" });
      open();
      add("mine", { words: 1 });
      assert.throws(() => add("mine", { words: 1 }), {
        code: "ERR_EXTENSION_CONFLICT",
        message: 'plugin "mine" adds "words" twice to the extension list "pageIncludes"',
      });
      assert.throws(() => add("mine", [] as object), {
        code: "ERR_EXTENSION_INVALID",
        fix: "add objects",
      });
    });
  });

  it("reports a name that is almost that of a list, and no name of a list that is not selected", () => {
    const { made, open } = lists();
    made.forPlugin("far", 1).add("collectionSources", {});
    open();
    made.assertKnown([]);
    made.forPlugin("near", 1).add("pageHaed" as "pageHead", () => "");
    assert.throws(() => made.assertKnown([]), {
      code: "ERR_EXTENSION_UNKNOWN",
      message: /plugin "near"/,
      fix: 'did you mean "pageHead"?',
    });
  });

  it("takes nothing after the boot, and opens a list once", () => {
    const { made, open } = lists();
    open();
    assert.throws(open, { code: "ERR_EXTENSION_OPEN" });
    made.seal();
    assert.throws(() => made.forPlugin("late", 1).add("pageHead", () => ""), {
      code: "ERR_SEALED",
    });
  });
});
