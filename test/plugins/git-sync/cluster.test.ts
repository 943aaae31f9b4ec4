import assert from "node:assert/strict";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

const HOME = "01.home/default.md";
const PLUGINS = ["cluster", "content", "flex", "git-sync", "health", "history", "markdown"];

describe("a cluster whose nodes have a clone each", () => {
  let nodes: Nodes;
  let remote: GitRemote;
  let a: TestNode;
  let b: TestNode;
  beforeEach(async function () {
    nodes = await clusterNodes((await usePostgres(this)).url);
    remote = await gitRemote();
    const system = { git_sync: { remote: remote.url, interval_seconds: 0 } };
    const options = { own: true, plugins: PLUGINS, settings: { system } };
    a = await nodes.boot("a", options);
    b = await nodes.boot("b", options);
    for (const node of [a, b]) await node.site.use("gitSync").sync();
  });
  afterEach(async () => {
    await nodes.close();
    await remote.close();
  });
  const save = (node: TestNode, title: string) =>
    node.site.use("content").apply([{ op: "write", path: HOME, content: page(title) }]);
  const titleOn = (node: TestNode): string | undefined =>
    node.site.use("content").generation().bySource.get(HOME)?.title;

  it("shows what one node has saved and pushed on the other, announced once", async () => {
    await save(a, "Harbour");
    await a.site.use("gitSync").sync();
    await until(() => titleOn(b) === "Harbour");
    await b.site.use("gitSync").sync();
    const hooks = [...a.told, ...b.told].filter((text) => text.startsWith("updated"));
    assert.deepEqual(hooks, [`updated ${HOME}`]);
  });

  it("lists saves of both as a conflict of the node that pushes second; both serve the first", async () => {
    await save(a, "First");
    await save(b, "Second");
    await a.site.use("gitSync").sync();
    await b.site.use("gitSync").sync();
    await until(() => titleOn(b) === "First");
    assert.equal(titleOn(a), "First");
    const [conflict] = await b.site.use("gitSync").conflicts();
    assert.deepEqual([conflict?.ours, conflict?.theirs], [page("Second"), page("First")]);
    assert.deepEqual(await a.site.use("gitSync").conflicts(), []);
    await b.site.use("gitSync").resolve(conflict?.id ?? "", { take: "ours" });
    await b.site.use("gitSync").sync();
    await until(() => titleOn(a) === "Second");
  });
});
