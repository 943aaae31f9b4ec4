import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";
import {
  startWorkers,
  type WorkerClient,
  type WorkersServer,
} from "../../support/processes/site-workers.js";
import { until } from "../../support/until.js";

const HOME = "01.home/default.md";
const SYNCED_SECONDS = 60;

describe("a server with workers that follows a git remote", function () {
  this.timeout(240_000);
  let remote: GitRemote;
  let server: WorkersServer;
  let clients: WorkerClient[] = [];
  beforeEach(async () => {
    remote = await gitRemote();
    await remote.push({
      "02.page/default.md": page("Second"),
      "03.page/default.md": page("Third"),
    });
    const root = join(remote.base, "site");
    execFileSync("git", ["clone", "-q", remote.url, join(root, "content")]);
    const system = JSON.stringify({
      // The test asks every few milliseconds.
      server: { rate_limit: false },
      git_sync: { remote: remote.url, interval_seconds: 0 },
    });
    server = await startWorkers({ root, system });
    clients = await server.clients();
  });
  afterEach(async () => {
    await server.stop("SIGKILL");
    await remote.close();
  });

  const save = async (client: WorkerClient, path: string, title: string): Promise<void> => {
    const body = { content: page(title) };
    const { status, text } = await client.send("PUT", `/admin/api/pages/${path}`, {
      headers: server.auth,
      body,
    });
    assert.equal(status, 200, text);
  };
  const textAt = (path: string): string => {
    try {
      return remote.bare("show", `main:${path}`);
    } catch {
      return "";
    }
  };

  it("pushes what each worker saves, shows a push on all, and uses the repository in one process", async () => {
    assert.equal(clients.length, 2);
    for (const [n, client] of clients.entries()) {
      await save(client, `0${n + 2}.page/default.md`, `Saved by ${n}`);
    }
    for (const n of clients.keys()) {
      const isPushed = (): boolean => textAt(`0${n + 2}.page/default.md`).includes(`by ${n}`);
      await until(isPushed, SYNCED_SECONDS);
    }
    remote.git("pull", "-q", "origin", "main");
    await remote.push({ [HOME]: page("Pushed") });
    // A save makes the site fetch.
    await save(clients[1] ?? assert.fail(), "02.page/default.md", "Saved again");
    for (const client of clients) {
      await until(
        async () => (await client.send("GET", "/api/pages/")).text.includes("Pushed"),
        SYNCED_SECONDS,
      );
    }
    await until(async () => {
      const states = await Promise.all(
        clients.map(async (client) => (await client.health())["git_sync"]),
      );
      return states.every((state) => JSON.stringify(state) === JSON.stringify(states[0]));
    });
    assert.doesNotMatch(server.text(), /git_sync\.failed|history\.commit|index\.lock/);
  });
});
