// Presence and the limit of event streams, for all nodes together.
import assert from "node:assert/strict";
import { definePlugin, type SiteContext } from "#kernel";
import { EventHub } from "../../../plugins/admin/event-hub.js";
import { isPublished } from "../../../plugins/content/schedule/publication-time.js";
import { clusterNodes, type Nodes } from "../../support/servers/cluster-nodes.js";
import { usePostgres } from "../../support/services.js";
import { useFolder } from "../../support/folder.js";
import { startWorkers, type WorkersServer } from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";

const PATH = "02.blog/post.md";
const ines = { id: "1", name: "Ines" };
const jo = { id: "2", name: "Jo" };
const tooMany = { status: 429, headers: { "Retry-After": "10" } };

/** A client's stream, as text. */
function stream() {
  const received: string[] = [];
  return {
    received,
    writableLength: 0,
    end: () => undefined,
    write: (text: string) => received.push(text),
  };
}

/** A client who reads every page. */
function listener({ id: userId }: typeof ines, open = stream()) {
  return { userId, stream: open, sees: () => true };
}

async function bootHub(nodes: Nodes, name: string): Promise<EventHub> {
  const hubs: EventHub[] = [];
  const setup = ({ changes, runtime }: SiteContext) =>
    void hubs.push(new EventHub(changes, runtime.clock, { isPublished }));
  const plugin = definePlugin({ name: "events", version: "1.0.0", setup });
  await nodes.boot(name, { extraPlugins: [plugin] });
  const [hub] = hubs;
  assert.ok(hub !== undefined);
  return hub;
}

describe("the events of nodes of a cluster", () => {
  let nodes: Nodes;
  let a: EventHub;
  let b: EventHub;
  beforeEach(async function () {
    nodes = await clusterNodes((await usePostgres(this)).url);
    a = await bootHub(nodes, "a");
    b = await bootHub(nodes, "b");
  });
  afterEach(() => nodes.close());

  it("name people with a page open on another node", async () => {
    const open = stream();
    b.add(listener(jo, open), undefined);
    assert.deepEqual(a.setPresent(ines, PATH), []);
    await until(() => open.received.join("").includes("Ines"));
    assert.deepEqual(b.setPresent(jo, PATH), [ines]);
    await until(() => a.setPresent(ines, PATH).length === 1);
    assert.deepEqual(a.setPresent(ines, PATH), [jo]);
    b.setPresent(jo, null);
    await until(() => a.setPresent(ines, PATH).length === 0);
  });

  it("move a person whose requests reach one node, then another", async () => {
    a.setPresent(ines, PATH);
    await until(() => b.setPresent(jo, PATH).length === 1);
    b.setPresent(ines, "another.md");
    await until(() => a.setPresent(jo, PATH).length === 0);
  });

  it("count the streams of an account on all nodes", async () => {
    const close = [1, 2, 3].map(() => a.add(listener(ines), undefined));
    for (let count = 0; count < 3; count += 1) b.add(listener(ines), undefined);
    await until(() => isFull(a) && isFull(b));
    assert.throws(() => b.add(listener(ines), undefined), tooMany);
    b.assertRoom(jo.id);
    close[0]?.();
    await until(() => !isFull(b));
    b.close();
    assert.equal(isFull(a), false);
  });
});

describe("the event streams of a server with workers", function () {
  this.timeout(90_000);
  const folder = useFolder();
  let server: WorkersServer;
  const opened: AbortController[] = [];
  beforeEach(async () => void (server = await startWorkers({ root: folder.path })));
  afterEach(async () => {
    for (const one of opened.splice(0)) one.abort();
    await server.stop();
  });

  it("are limited per account, whichever worker serves them", async () => {
    const open = async () => {
      const controller = new AbortController();
      opened.push(controller);
      const { signal } = controller;
      return (await fetch(`${server.url}/admin/api/events`, { headers: server.auth, signal }))
        .status;
    };
    for (let count = 0; count < 6; count += 1) assert.equal(await open(), 200);
    await until(async () => {
      const before = opened.length;
      const statuses = [await open(), await open(), await open(), await open()];
      for (const one of opened.splice(before)) one.abort();
      return statuses.every((status) => status === 429);
    });
  });
});

function isFull(hub: EventHub): boolean {
  try {
    hub.assertRoom(ines.id);
    return false;
  } catch {
    return true;
  }
}
