import assert from "node:assert/strict";
import type { ChangeBatch, Hooks, NewChangeBatch } from "#kernel";
import { runAtOnce } from "#lib/concurrency";
import {
  Announcer,
  type AnnouncerOptions,
  pageEvents,
  toBatches,
} from "../../../../plugins/content/write/announce.js";
import { FOUND_AT_ONCE } from "../../../../plugins/content/write/found-pages.js";
import { changesBetween, scheduledChanges } from "../../../../plugins/content/write/changes.js";
import type { StoreChange } from "../../../../plugins/content/index/store-options.js";
import type { Write } from "../../../../plugins/content/index/update-queues.js";
import { deferred, type Deferred } from "../../../support/deferred.js";
import { until } from "../../../support/until.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { indexOf, type Sources } from "../../../support/content/content-tree.js";

function changeOf(first: Sources, second: Sources, writes: readonly Write[] = []): StoreChange {
  const before = indexOf(first);
  const after = indexOf(second, {}, before);
  return { changes: runAtOnce(changesBetween(before, after, ["p"])), before, after, writes };
}
const shown = (name: string, data: object): string => `${name} ${Object.values(data).join(" ")}`;

/** The hooks that a change fires, each as its name and what it says. */
function announced(first: Sources, second: Sources): string[] {
  return toBatches(changeOf(first, second))
    .flatMap(pageEvents)
    .map(({ hook, data }) => shown(hook, data));
}
function writeOf(message: string, touched: readonly string[]): Write {
  const release = (): void => undefined;
  return { touched, folders: [], changes: [], actor: null, message, release };
}

describe("page events", () => {
  const page = "---\ntitle: A\n---\nbody";

  it("treat a temporarily unreadable file as neither deleted nor new", () => {
    const broken = "---\ntitle: A\n";
    assert.deepEqual(announced({ "a.md": page }, { "a.md": broken }), []);
    assert.deepEqual(announced({ "a.md": broken }, { "a.md": page }), ["onPageUpdate a.md A"]);
  });

  it("report a scheduled page that appears", () => {
    const index = indexOf({ "a.md": page });
    const told: string[] = [];
    const announcer = announcerOf({
      hooks: hooksInto(told),
      feed: feedWith(async () => undefined),
    });
    announcer.due(scheduledChanges(index, index.entries));
    return announcer.settled().then(() => {
      assert.equal(told.at(-1), "onPageUpdate a.md A");
    });
  });

  it("fire in order after the change feed, even after its errors", async () => {
    const told: string[] = [];
    const gates = [deferred<void>(), deferred<void>()];
    let published = 0;
    const feed = feedWith(async () => {
      published += 1;
      await gates[published - 1]?.promise;
      if (published === 2) throw new Error("disk full");
    });
    const announcer = announcerOf({ hooks: hooksInto(told), feed });
    announcer.changed(changeOf({}, { "a.md": page }));
    announcer.changed(changeOf({ "a.md": page }, {}));
    assert.equal(published, 2);
    gates[1]?.resolve();
    await Promise.resolve();
    assert.deepEqual(told, []);
    gates[0]?.resolve();
    await announcer.settled();
    assert.deepEqual(
      told.map((text) => /^\w+/.exec(text)?.[0]),
      ["onRebuild", "onPageCreate", "onRebuild", "onPageDelete"],
    );
  });
});

describe("batches for the change feed", () => {
  const page = "---\ntitle: A\n---\nbody";
  const summary = ({ changes, tags, message }: NewChangeBatch): unknown[] => [
    message ?? "",
    changes.map(({ op, key }) => `${op} ${key}`),
    [...(tags ?? [])].filter((tag) => /^(?:page|media):/.test(tag)),
  ];

  it("are one for all changes found on disk", () => {
    const batches = toBatches(changeOf({ "a.md": page }, { "b.md": page, "c.md": page }));
    assert.deepEqual(batches.map(summary), [
      [
        "",
        ["create b.md", "create c.md", "delete a.md"],
        ["page:b.md", "page:c.md", "page:a.md", "media:p"],
      ],
    ]);
  });

  it("are one for each of several writes, with its pages and tags, and one for the rest", () => {
    const after = { "a.md": `${page}!`, "b/b.md": page, "c.md": page };
    const writes = [writeOf("first", ["a.md"]), writeOf("second", ["b", "p/pic.png"])];
    const batches = toBatches(changeOf({ "a.md": page }, after, writes));
    assert.deepEqual(batches.map(summary), [
      ["first", ["update a.md"], ["page:a.md"]],
      ["second", ["create b/b.md"], ["page:b/b.md", "media:p"]],
      ["", ["create c.md"], ["page:c.md"]],
    ]);
  });
});

