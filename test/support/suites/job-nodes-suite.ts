// What nodes promise that share their jobs, whichever store has them.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JobNodes } from "./job-nodes.js";
import { startServer } from "../processes/site-process.js";
import { startTcpProxy } from "../servers/tcp-proxy.js";
import { until } from "../until.js";
import { startReceiver, type Receiver } from "../servers/webhook-receiver.js";

const PAGE = "01.home/default.md";
const text = (title: string): string => `---\ntitle: ${title}\n---\nHello.\n`;
const idOf = (receiver: Receiver, nth: number): string =>
  String(receiver.received[nth]?.headers["x-site-delivery"]);

/** `downCode`: of saves while the store is down. */
export function jobNodesSuite({
  use,
  downCode,
}: {
  use(context: Mocha.Context): Promise<{ url: string }>;
  downCode: string;
}): void {
  let url = "";
  let receiver: Receiver;
  const nodes = new JobNodes();
  beforeEach(async function () {
    url = (await use(this)).url;
    receiver = await startReceiver();
    await nodes.open();
  });
  afterEach(async () => {
    await nodes.close();
    await receiver.close();
  });

  it("send one webhook for a save, whichever node it was made on, and list its job on both", async () => {
    const a = await nodes.boot("a", url, { hook: receiver.url });
    const b = await nodes.boot("b", url, { hook: receiver.url });
    receiver.answer = (res) => void res.writeHead(500).end();
    for (const [path, node] of Object.entries({ "02.a/default.md": a, "03.b/default.md": b })) {
      const content = node.site.use("content");
      await content.apply([{ op: "write", path, content: text(path) }]);
    }
    await receiver.count(2);
    const jobsOn = async ({ site }: typeof a) =>
      (await site.use("jobs").list()).map(({ id }) => id);
    const sent = receiver.received.map((_, nth) => idOf(receiver, nth));
    const ids = [...new Set(sent)].toSorted();
    assert.equal(ids.length, 2);
    assert.deepEqual(await jobsOn(a), ids);
    assert.deepEqual(await jobsOn(b), ids);
  });

  it("take over the jobs of a killed node, with the same delivery id", async () => {
    receiver.answer = () => undefined;
    const root = await nodes.prepare("a", url, { hook: receiver.url });
    const killed = await startServer(root, { env: { SITE_DB_URL: url } });
    await writeFile(join(root, "content", PAGE), text("Harbour"));
    await receiver.count(1);
    const b = await nodes.boot("b", url, { hook: receiver.url });
    assert.equal(b.site.use("jobs").isOwner, false);
    receiver.answer = (res) => void res.writeHead(204).end();
    killed.child.kill("SIGKILL");
    await receiver.count(2);
    assert.equal(idOf(receiver, 1), idOf(receiver, 0));
    await killed.ended();
  });

  it("serve pages while the store is away, and respond 503 to what needs it", async () => {
    const proxy = await startTcpProxy(url);
    const node = await nodes.boot("a", proxy.url, { hook: receiver.url });
    await proxy.cut();
    assert.equal((await node.fetch("/api/pages/")).status, 200);
    const content = node.site.use("content");
    const save = () => content.apply([{ op: "write", path: PAGE, content: text("Later") }]);
    await assert.rejects(save(), {
      code: downCode,
      status: 503,
      headers: { "Retry-After": "5" },
    });
    assert.equal(content.generation().bySource.get(PAGE)?.title, "Home");
    await proxy.restore();
    await until(async () => {
      const saved = await save().catch(() => null);
      return saved !== null;
    });
    await receiver.count(1);
    await proxy.close();
  });
}
