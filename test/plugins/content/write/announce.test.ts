import assert from "node:assert/strict";
import type { ChangeBatch, Hooks, NewChangeBatch } from "#kernel";
import { Announcer, toBatches, pageEvents } from "../../../../plugins/content/write/announce.js";
import { changesBetween, scheduledChanges } from "../../../../plugins/content/write/changes.js";
import type { StoreChange } from "../../../../plugins/content/index/store-options.js";
import type { Write } from "../../../../plugins/content/index/update-queues.js";
import { deferred } from "../../../support/deferred.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { indexOf, type Sources } from "../../../support/content/content-tree.js";

function changeOf(first: Sources, second: Sources, writes: readonly Write[] = []): StoreChange {
  const before = indexOf(first);
  const after = indexOf(second, {}, before);
  return { changes: changesBetween(before, after, ["p"]), before, after, writes };
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
    const announcer = new Announcer(
      hooksInto(told),
      feedWith(async () => undefined),
    );
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
    const announcer = new Announcer(hooksInto(told), feed);
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
