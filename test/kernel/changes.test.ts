import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { ChangeFeed } from "../../kernel/changes/change-feed.js";
import { announcesForRoot } from "../../kernel/engines/kernel-engines.js";
import type { Change, ChangeBatch } from "../../kernel/contracts.js";
import { RecordedLog } from "#lib/testing";
import { testClock } from "#testing";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { deferred } from "../support/deferred.js";
import { until } from "../support/until.js";

describe("site.changes", () => {
  let log = new RecordedLog();
  let dropped: string[][];
  let feed: ChangeFeed;
  const clock = testClock();
  const create = (maxRemembered?: number): ChangeFeed =>
    new ChangeFeed({
      clock,
      log: log.logger,
      cache: {
        invalidate: (tags) => void dropped.push([...tags]),
        clear: () => void dropped.push(["everything"]),
      },
      ...(maxRemembered !== undefined && { maxRemembered }),
    });
  const batch = (...tags: string[]) => ({ changes: [], tags: new Set(tags) });
  beforeEach(() => {
    log = new RecordedLog();
    dropped = [];
    feed = create();
  });

  it("drops cached values and runs `react` listeners before `publish` returns", () => {
    const order: string[] = [];
    feed.react("index", () => void order.push(`index after ${dropped.length} drop`));
    feed.listen("history", () => void order.push("history"));
    void feed.publish(batch("nav"));
    assert.deepEqual(order, ["index after 1 drop"]);
    assert.deepEqual(dropped, [["nav"]]);
  });

  it("drops all cached values when a batch says so", () => {
    void feed.publish({ changes: [], tags: null });
    assert.deepEqual(dropped, [["everything"]]);
  });

  it("passes transient changes to `react` listeners only, and keeps none of them", async () => {
    const seen: string[] = [];
    feed.react("presence", ({ isTransient }) => void seen.push(`react ${isTransient}`));
    feed.listen("history", () => void seen.push("history"));
    const { cursor } = await feed.publish(batch());
    await feed.publish({ ...batch(), isTransient: true });
    assert.deepEqual(seen, ["react false", "history", "react true"]);
    assert.deepEqual([feed.cursor, feed.since(cursor)], [cursor, []]);
  });

  it("awaits `listen` listeners in order, and batches one after the other", async () => {
    const gate = deferred<void>();
    const order: string[] = [];
    const note = (name: string) => async (one: ChangeBatch) => {
      if (name === "history" && order.length === 0) await gate.promise;
      order.push(`${name} ${[...(one.tags ?? [])].join()}`);
    };
    feed.listen("history", note("history"));
    feed.listen("webhooks", note("webhooks"));
    const both = Promise.all([feed.publish(batch("1")), feed.publish(batch("2"))]);
    gate.resolve();
    await both;
    assert.deepEqual(order, ["history 1", "webhooks 1", "history 2", "webhooks 2"]);
  });

  it("rejects when a `listen` listener fails, after the others ran, and continues with the next batch", async () => {
    const seen: string[] = [];
    feed.listen("broken", ({ tags }) => {
      if (tags?.has("1")) throw new Error("disk full");
    });
    feed.listen("other", ({ tags }) => void seen.push(...(tags ?? [])));
    await assert.rejects(feed.publish(batch("1")), { message: "disk full" });
    await feed.publish(batch("2"));
    assert.deepEqual(seen, ["1", "2"]);
    assert.equal(log.of("changes.listener_failed")[0]?.fields["listener"], "broken");
  });

  it("logs a `react` listener that throws and calls the others", () => {
    let called = 0;
    feed.react("broken", () => {
      throw new Error("no");
    });
    feed.react("other", () => void (called += 1));
    void feed.publish(batch());
    assert.equal(called, 1);
    assert.equal(log.of("changes.listener_failed").length, 1);
  });

  it("returns the batches after a cursor, and responds 410 when they are no longer stored", async () => {
    feed = create(2);
    assert.deepEqual([feed.cursor, feed.since("")], ["", []]);
    const first = await feed.publish(batch("1"));
    const second = await feed.publish(batch("2"));
    assert.ok(second.cursor > first.cursor);
    assert.deepEqual(feed.since(first.cursor), [second]);
    assert.deepEqual(feed.since(""), [first, second]);
    assert.deepEqual(feed.since(second.cursor), []);
    await feed.publish(batch("3"));
    for (const cursor of [first.cursor, "", "unknown"]) {
      assert.throws(() => feed.since(cursor), { code: "ERR_CHANGES_GONE", status: 410 });
    }
  });

  it("remembers fewer batches when they are large, and the newest one always", async () => {
    const change = { kind: "page", key: "a.md", op: "delete", before: null, after: null } as const;
    const large = { ...batch(), changes: Array.from({ length: 15_000 }, () => change) };
    const first = await feed.publish(batch());
    const second = await feed.publish(large);
    assert.deepEqual(feed.since(first.cursor), [second]);
    const third = await feed.publish(large);
    assert.throws(() => feed.since(first.cursor), { code: "ERR_CHANGES_GONE" });
    assert.equal(feed.cursor, third.cursor);
  });

  it("carries the actor and the message", async () => {
    const actor = { id: "1", name: "Ann", email: "annexample.org" };
    const sent = await feed.publish({ ...batch(), actor, message: "fix a typo" });
    assert.deepEqual([sent.actor, sent.message, sent.at], [actor, "fix a typo", clock.now()]);
    assert.equal((await feed.publish(batch())).actor, null);
  });

  describe("its journal, without a store", () => {
    const page = (key: string): Change => {
      const change = { kind: "page", key, op: "delete", before: null, after: null } as const;
      return change;
    };
    const publish = (...keys: string[]) =>
      feed.publish({ changes: keys.map(page), tags: new Set(["nav"]), actor, message: "why" });
    const actor = { id: "1", name: "Ann", email: "ann@example.org" };
    const keysAfter = async (cursor: string, limit = 10): Promise<(string | undefined)[]> => {
      const { batches } = await feed.journal.read(cursor, limit);
      return batches.map(({ changes }) => changes[0]?.key);
    };
    beforeEach(() => {
      feed.journal.keep("page", {
        pack: ({ key }) => (key === "secret.md" ? null : { before: null, after: null }),
        unpack: ({ key, op }) => ({ kind: "page", key, op, before: null, after: null }),
      });
    });

    it("stores the changes of the kept kinds until the process ends, without addresses and tags", async () => {
      const { journal } = feed;
      assert.equal(journal.seen, "");
      const start = await journal.cursor();
      assert.deepEqual([journal.seen, await journal.cursor()], [start, start]);
      await publish("a.md", "secret.md");
      await publish("secret.md");
      await feed.publish(batch());
      const { batches, more } = await journal.read(start, 10);
      assert.equal(more, false);
      assert.deepEqual(batches, [
        {
          cursor: journal.seen,
          at: clock.now(),
          changes: [page("a.md")],
          actor: { ...actor, email: "" },
          tags: new Set(),
          message: "",
          origin: null,
          isFound: false,
          isTransient: false,
        },
      ]);
      assert.deepEqual(await journal.read(journal.seen, 10), { batches: [], more: false });
    });

    it("is read in pages, and responds 410 to a cursor that it does not have", async () => {
      const start = await feed.journal.cursor();
      for (const key of ["a.md", "b.md", "c.md"]) await publish(key);
      const first = await feed.journal.read(start, 2);
      assert.deepEqual([first.batches.length, first.more], [2, true]);
      assert.deepEqual(await keysAfter(first.batches.at(-1)?.cursor ?? ""), ["c.md"]);
      const other = await create().journal.cursor();
      for (const cursor of [other, "1-00000000"]) {
        await assert.rejects(keysAfter(cursor), { code: "ERR_CHANGES_GONE", status: 410 });
      }
    });

    it("is that of the active store, which gets each announced batch once", async () => {
      const calls: string[] = [];
      const note = (call: string, isShared: boolean): ChangeFeed =>
        new ChangeFeed({
          clock,
          log: log.logger,
          cache: { invalidate: () => undefined, clear: () => undefined },
          announcer: () => ({ announce: async () => null }),
          announces: async () => call !== "idle",
          isForeign: (origin) => origin === "b",
          store: () => ({
            isShared,
            seen: "7",
            append: async ({ origin }) => void calls.push(`${call} append ${origin}`),
            missed: async (changes) => {
              calls.push(`${call} missed ${changes?.length}`);
              return changes ?? [];
            },
            cursor: async () => "8",
            read: async () => ({ batches: [], more: true }),
            close: async () => void calls.push(`${call} close`),
          }),
        });
      for (const one of [note("own", false), note("shared", true), note("idle", false)]) {
        one.journal.keep("page", { pack: () => null, unpack: () => null });
        for (const origin of [undefined, "b", "c"]) {
          const changes = [page("a.md")];
          await one.publish({ changes, tags: null, ...(origin !== undefined && { origin }) });
        }
        await one.journal.missed([]);
        await one.journal.missed([page("a.md")]);
        const { journal } = one;
        assert.deepEqual([journal.seen, await journal.cursor()], ["7", "8"]);
        assert.deepEqual(await journal.read("8", 1), { batches: [], more: true });
        await one.close();
      }
      assert.deepEqual(calls, [
        "own append null",
        "own append b",
        "own missed 1",
        "own close",
        "shared append null",
        "shared missed 1",
        "shared close",
        "idle append b",
        "idle close",
      ]);
    });
  });

  describe("with other nodes", () => {
    const page = (key: string): Change => {
      const change = { kind: "page", key, op: "delete", before: null, after: null } as const;
      return change;
    };
    const announced: boolean[] = [];
    const splitting = (): ChangeFeed =>
      new ChangeFeed({
        clock,
        log: log.logger,
        cache: { invalidate: () => undefined, clear: () => undefined },
        announcer: () => ({
          announce: async (given) => {
            announced.push(given.isFound);
            const [own, ...others] = given.changes;
            return [
              { ...given, changes: own === undefined ? [] : [own] },
              { ...given, changes: others, origin: "b" },
            ];
          },
        }),
      });

    it("splits a batch by the node that announces it, and resolves with the own part", async () => {
      const feed = splitting();
      const heard: unknown[] = [];
      feed.listen("outbox", ({ origin, changes }) => {
        heard.push([origin, changes.map(({ key }) => key)]);
      });
      const changes = [page("a.md"), page("b.md")];
      const result = await feed.publish({ changes, tags: new Set(), isFound: true });
      assert.deepEqual(heard, [
        [null, ["a.md"]],
        ["b", ["b.md"]],
      ]);
      assert.deepEqual([result.origin, result.changes.length], [null, 1]);
      assert.deepEqual(announced, [true]);
    });

    it("calls onAnnounce listeners with the own part only, in their place among the others", async () => {
      const feed = splitting();
      const heard: string[] = [];
      feed.listen("first", ({ origin }) => void heard.push(`first ${origin}`));
      feed.onAnnounce("once", ({ changes }) => void heard.push(`once ${changes[0]?.key}`));
      feed.listen("last", ({ origin }) => void heard.push(`last ${origin}`));
      const changes = [page("a.md"), page("b.md")];
      await feed.publish({ changes, tags: new Set(), isFound: true });
      assert.deepEqual(heard, ["first null", "once a.md", "last null", "first b", "last b"]);
    });

    it("passes on a batch of another node as it is", async () => {
      const feed = splitting();
      announced.length = 0;
      const { origin } = await feed.publish({ changes: [], tags: null, origin: "c" });
      assert.equal(origin, "c");
      assert.deepEqual(announced, []);
    });
  });

  describe("without other nodes", () => {
    const undecided = (announces: () => Promise<boolean>): ChangeFeed =>
      new ChangeFeed({
        clock,
        log: log.logger,
        announces,
        cache: { invalidate: () => undefined, clear: () => undefined },
        announcer: () => ({ announce: async () => null }),
      });

    it("asks whether this process announces, only for onAnnounce listeners of own batches", async () => {
      let asked = 0;
      const heard: string[] = [];
      for (const isHere of [true, false]) {
        const feed = undecided(async () => {
          asked += 1;
          return isHere;
        });
        feed.listen("all", () => void heard.push("all"));
        await feed.publish(batch());
        assert.equal(asked, isHere ? 0 : 1);
        feed.onAnnounce("once", () => void heard.push("once"));
        await feed.publish(batch());
        await feed.publish({ ...batch(), origin: "b" });
      }
      assert.equal(asked, 2);
      const expected = ["all", "all", "once", "all", "all", "all", "all"];
      assert.deepEqual(heard, expected);
    });

    it("announces in the process that leads, and in every server that shares its leader", async () => {
      const other = { isShared: false, claim: async () => false };
      assert.equal(await announcesForRoot(other, true), false);
      assert.equal(await announcesForRoot({ ...other, claim: async () => true }, true), true);
      assert.equal(await announcesForRoot({ ...other, isShared: true }, true), true);
      assert.equal(await announcesForRoot({ ...other, isShared: true }, false), false);
    });

    it("announces a file that two sites of one root find once, without any job queue", async () => {
      const told: string[] = [];
      const recorder = definePlugin({
        name: "recorder",
        version: "1.0.0",
        requires: ["content"],
        setup: ({ changes: feed }) =>
          feed.onAnnounce("recorder", ({ changes }) => {
            const pages = changes.filter(({ kind }) => kind === "page");
            told.push(...pages.map(({ op, key }) => `${op} ${key}`));
          }),
      });
      const options = { plugins: ["content", "jobs", "markdown"], extraPlugins: [recorder] };
      const first = await bootSite(options);
      const second = await bootSite({ ...options, root: first.root });
      const knows = ({ site }: TestSite): boolean =>
        site.use("content").generation().bySource.has("01.new/default.md");
      try {
        await first.write("content/01.new/default.md", "# New\n");
        await until(() => knows(first) && knows(second) && told.length > 0);
        await second.site
          .use("content")
          .apply([{ op: "write", path: "01.new/default.md", content: "# Newer\n" }]);
        await until(() => told.length > 1);
      } finally {
        await second.close();
        await first.close();
      }
      assert.deepEqual(told, ["create 01.new/default.md", "update 01.new/default.md"]);
    });
  });
});
