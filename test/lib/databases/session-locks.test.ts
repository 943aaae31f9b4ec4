import assert from "node:assert/strict";
import { HttpError } from "#lib/errors";
import { SessionLocks } from "#lib/databases";
import { queryAt } from "../../support/servers/cluster-stores.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";
import { usePgBouncer, usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

describe("session locks", () => {
  let url = "";
  let proxy: TcpProxy;
  const open: SessionLocks[] = [];
  const lost: (readonly string[])[] = [];

  function locks(address = url): SessionLocks {
    const one = new SessionLocks({
      url: address,
      toError: () => new HttpError(503, "away"),
      onLost: (names) => lost.push(names),
    });
    open.push(one);
    return one;
  }

  before(async function () {
    url = (await usePostgres(this)).url;
    proxy = await startTcpProxy(url);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    lost.length = 0;
  });
  after(() => proxy.close());

  it("gives a lock to one process at a time", async () => {
    const [one, other] = [locks(), locks()];
    assert.equal(await one.tryLock("write"), true);
    assert.equal(await other.tryLock("write"), false);
    assert.deepEqual([one.holds("write"), other.holds("write")], [true, false]);
    assert.equal(await other.tryLock("another"), true);
    await one.unlock("write");
    assert.equal(one.holds("write"), false);
    assert.equal(await other.tryLock("write"), true);
  });

  it("holds a lock once, however often it is taken", async () => {
    const [one, other] = [locks(), locks()];
    await one.tryLock("write");
    assert.equal(await one.tryLock("write"), true);
    await one.unlock("write");
    assert.equal(await other.tryLock("write"), true);
  });

  it("notices a release, also when the lock is taken again at once", async () => {
    const [one, other] = [locks(), locks()];
    await one.tryLock("write");
    assert.equal(await other.released("write", 50), false);
    assert.equal(await one.released("write", 50), true, "a process does not wait for itself");
    const waiting = other.released("write", 60_000);
    const queued = "select from pg_locks where locktype = 'advisory' and not granted";
    await until(async () => (await queryAt(url, queued)).length === 1);
    // The next request of the same connection.
    const taken = one.unlock("write").then(() => one.lock("write", 60_000));
    assert.equal(await waiting, true);
    assert.equal(await taken, true);
    assert.equal(await other.tryLock("write"), false);
  });

  it("waits for a lock until the other process frees it", async () => {
    const [one, other] = [locks(), locks()];
    await one.tryLock("write");
    const waiting = other.lock("write", 60_000);
    await one.unlock("write");
    assert.equal(await waiting, true);
    assert.equal(await one.lock("write", 0), false);
  });

  it("frees what a process held whose connection ends, and tells it", async () => {
    const [one, other] = [locks(proxy.url), locks()];
    await one.tryLock("leader");
    await proxy.cut();
    assert.equal(await other.lock("leader", 60_000), true);
    await until(() => lost.length > 0);
    assert.deepEqual(lost, [["leader"]]);
    assert.equal(one.holds("leader"), false);
    await proxy.restore();
  });

  it("frees all locks when it is closed", async () => {
    const [one, other] = [locks(), locks()];
    await one.tryLock("leader");
    await one.close();
    assert.equal(await other.lock("leader", 60_000), true);
    assert.deepEqual(lost, []);
  });

  it("rejects while the server is away, and connects again", async () => {
    const one = locks(proxy.url);
    await proxy.cut();
    await assert.rejects(one.tryLock("write"), { status: 503 });
    await proxy.restore();
    assert.equal(await one.tryLock("write"), true);
  });

  it("counts as lost while the server does not reply", async () => {
    const one = locks(proxy.url);
    await one.tryLock("write");
    proxy.freeze();
    await until(() => !one.holds("write"));
    await proxy.restore();
  });

  it("rejects a pooler that gives each transaction another session", async function () {
    const shared = await usePgBouncer(this, url, "transaction");
    await assert.rejects(locks(shared.url).tryLock("write"), { code: "ERR_POSTGRES_POOLER" });
    const own = await usePgBouncer(this, url, "session");
    assert.equal(await locks(own.url).tryLock("write"), true);
  });
});
