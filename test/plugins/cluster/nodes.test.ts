import assert from "node:assert/strict";
import { testClock } from "#testing";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { usePgBouncer, usePostgres } from "../../support/services.js";
import { queryAt } from "../../support/servers/cluster-stores.js";
import { until } from "../../support/until.js";

describe("the nodes of a cluster", () => {
  let url = "";
  let nodes: Nodes;
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    nodes = await clusterNodes(url);
  });
  afterEach(() => nodes.close());
  const statusOf = (node: TestNode) => node.site.use("cluster").status();
  /** Names of the nodes whose content it reports as another one. */
  const reportsOf = ({ log }: TestNode): unknown[] =>
    log.of("cluster.content_differs").map(({ fields }) => fields["node"]);

  it("know each other, with one leader", async () => {
    const a = await nodes.boot("a");
    const b = await nodes.boot("b");
    await until(async () => (await statusOf(b)).nodes.every(({ lag }) => lag === 0));
    const { node, leader, nodes: found } = await statusOf(b);
    assert.equal(node, "b");
    assert.deepEqual(
      found.map(({ name }) => name),
      ["a", "b"],
    );
    assert.deepEqual(
      found.filter(({ isLeader }) => isLeader).map(({ name }) => name),
      [leader],
    );
    assert.equal(found[0]?.digest, found[1]?.digest);
    const leaders = () => [a, b].filter(({ site }) => site.use("cluster").isLeader);
    await until(() => leaders().length === 1);
  });

  it("have a new leader when the leader leaves", async () => {
    const a = await nodes.boot("a");
    const b = await nodes.boot("b");
    await a.close();
    await until(() => b.site.use("cluster").isLeader);
    assert.deepEqual(
      (await statusOf(b)).nodes.map(({ name }) => name),
      ["b"],
    );
  });

  it("refuse to start under a name that is in use", async () => {
    await nodes.boot("a");
    await assert.rejects(nodes.boot("a", { own: true }), {
      code: "ERR_CLUSTER_NODE_TAKEN",
      message: /^node "a" has been running since \d{4}-.*\(process \d+ on ".*"\)$/,
      fix: /cluster\.node/,
    });
  });

  it("have names by default that differ by root", async () => {
    const names: string[] = [];
    for (const name of ["a", "b"]) {
      const settings = { system: { cluster: { enabled: true } } };
      const node = await nodes.boot(name, { settings });
      names.push(node.site.use("cluster").node);
    }
    assert.notEqual(names[0], names[1]);
    for (const name of names) assert.match(name, /^[A-Za-z0-9._-]+-[0-9a-f]{12}$/);
  });

  it("report a node with another configuration, in log and health", async () => {
    const a = await nodes.boot("a");
    const cluster = { enabled: true, node: "b" };
    await nodes.boot("b", { settings: { system: { cluster, page_cache: { max_entries: 7 } } } });
    await until(() => a.log.lines.some(({ event }) => event === "cluster.node_differs"));
    await until(() => a.site.use("health").problems().length > 0);
    const [problem] = a.site.use("health").problems();
    assert.deepEqual(problem, {
      part: "cluster",
      problem: "other plugins or configuration on: b",
    });
  });

  it("report nodes with other pages for a minute: two clusters use one store by mistake", async () => {
    const clock = testClock();
    await nodes.write("content/01.home/default.md", "---\ntitle: Home\n---\n");
    await nodes.write("node-copy/content/01.home/default.md", "---\ntitle: Staging\n---\n");
    const a = await nodes.boot("a", { clock });
    const b = await nodes.boot("b", { clock });
    const copy = await nodes.boot("copy", { clock, own: true });
    const all = [a, b, copy];
    await until(async () => {
      const { nodes: found } = await statusOf(a);
      return found.length === 3 && found.every(({ content }) => content !== "");
    });
    assert.deepEqual(all.map(reportsOf), [[], [], []]);
    await until(() => {
      clock.advance(61_000);
      return reportsOf(a).length + reportsOf(b).length > 1 && reportsOf(copy).length > 1;
    });
    assert.deepEqual(all.map(reportsOf), [["copy"], ["copy"], ["a", "b"]]);
    assert.match(a.site.use("health").problems()[0]?.problem ?? "", /^other pages on: copy; /);
  });
});

