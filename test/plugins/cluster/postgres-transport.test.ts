import assert from "node:assert/strict";
import { startPostgres, type PostgresServer } from "../../../scripts/services/postgres.js";
import { silentLog } from "#kernel";
import { PostgresTransport } from "../../../plugins/cluster/engines/postgres.js";
import { type Message, nodeLock } from "../../../plugins/cluster/transport.js";
import { endConnections, queryAt } from "../../support/servers/cluster-stores.js";
import { usePostgres } from "../../support/services.js";
import { startTcpProxy } from "../../support/servers/tcp-proxy.js";
import { until } from "../../support/until.js";

const messageOf = (nth: number | string): Message => ({
  id: "a#1",
  node: "a",
  changes: [],
  tags: [String(nth)],
});

describe("messages through PostgreSQL", () => {
  let server: PostgresServer | null = null;
  let url = "";
  let sender: PostgresTransport;
  let seen: string[] = [];
  let lost = 0;
  const ends: (() => Promise<void>)[] = [];
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
    [seen, lost] = [[], 0];
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await server?.stop();
    server = null;
  });

  const transportAt = (address: string): PostgresTransport => {
    const transport = new PostgresTransport(address, "Test", silentLog);
    ends.push(() => transport.close());
    return transport;
  };
  /** Reads at `address` what is sent from now on; the sender is at `url`. */
  const follow = async (address: string): Promise<void> => {
    sender = transportAt(url);
    await sender.open();
    const cursor = await sender.send(messageOf("first"));
    const closing = new AbortController();
    const reader = transportAt(address);
    const following = reader.follow({
      cursor,
      signal: closing.signal,
      take: async ({ tags }) => void seen.push(tags?.[0] ?? ""),
      lost: async () => void (lost += 1),
    });
    ends.unshift(async () => {
      closing.abort();
      await following;
    });
    await send(0);
    await until(() => seen.length === 1);
  };
  const send = async (nth: number | string): Promise<void> => {
    await until(() =>
      sender.send(messageOf(nth)).then(
        () => true,
        () => false,
      ),
    );
  };
  /** What the sender shows of a node that has applied the messages up to `cursor`. */
  const lagAt = async (cursor: string): Promise<number | undefined> => {
    const node = {
      name: "r",
      id: "r#1",
      host: "h",
      pid: 1,
      since: "",
      version: "",
      digest: "",
      isSettled: false,
    };
    await sender.locks.tryLock(nodeLock(node.name));
    await sender.show({ ...node, content: "", cursor });
    return (await sender.nodes())[0]?.lag;
  };
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, nth) => `${nth}`);

  it("arrive in order and complete, whatever their size and text", async () => {
    await follow(url);
    const text = "é".repeat(50_000) + "nul \0, half \ud800";
    await Promise.all(numbers(30).map(() => send(text)));
    await until(() => seen.length === 31);
    assert.equal(new Set(seen.slice(1)).size, 1);
    assert.equal(seen[1], text);
  });

  it("arrive after connections were closed, each once", async () => {
    await follow(url);
    for (const nth of [1, 2, 3]) {
      await endConnections(url);
      await send(nth);
    }
    await until(() => seen.includes("3"));
    assert.deepEqual([seen, lost], [numbers(4), 0]);
  });

  for (const fault of ["cut", "freeze"] as const) {
    it(`arrive after the reader was away, each once (${fault})`, async () => {
      const proxy = await startTcpProxy(url);
      ends.push(() => proxy.close());
      await follow(proxy.url);
      await proxy[fault]();
      for (const nth of [1, 2, 3]) await send(nth);
      await proxy.restore();
      await until(() => seen.includes("3"));
      assert.deepEqual([seen, lost], [numbers(4), 0]);
    });
  }

  it("arrive after the server was killed and started again", async () => {
    server = await startPostgres();
    url = await server.createDatabase("test");
    await follow(url);
    await server.end("SIGKILL");
    await assert.rejects(sender.send(messageOf("x")), {
      status: 503,
      code: "ERR_CLUSTER_DOWN",
    });
    await server.startAgain();
    for (const nth of [1, 2]) await send(nth);
    await until(() => seen.includes("2"));
    assert.deepEqual([seen, lost], [numbers(3), 0]);
  });

  it("are read again from the newest when the last one is no longer stored", async () => {
    await follow(url);
    const reader = transportAt(url);
    const closing = new AbortController();
    const heads: string[] = [];
    const following = reader.follow({
      cursor: "1-1",
      signal: closing.signal,
      take: async () => undefined,
      lost: async (cursor) => void heads.push(cursor),
    });
    await until(() => heads.length === 1);
    assert.equal(await lagAt(heads[0] ?? ""), 0);
    closing.abort();
    await following;
  });

  it("are read again when the database was restored and no query failed", async () => {
    await follow(url);
    await queryAt(url, "delete from site_messages");
    await queryAt(url, "alter table site_messages alter column id restart");
    await until(() => lost === 1);
    await send("after");
    await until(() => seen.includes("after"));
    assert.deepEqual([seen, lost], [["0", "after"], 1]);
  });

  it("are counted for nodes that are behind, and deleted when there are too many", async () => {
    sender = transportAt(url);
    await sender.open();
    const first = await sender.send(messageOf(0));
    for (let nth = 0; nth < 5; nth += 1) await sender.send(messageOf(nth));
    assert.equal(await lagAt(first), 5);
    const sql =
      "insert into site_messages (stamp, message) select 'x', '{}' from generate_series(1, 10100)";
    await queryAt(url, sql);
    const [row] = await queryAt(url, "select max(id)::integer as id from site_messages");
    for (let id = Number(row?.["id"]); id % 100 !== 0; id += 1) await sender.send(messageOf(id));
    const [left] = await queryAt(url, "select count(*)::integer as count from site_messages");
    assert.equal(left?.["count"], 10_000);
  });
});