describe("many pages found at once", () => {
  const many = (title: string): Sources =>
    Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`05.tree/p${at}/default.md`, `# ${title} ${at}`]),
    );
  const keysOf = ({ changes }: NewChangeBatch): string[] => changes.map(({ key }) => key);

  /** The batches that were published; each waits for `open`. */
  function heldFeed() {
    const published: NewChangeBatch[] = [];
    const gates: Deferred<void>[] = [];
    const invalidated: string[] = [];
    const feed = {
      publish: async (batch: NewChangeBatch) => {
        published.push(batch);
        const gate = deferred<void>();
        gates.push(gate);
        await gate.promise;
        return feedWith(async () => undefined).publish(batch);
      },
    };
    const cache = { invalidate: (tags: Iterable<string>) => void invalidated.push(...tags) };
    return { announcer: announcerOf({ feed, cache }), published, gates, invalidated };
  }

  it("are announced some at a time, while all are invalidated at once", async () => {
    const { announcer, published, gates, invalidated } = heldFeed();
    announcer.changed(changeOf({}, many("A")));
    assert.equal(published.length, 1);
    assert.ok(invalidated.includes("page:05.tree/p119/default.md"));
    assert.equal(announcer.isIdle, false);
    for (let at = 0; at < 3; at += 1) {
      await until(() => gates.length > at);
      assert.equal(published.length, at + 1);
      gates[at]?.resolve();
    }
    await announcer.drained();
    assert.equal(announcer.isIdle, true);
    assert.deepEqual(
      published.map(({ changes }) => changes.length),
      [FOUND_AT_ONCE, FOUND_AT_ONCE, 20],
    );
    assert.equal(new Set(published.flatMap(keysOf)).size, 120);
    assert.ok(published.every(({ isFound }) => isFound === true));
    const tags = new Set(published.flatMap((batch) => [...(batch.tags ?? [])]));
    assert.deepEqual([...tags].sort(), [...new Set(invalidated)].sort());
    assert.ok((published[0]?.tags?.size ?? 0) < 200);
  });

  it("let a save be announced between them, after the changes that were found to its page", async () => {
    const { announcer, published, gates } = heldFeed();
    announcer.changed(changeOf({}, many("A")));
    const path = "05.tree/p98/default.md";
    announcer.changed(changeOf({ [path]: "# A" }, { [path]: "# B" }, [writeOf("save", [path])]));
    const settled = announcer.settled();
    for (const gate of gates) gate.resolve();
    await settled;
    const [, earlier, save] = published;
    assert.deepEqual(
      [earlier, save].flatMap((batch) => batch && keysOf(batch)),
      [path, path],
    );
    assert.deepEqual([earlier?.isFound, save?.message], [true, "save"]);
    assert.equal(announcer.isIdle, false);
    await drain(announcer, gates);
    assert.equal(published.flatMap(keysOf).filter((key) => key === path).length, 2);
  });

  it("that change again while they wait are announced once, and not at all if they were deleted", async () => {
    const { announcer, published, gates } = heldFeed();
    announcer.changed(changeOf({}, many("A")));
    announcer.changed(changeOf(many("A"), many("B")));
    announcer.changed(changeOf({ "05.tree/p99/default.md": "# B" }, {}));
    await drain(announcer, gates);
    const all = published.flatMap(({ changes }) => changes);
    const of = (at: number): string[] =>
      all
        .filter(({ key }) => key === `05.tree/p${at}/default.md`)
        .map(({ op, after }) => `${op} ${after !== null && "title" in after ? after.title : "-"}`);
    assert.deepEqual(of(0), ["create A 0", "update B 0"]);
    assert.deepEqual(of(97), ["create B 97"]);
    assert.deepEqual(of(99), []);
  });

  async function drain(announcer: Announcer, gates: readonly Deferred<void>[]): Promise<void> {
    let isDrained = false;
    const drained = announcer.drained().then(() => (isDrained = true));
    await until(() => {
      for (const gate of gates) gate.resolve();
      return isDrained;
    });
    await drained;
  }
});

function announcerOf(given: Partial<AnnouncerOptions>): Announcer {
  const cache = { invalidate: () => undefined };
  return new Announcer({
    hooks: fakeHooks(),
    feed: feedWith(async () => undefined),
    cache,
    ...given,
  });
}
function hooksInto(told: string[]): Pick<Hooks, "notify"> {
  return fakeHooks((name, data) => void told.push(shown(name, data)));
}
function feedWith(publish: () => Promise<void>) {
  const batch: ChangeBatch = {
    cursor: "",
    at: 0,
    changes: [],
    tags: null,
    actor: null,
    message: "",
    origin: null,
    isFound: false,
    isTransient: false,
  };
  return {
    publish: ({ changes }: NewChangeBatch) => publish().then(() => ({ ...batch, changes })),
  };
}
