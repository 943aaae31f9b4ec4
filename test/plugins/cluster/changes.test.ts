import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { HttpError, silentLog } from "#kernel";
import { Announcements } from "../../../plugins/cluster/announcements.js";
import { PostgresTransport } from "../../../plugins/cluster/engines/postgres.js";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { restoreOlder } from "../../support/servers/cluster-stores.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

const TYPE = "title: Boat\nfields:\n  name: { type: text, required: true }\n";

/** False for a 503, after which a client tries again; throws other errors. */
function isDown(error: unknown): boolean {
  assert.ok(error instanceof HttpError && error.status === 503, String(error));
  return false;
}

describe("changes in a cluster", () => {
  let url = "";
  let nodes: Nodes;
  let a: TestNode;
  let b: TestNode;
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    nodes = await clusterNodes(url);
    await nodes.write("content/01.home/default.md", "---\ntitle: Home\n---\n");
  });
  afterEach(() => nodes.close());

  const both = async (options: { own?: boolean } = {}): Promise<void> => {
    a = await nodes.boot("a", options);
    b = await nodes.boot("b", options);
  };
  const save = (node: TestNode, path: string, content: string) =>
    node.site.use("content").apply([{ op: "write", path, content }]);
  const titleOn = (node: TestNode, path: string): string | undefined =>
    node.site.use("content").generation().bySource.get(path)?.title;
  const all = (): string[] => [...a.told, ...b.told].toSorted();
  /** Longer than any watcher gathers changes. */
  const quiet = (): Promise<void> => delay(700);

  it("shows a save on the other node, and announces it once, by the node that wrote", async () => {
    await both();
    await save(a, "01.home/default.md", "---\ntitle: Harbour\n---\n");
    await until(() => titleOn(b, "01.home/default.md") === "Harbour");
    await quiet();
    assert.deepEqual(a.told, [
      "feed file update 01.home/default.md",
      "feed page update 01.home/default.md",
      "updated 01.home/default.md",
    ]);
    assert.deepEqual(b.told, []);
  });

  it("announces every one of many quick saves once", async () => {
    await both();
    const expected: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const node = n % 2 === 0 ? a : b;
      const path = `02.p${n % 3}/default.md`;
      await save(node, path, `---\ntitle: T${n}\n---\n`);
      expected.push(`${n < 3 ? "created" : "updated"} ${path}`);
    }
    await quiet();
    const hooks = all().filter((text) => !text.startsWith("feed"));
    assert.deepEqual(hooks, expected.toSorted());
    for (const node of [a, b]) assert.equal(titleOn(node, "02.p1/default.md"), "T19");
  });

  it("announces once what is saved while another node starts, and right after it", async () => {
    a = await nodes.boot("a");
    const booted = nodes.boot("b").then((node) => (b = node));
    const expected: string[] = [];
    let [isReady, more] = [false, 3];
    void booted.then(() => (isReady = true));
    for (let n = 0; !isReady || more > 0; n += 1) {
      if (isReady) more -= 1;
      const path = `02.p${n}/default.md`;
      await save(a, path, `---\ntitle: T${n}\n---\n`);
      expected.push(`created ${path}`);
    }
    await booted;
    await quiet();
    const hooks = all().filter((text) => !text.startsWith("feed"));
    assert.deepEqual(hooks, expected.toSorted());
  });

  it("announces a file that neither node wrote once", async () => {
    await both();
    await nodes.write("content/02.new/default.md", "---\ntitle: New\n---\n");
    await until(() => titleOn(a, "02.new/default.md") === "New");
    await until(() => titleOn(b, "02.new/default.md") === "New");
    await quiet();
    assert.deepEqual(all(), ["created 02.new/default.md", "feed page create 02.new/default.md"]);
  });

  it("announces once what a node finds right before it stops, while the other one writes", async () => {
    await both();
    const lock = b.site.context("test").engines.slot("writeLock").active;
    let closing: Promise<void> = Promise.resolve();
    await lock.run(async () => {
      await nodes.write("content/02.new/default.md", "---\ntitle: New\n---\n");
      await until(() => titleOn(a, "02.new/default.md") === "New");
      await until(() => titleOn(b, "02.new/default.md") === "New");
      closing = a.close();
      await delay(100);
    });
    await closing;
    await until(() => all().includes("created 02.new/default.md"));
    await quiet();
    assert.deepEqual(all(), ["created 02.new/default.md", "feed page create 02.new/default.md"]);
  });

  it("announces each of a change, its reversal and its repetition", async () => {
    await both();
    const file = "content/01.home/default.md";
    for (const title of ["One", "Two", "One"]) {
      await nodes.write(file, `---\ntitle: ${title}\n---\n`);
      await until(() => titleOn(a, "01.home/default.md") === title);
      await until(() => titleOn(b, "01.home/default.md") === title);
      await quiet();
    }
    assert.equal(all().filter((text) => text.startsWith("updated")).length, 3);
  });

  it("re-reads records, and drops what was cached from them", async () => {
    await nodes.write("flex-objects/boat.yaml", TYPE);
    await both();
    const namesOn = async (node: TestNode): Promise<unknown[]> =>
      (await node.site.use("flex").all("boat")).map((record) => record["name"]);
    assert.deepEqual(await namesOn(b), []);
    const data = { name: "Aurora" };
    await a.site.use("flex").apply([{ op: "create", type: "boat", id: "one", data }]);
    await until(async () => (await namesOn(b)).includes("Aurora"));
    await until(async () => {
      const answer = await b.fetch("/api/search?q=Aurora");
      return (await answer.text()).includes("Aurora");
    });
    await quiet();
    assert.deepEqual(all(), ["feed record create boat/one", "record create boat/one"]);
  });

  it("drops cached values of nodes with folders of their own", async () => {
    await both({ own: true });
    const values = b.site
      .context("test")
      .cache.open<number>("test", { maxBytes: 1_000, sizeOf: () => 8 });
    let made = 0;
    const value = () => values.get("k", ({ tags }) => (tags.add("flex:boat"), ++made));
    await value();
    await a.site.context("test").changes.publish({ changes: [], tags: new Set(["flex:boat"]) });
    await until(async () => (await value()) === 2);
  });

  it("announces a page that appears by its schedule once", async () => {
    const soon = new Date(Date.now() + 4_000).toISOString();
    await nodes.write("content/02.soon/default.md", `---\npublish_date: ${soon}\n---\n`);
    await both();
    await until(() => all().length > 0);
    await quiet();
    assert.deepEqual(all(), ["feed page update 02.soon/default.md", "updated 02.soon/default.md"]);
  });

  const versionOf = (path: string, exact: string) =>
    ({ key: `page:${path}`, op: "update", state: exact, exact }) as const;

  it("needs no equal clocks", async () => {
    const at = (ms: number) => ({ clock: { now: () => Date.now() + ms } });
    a = await nodes.boot("a", at(-15_000));
    b = await nodes.boot("b", at(15_000));
    for (let nth = 0; nth < 4; nth += 1) {
      const node = nth % 2 === 0 ? a : b;
      await save(node, "01.home/default.md", `---\ntitle: T${nth}\n---\n`);
    }
    await nodes.write("content/02.new/default.md", "---\ntitle: New\n---\n");
    await until(() => all().includes("created 02.new/default.md"));
    await quiet();
    const hooks = all().filter((text) => !text.startsWith("feed"));
    const saved = Array.from({ length: 4 }, () => "updated 01.home/default.md");
    assert.deepEqual(hooks, ["created 02.new/default.md", ...saved]);
    await until(() => titleOn(a, "01.home/default.md") === "T3");
  });

  it("completes what a dead node had begun to announce, and only that", async () => {
    await both();
    await until(() => a.site.use("cluster").isLeader);
    const transport = new PostgresTransport(url, "Test", silentLog);
    const dead = { id: "dead#1", node: "dead", changes: [], tags: [] };
    const begun = [versionOf("01.home/default.md", "x@1")];
    const other = [versionOf("02.other/default.md", "y@1")];
    await transport.send(dead, { begun: [...begun, ...other], done: [] });
    await transport.send(dead, { begun: [], done: other });
    await until(() => a.told.includes("updated 01.home/default.md"));
    const open = new Announcements("test#1", () => performance.now());
    await until(async () => {
      await transport.readNotices(open.take);
      return open.takeAbandoned(new Set(), -10_000).length === 0;
    });
    await transport.close();
    assert.deepEqual(a.told, ["feed page update 01.home/default.md", "updated 01.home/default.md"]);
    assert.deepEqual(b.told, []);
  });

  it("reads everything again when an older backup of the database was restored", async () => {
    await nodes.write("flex-objects/boat.yaml", TYPE);
    await both();
    await restoreOlder(url);
    await until(() => b.log.lines.some(({ event }) => event === "cluster.reading_again"));
    // Node A may notice the end of its connections by this save: 503 then.
    const saved = () => save(a, "01.home/default.md", "---\ntitle: Harbour\n---\n");
    await until(() => saved().then(() => true, isDown));
    await until(() => titleOn(b, "01.home/default.md") === "Harbour");
  });
});