describe("a node of a cluster", () => {
  it("needs nothing while the cluster is off", async () => {
    const site = await bootSite({ plugins: ["cluster", "content"] });
    assert.deepEqual(site.site.context("test").engines.slot("writeLock").names, ["process"]);
    await site.close();
  });

  it("needs the address of PostgreSQL", async () => {
    const settings = { system: { cluster: { enabled: true } } };
    for (const SITE_DB_URL of [undefined, "http://localhost"]) {
      const booting = bootSite({ plugins: ["cluster"], settings, env: { SITE_DB_URL } });
      await assert.rejects(booting, { code: "ERR_POSTGRES_URL" });
    }
  });

  it("rejects the transport redis, and says what to set", async () => {
    const settings = { system: { cluster: { enabled: true, transport: "redis" } } };
    await assert.rejects(bootSite({ plugins: ["cluster"], settings }), {
      code: "ERR_CONFIG_INVALID",
      message: /cluster\.transport.*set postgres, and SITE_DB_URL/s,
    });
  });

  it("starts while its store is down, and reports it", async () => {
    const nodes = await clusterNodes("postgres://a:b@127.0.0.1:1/c");
    const alone = await nodes.boot("a");
    assert.equal((await alone.fetch("/api/pages")).status, 200);
    assert.equal(alone.site.use("health").problems()[0]?.part, "cluster");
    await assert.rejects(alone.site.use("cluster").status(), { code: "ERR_CLUSTER_DOWN" });
    await nodes.close();
  });

  const refused = async (at: string, code: string): Promise<void> => {
    const nodes = await clusterNodes(at);
    await assert.rejects(nodes.boot("b", { settings: { site: { title: "Other" } } }), { code });
    await nodes.close();
  };

  it("does not start with a wrong password, or in the database of another site", async function () {
    const { url } = await usePostgres(this);
    const wrong = new URL(url);
    [wrong.username, wrong.password] = ["site", "wrong-secret"];
    await refused(wrong.href, "ERR_POSTGRES_LOGIN");
    const nodes = await clusterNodes(url);
    await nodes.boot("a");
    await refused(url, "ERR_POSTGRES_SITE");
    await nodes.close();
  });

  it("does not start through a pooler in transaction mode, but through one in session mode", async function () {
    const { url } = await usePostgres(this);
    await refused((await usePgBouncer(this, url, "transaction")).url, "ERR_POSTGRES_POOLER");
    const nodes = await clusterNodes((await usePgBouncer(this, url, "session")).url);
    await nodes.boot("a", { settings: { site: { title: "Other" } } });
    await nodes.close();
  });

  it("does not start on tables of a newer version", async function () {
    const { url } = await usePostgres(this);
    const nodes = await clusterNodes(url);
    await nodes.boot("a");
    await queryAt(url, "insert into site_nodes_migrations values ('999-later', '2030-01-01')");
    await assert.rejects(nodes.boot("b"), { code: "ERR_DATABASE_NEWER" });
    await nodes.close();
  });

  it("does not start beside a node of a version without session locks, and keeps such nodes out later", async function () {
    const { url } = await usePostgres(this);
    await queryAt(
      url,
      "create table site_cluster_nodes (name text primary key, id text, record json, until timestamptz)",
    );
    const until = "clock_timestamp() + interval '1 hour'";
    await queryAt(url, `insert into site_cluster_nodes values ('old', 'old#1', '{}', ${until})`);
    const nodes = await clusterNodes(url);
    await assert.rejects(nodes.boot("a"), { code: "ERR_CLUSTER_OLDER_NODE" });
    await queryAt(url, "delete from site_cluster_nodes");
    await nodes.boot("b");
    // Those check their migrations, as this version does, and find one that they do not know.
    const marks = await queryAt(url, "select name from site_cluster_migrations");
    assert.deepEqual(marks, [{ name: "900-session-locks" }]);
    await nodes.close();
  });

  it("names the right that its role needs to create tables", async function () {
    const { url } = await usePostgres(this);
    const role = `reader_${Date.now()}`;
    await queryAt(url, "revoke create on schema public from public");
    await queryAt(url, `create role ${role} login password 'secret'`);
    const limited = new URL(url);
    [limited.username, limited.password] = [role, "secret"];
    const nodes = await clusterNodes(limited.href);
    await assert.rejects(nodes.boot("a"), {
      code: "ERR_POSTGRES_RIGHTS",
      fix: /grant create on schema public/i,
    });
    await nodes.close();
  });
});
