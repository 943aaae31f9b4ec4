import assert from "node:assert/strict";
import { Announcements } from "../../../plugins/cluster/announcements.js";
import type { Notice, Version } from "../../../plugins/cluster/transport.js";

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
});
