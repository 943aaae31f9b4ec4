import assert from "node:assert/strict";
import type { ChangeBatch } from "#kernel";
import { Announcements } from "../../../plugins/cluster/announcements.js";
import { ClusterAnnouncer } from "../../../plugins/cluster/announcer.js";
import { Sender } from "../../../plugins/cluster/messages.js";
import type {
  Announced,
  Locks,
  Message,
  NodeRecord,
  Notice,
  Version,
} from "../../../plugins/cluster/transport.js";
import { indexOf } from "../../support/content/content-tree.js";

const versionOf = (state: string, exact = `${state}@1`, key = "page:a.md"): Version => ({
  key,
  op: "update",
  state,
  exact,
});
const change = { kind: "file", key: "a.md", op: "update", before: null, after: null } as const;

describe("the announcements of a cluster", () => {
  let now = 0;
  let own: Announcements;
  beforeEach(() => {
    now = 1_000_000;
    own = new Announcements("own#1", () => now);
  });
  const noticeOf = (id: string, notice: Partial<Notice>): Notice => {
    return { id, node: id.slice(0, -2), begun: [], done: [], ...notice };
  };
  const abandoned = (running: string[] = [], since = 0): string[] =>
    own.takeAbandoned(new Set(running), since).map(({ version }) => version.exact);

  it("belong to the node that announces a version", () => {
    own.take(noticeOf("a#1", { begun: [versionOf("x")] }));
    assert.equal(own.findNode(versionOf("x")), "a");
    assert.equal(own.findNode(versionOf("x", "x@2")), "a");
    assert.equal(own.findNode(versionOf("y")), null);
  });

  it("recognise a file that is looked at late, for a minute", () => {
    own.take(noticeOf("a#1", { begun: [versionOf("x"), versionOf("y")] }));
    assert.equal(own.findNode(versionOf("x")), "a");
    // Another save with the text of an earlier version.
    assert.equal(own.findNode(versionOf("x", "x@2")), null);
    now += 60_001;
    assert.equal(own.findNode(versionOf("x")), null);
    assert.equal(own.findNode(versionOf("y")), "a");
  });

  it("of a node that died are completed by the leader, unless it had finished", () => {
    own.take(noticeOf("a#1", { begun: [versionOf("x"), versionOf("z", "z@1", "page:z.md")] }));
    own.take(noticeOf("a#1", { done: [versionOf("z", "z@1", "page:z.md")] }));
    assert.deepEqual(abandoned(), []);
    now += 5_000;
    assert.deepEqual(abandoned(["a#1"]), []);
    assert.deepEqual(abandoned(["a#2"]), ["x@1"]);
    assert.deepEqual(abandoned(["a#2"]), []);
  });

  it("that the leader owed when it died are those of the next one", () => {
    own.leave(versionOf("x"), change, null);
    own.leave(versionOf("y", "y@1", "page:y.md"), change, null);
    own.take(noticeOf("a#1", { begun: [versionOf("x")] }));
    own.take(noticeOf("a#1", { done: [versionOf("x")] }));
    const since = now + 1_000;
    now = since + 4_999;
    assert.deepEqual(abandoned([], since), []);
    now += 1;
    assert.deepEqual(abandoned([], since), ["y@1"]);
  });

  it("are left out when a leader had ten minutes for them", () => {
    own.leave(versionOf("x"), change, null);
    now += 700_000;
    assert.deepEqual(abandoned([], now - 5_000), []);
  });

  it("of this node are its own", () => {
    own.begin([versionOf("x")], "own");
    own.take(noticeOf("own#1", { begun: [versionOf("x")] }));
    now += 60_000;
    assert.deepEqual(abandoned(), []);
    assert.equal(own.findNode(versionOf("x")), "own");
  });

  it("that a node could not claim in time pass to the leader, unless a node has made them", () => {
    own.take(noticeOf("a#1", { begun: [versionOf("x"), versionOf("z", "z@1", "page:z.md")] }));
    own.take(noticeOf("a#1", { left: [versionOf("x"), versionOf("y", "y@1", "page:y.md")] }));
    now += 5_000;
    assert.deepEqual(abandoned(["a#1"]), ["x@1"]);
    own.begin([versionOf("v", "v@1", "page:v.md")], "own");
    own.giveUp(versionOf("v", "v@1", "page:v.md"), change, "own");
    assert.equal(own.findNode(versionOf("v", "v@1", "page:v.md")), null);
    own.take(noticeOf("b#1", { begun: [versionOf("v", "v@1", "page:v.md")] }));
    own.take(noticeOf("b#1", { done: [versionOf("v", "v@1", "page:v.md")] }));
    now += 5_000;
    assert.deepEqual(abandoned(["a#1", "b#1"]), []);
  });
});

