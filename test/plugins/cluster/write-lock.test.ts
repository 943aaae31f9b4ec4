import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpError } from "#kernel";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { rounds } from "../../support/rounds.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

const ROUNDS = rounds(30);
const HOME = "01.home/default.md";
const textOf = (title: string): string => `---\ntitle: ${title}\n---\n`;

describe("the write lock of a cluster", () => {
  let nodes: Nodes;
  let proxy: TcpProxy;
  let a: TestNode;
  let b: TestNode;
  beforeEach(async function () {
    proxy = await startTcpProxy((await usePostgres(this)).url);
    nodes = await clusterNodes(proxy.url);
    await nodes.write(`content/${HOME}`, textOf("Home"));
    await nodes.write("flex-objects/boat.yaml", "title: Boat\nfields:\n  name: { type: text }\n");
    await nodes.write("flex-objects/boat/one.yaml", "name: Aurora\n");
    a = await nodes.boot("a");
    b = await nodes.boot("b");
  });
  afterEach(async () => {
    await proxy.restore();
    await nodes.close();
    await proxy.close();
  });

  const save = (node: TestNode, title: string, ifHash?: string) =>
    node.site
      .use("content")
      .apply([{ op: "write", path: HOME, content: textOf(title), ...(ifHash && { ifHash }) }])
      .then(([result]) => result?.code ?? result?.status);
  const hashOn = (node: TestNode): string | undefined =>
    node.site.use("content").generation().bySource.get(HOME)?.hash;
  const rejected = async (work: Promise<unknown>): Promise<HttpError> => {
    const error: unknown = await work.then(
      () => assert.fail("was saved"),
      (reason: unknown) => reason,
    );
    return error instanceof HttpError ? error : assert.fail(String(error));
  };

  it(`lets one of two saves of the same version through, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await until(() => hashOn(a) === hashOn(b));
      const hash = hashOn(a);
      const results = await Promise.all([save(a, `A${round}`, hash), save(b, `B${round}`, hash)]);
      assert.deepEqual(results.toSorted(), ["ERR_CONTENT_CONFLICT", "updated"]);
    }
  });

  it("lets one of three nodes save a version", async () => {
    const c = await nodes.boot("c");
    for (let round = 0; round < ROUNDS; round += 1) {
      await until(() => hashOn(a) === hashOn(b) && hashOn(b) === hashOn(c));
      const hash = hashOn(a);
      const saves = [a, b, c].map((node, at) => save(node, `${at} ${round}`, hash));
      const conflict = "ERR_CONTENT_CONFLICT";
      assert.deepEqual((await Promise.all(saves)).toSorted(), [conflict, conflict, "updated"]);
    }
  });

  it("lets one of two changes of the same record through", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const flex = a.site.use("flex");
      const ifHash = (await flex.source("boat", "one"))?.hash ?? "";
      const change = (node: TestNode, name: string) =>
        node.site
          .use("flex")
          .apply([{ op: "update", type: "boat", id: "one", data: { name }, ifHash }])
          .then(([result]) => result?.code ?? result?.status);
      const results = await Promise.all([change(a, `A${round}`), change(b, `B${round}`)]);
      assert.deepEqual(results.toSorted(), ["ERR_FLEX_CONFLICT", "updated"]);
      await until(async () => (await flex.source("boat", "one"))?.hash !== ifHash);
    }
  });

  for (const fault of ["cut", "freeze"] as const) {
    it(`rejects writes with 503 and serves pages when it is gone (${fault})`, async () => {
      await proxy[fault]();
      const { status, code, headers } = await rejected(save(a, "Lost"));
      assert.deepEqual([status, code], [503, "ERR_CLUSTER_DOWN"]);
      assert.equal(headers?.["Retry-After"], "5");
      const change = { op: "delete", type: "boat", id: "one" } as const;
      assert.equal((await rejected(b.site.use("flex").apply([change]))).status, 503);
      for (const node of [a, b]) {
        assert.equal((await node.fetch("/api/pages?limit=1")).status, 200);
      }
      const file = join(nodes.base, "content", HOME);
      assert.equal(await readFile(file, "utf8"), textOf("Home"));
      await proxy.restore();
      await until(async () => (await save(a, "Back").catch(() => "")) === "updated");
      await until(() => hashOn(a) === hashOn(b));
    });
  }

  it("announces what was saved when it went away, as soon as it is back", async () => {
    const told = b.site.context("test").changes;
    const seen: (string | null)[] = [];
    told.listen("spy", ({ origin }) => void seen.push(origin));
    await proxy.cut();
    await a.site.context("test").changes.publish({ changes: [], tags: new Set(["list"]) });
    await proxy.restore();
    await until(() => seen.includes("a"));
  });

  it("reports its loss in health", async () => {
    const health = a.site.use("health");
    assert.deepEqual(health.problems(), []);
    await proxy.cut();
    await until(() => health.problems().some(({ part }) => part === "cluster"));
    await proxy.restore();
    await until(() => health.problems().length === 0);
  });
});

describe("a cluster with a node that is cut off", () => {
  let nodes: Nodes;
  let proxy: TcpProxy;
  let a: TestNode;
  let b: TestNode;
  beforeEach(async function () {
    const { url } = await usePostgres(this);
    proxy = await startTcpProxy(url);
    nodes = await clusterNodes(url);
    await nodes.write(`content/${HOME}`, textOf("Home"));
    a = await nodes.boot("a", { env: { SITE_DB_URL: proxy.url } });
    b = await nodes.boot("b");
    await until(() => a.site.use("cluster").isLeader);
  });
  afterEach(async () => {
    await proxy.restore();
    await nodes.close();
    await proxy.close();
  });

  const save = (node: TestNode, path: string, title: string) =>
    node.site
      .use("content")
      .apply([{ op: "write", path, content: textOf(title) }])
      .then(
        ([result]) => result?.status,
        (error: unknown) =>
          error instanceof HttpError ? error.status : assert.fail(String(error)),
      );
  const titleOn = (node: TestNode, path: string): string | undefined =>
    node.site.use("content").generation().bySource.get(path)?.title;
  const pagesTold = (): string[] =>
    [...a.told, ...b.told].filter((text) => /^(?:created|updated)/.test(text)).toSorted();

  for (const fault of ["cut", "freeze"] as const) {
    it(`has another leader and writer, and takes it back (${fault})`, async () => {
      await proxy[fault]();
      assert.equal(await save(a, HOME, "Lost"), 503);
      await until(() => b.site.use("cluster").isLeader);
      assert.equal(await save(b, HOME, "Saved"), "updated");
      await nodes.write("content/02.found/default.md", textOf("Found"));
      await until(() => b.told.includes("created 02.found/default.md"));
      assert.equal(a.site.use("cluster").isLeader, false);
      await proxy.restore();
      await until(async () => (await save(a, "03.back/default.md", "Back")) === "created");
      await until(() => titleOn(b, "03.back/default.md") === "Back");
      await until(() => titleOn(a, HOME) === "Saved");
      assert.deepEqual(pagesTold(), [
        "created 02.found/default.md",
        "created 03.back/default.md",
        `updated ${HOME}`,
      ]);
    });
  }

  it("loses and repeats nothing while its connection flaps", async () => {
    const saved: string[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      await (nth % 2 === 0 ? proxy.cut() : proxy.restore());
      for (const node of [a, b]) {
        const path = `1${nth}.${node === a ? "a" : "b"}/default.md`;
        if ((await save(node, path, `T${nth}`)) === "created") saved.push(`created ${path}`);
      }
    }
    await until(async () => (await save(a, HOME, "Last")) === "updated");
    await until(() => titleOn(b, HOME) === "Last");
    const expected = [...saved, `updated ${HOME}`].toSorted();
    await until(() => pagesTold().length >= expected.length);
    assert.deepEqual(pagesTold(), expected);
  });
});