describe("a save whose message does not arrive", () => {
  const entry = indexOf({ "a.md": "# A" }).entries[0] ?? null;
  const page = { kind: "page", key: "a.md", op: "create", before: null, after: entry } as const;
  const file = { ...page, kind: "file", after: null } as const;
  const node: NodeRecord = {
    name: "own",
    id: "own#1",
    host: "h",
    pid: 1,
    since: "",
    version: "",
    digest: "",
    content: "",
    isSettled: false,
    cursor: "",
  };
  const batch: ChangeBatch = {
    cursor: "1",
    at: 0,
    changes: [file, page],
    tags: null,
    actor: null,
    message: "",
    origin: null,
    isFound: false,
    isTransient: false,
  };

  it("is recorded by its node, and announced by the leader alone", async () => {
    const sent: (Announced | undefined)[] = [];
    let isUp = false;
    const send = async (_message: Message, notice?: Announced): Promise<string> => {
      if (!isUp) throw new Error("the connection has ended");
      sent.push(notice);
      return "1-a";
    };
    const locks: Locks = {
      holds: () => false,
      tryLock: async () => false,
      lock: async () => false,
      unlock: async () => undefined,
      released: async () => true,
      isFree: async () => true,
    };
    const announcements = new Announcements(node.id, () => 0);
    const sender = new Sender({ send }, node);
    const announcer = new ClusterAnnouncer({
      transport: { locks, readNotices: async () => undefined },
      sender,
      announcements,
      node: () => node,
      leader: () => "other",
      server: null,
    });
    const shown = (parts: readonly ChangeBatch[] | null): unknown =>
      parts?.map(({ origin, changes }) => [origin, changes.map(({ kind }) => kind)]);
    const parts = await announcer.announce(batch);
    assert.deepEqual(shown(parts), [
      [null, ["file"]],
      ["other", ["page"]],
    ]);
    for (const part of parts ?? []) announcer.finished(part);
    isUp = true;
    await sender.retry();
    assert.deepEqual(
      sent.map((notice) => [
        notice?.begun.length,
        notice?.done.length,
        notice?.left?.map(({ key }) => key),
      ]),
      [[0, 0, ["page:a.md"]]],
    );
    assert.deepEqual(shown(await announcer.announce({ ...batch, cursor: "2" })), [
      [null, ["file", "page"]],
    ]);
  });

  it("is waited for by the leader, which may find its file first, and by no other node", async () => {
    let leads = false;
    let isWritten = (): void => undefined;
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const locks: Locks = {
      holds: () => leads,
      tryLock: async () => leads,
      lock: async () => leads,
      unlock: async () => undefined,
      released: () => written.then(() => true),
      isFree: async () => false,
    };
    const announcements = new Announcements(node.id, () => 0);
    const announcer = new ClusterAnnouncer({
      transport: { locks, readNotices: async () => undefined },
      sender: new Sender({ send: async () => "1-a" }, node),
      announcements,
      node: () => node,
      leader: () => (leads ? node.name : "other"),
      server: null,
    });
    const found = { ...batch, changes: [page], isFound: true };
    const origins: unknown[] = [];
    const announce = (): Promise<unknown> =>
      announcer.announce(found).then((parts) => origins.push(parts?.map(({ origin }) => origin)));
    void announce();
    await new Promise(setImmediate);
    assert.deepEqual(origins, [["other"]]);
    leads = true;
    const announced = announce();
    await new Promise(setImmediate);
    assert.deepEqual(origins, [["other"]]);
    isWritten();
    await announced;
    assert.deepEqual(origins, [["other"], [null]]);
  });

  it("is sent behind one message for all that was dropped from caches, which waits for none", async () => {
    const sent: Message[] = [];
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const send = async (message: Message): Promise<string> => {
      sent.push(message);
      await arrived;
      return "1-a";
    };
    const locks: Locks = {
      holds: () => false,
      tryLock: async () => false,
      lock: async () => false,
      unlock: async () => undefined,
      released: async () => true,
      isFree: async () => true,
    };
    const announcer = new ClusterAnnouncer({
      transport: { locks, readNotices: async () => undefined },
      sender: new Sender({ send }, node),
      announcements: new Announcements(node.id, () => 0),
      node: () => node,
      leader: () => "other",
      server: null,
    });
    const told: string[] = [];
    const announce = (name: string, changes: ChangeBatch["changes"]): Promise<unknown> =>
      announcer
        .announce({ ...batch, cursor: name, changes, tags: new Set([name]) })
        .then(() => told.push(name));
    for (const name of ["a", "b", "c"]) void announce(name, []);
    const save = announce("save", [file, page]);
    await new Promise(setImmediate);
    assert.deepEqual(told, ["a", "b", "c"]);
    arrive();
    await save;
    assert.deepEqual(
      sent.map(({ tags }) => tags),
      [["a", "b", "c"], ["save"]],
    );
  });
});
