import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess, type SiteProcess } from "../../support/processes/site-process.js";

const site = (args: readonly string[], env: Record<string, string> = {}): SiteProcess =>
  startProcess(args, { env });

const ended = (run: SiteProcess): Promise<number | null> => run.ended();

/** A plugin that throws an uncaught error. */
const FAULT = `
export default {
  name: "fault", version: "1.0.0",
  setup(site) {
    site.lifecycle.onClose(() => site.log.info("fault closed"));
    site.http.use("pages", (req, res) => {
      if (req.ctx.path === "/reject") Promise.reject(new Error("not awaited"));
      else setTimeout(() => { throw new Error("not caught"); }, 20);
      res.end("ok");
    });
  },
};
`;

describe("site", () => {
  let root: string;
  let running: SiteProcess | null = null;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "site-cli-"));
    await mkdir(join(root, "content"));
    await writeFile(join(root, "site.yaml"), "title: T\n");
    await writeFile(join(root, "content", "hello.md"), "# Hello\n\nWorld.\n");
  });
  after(() => rm(root, { recursive: true, force: true }));
  afterEach(async () => {
    running?.child.kill("SIGKILL");
    if (running) await ended(running);
    running = null;
  });
  const run = (args: readonly string[], env?: Record<string, string>): SiteProcess =>
    (running = site(args, env));
  const serve = async (...args: string[]) => {
    const started = run(["serve", "--root", root, "--port", "0", ...args]);
    const [, port] = await started.printed(/localhost:(\d+)/);
    await started.printed(/ready after/);
    return { started, url: `http://127.0.0.1:${port}` };
  };

  it("serves a folder of Markdown with a title and nothing else", async () => {
    const { url } = await serve();
    const page = await fetch(`${url}/hello`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<h1[^>]*>.*Hello/s);
    assert.equal((await fetch(`${url}/api/pages/hello`)).status, 200);
  });

  it("ends in two lines with the fix for a folder that it cannot write", async function () {
    if (process.getuid?.() !== 0) return this.skip();
    const own = await mkdtemp(join(tmpdir(), "site-cli-locked-"));
    await writeFile(join(own, "site.yaml"), "title: T\n");
    await mkdir(join(own, "content"));
    const command = ["setpriv", "--reuid", "65534", "--clear-groups"];
    await chmod(own, 0o755);
    const started = startProcess(["serve", "--root", own, "--port", "0"], { command });
    running = started;
    assert.equal(await started.ended(), 1);
    const lines = started.text().trimEnd().split("\n").slice(-2);
    assert.match(lines[0] ?? "", /^✗ \S+site-cli-locked-\S+ .*permission denied/, started.text());
    assert.match(lines[1] ?? "", /^ {2}fix: /);
    assert.doesNotMatch(started.text(), /\n {4}at /);
    await rm(own, { recursive: true, force: true });
  });

  it("prints its address with the path of url", async () => {
    const own = await mkdtemp(join(tmpdir(), "site-cli-path-"));
    await mkdir(join(own, "content"));
    await writeFile(join(own, "site.yaml"), "title: T\nurl: https://example.org/docs/\n");
    await writeFile(join(own, "content", "hello.md"), "# Hello\n");
    const started = run(["serve", "--root", own, "--port", "0"]);
    const [, address] = await started.printed(/listens on (\S+)/);
    await started.printed(/ready after/);
    assert.match(address ?? "", /^http:\/\/localhost:\d+\/docs$/);
    assert.equal((await fetch(`${address}/hello`)).status, 200);
    await rm(own, { recursive: true, force: true });
  });

  it("serves with the plugins that --plugins names", async () => {
    const { url } = await serve("--plugins", "pages,health");
    assert.equal((await fetch(`${url}/api/pages`)).status, 200);
    assert.equal((await fetch(`${url}/hello`)).status, 404);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`exits with 0 on ${signal}, whatever idle connections are open`, async () => {
      const { started, url } = await serve();
      await (await fetch(`${url}/health`)).text();
      started.child.kill(signal);
      assert.equal(await ended(started), 0);
    });
  }

  it("reads its configuration again on SIGHUP and site reload, under load, without a failed request", async () => {
    const { url, started } = await serve();
    const title = async (): Promise<string> => (await fetch(`${url}/hello`)).text();
    let isDone = false;
    const seen: number[] = [];
    const load = async (): Promise<void> => {
      while (!isDone) seen.push((await fetch(`${url}/hello`)).status);
    };
    const loads = [load(), load(), load(), load()];
    try {
      await writeFile(join(root, "site.yaml"), "title: Second\n");
      started.child.kill("SIGHUP");
      await started.printed(/site\.reloaded/);
      assert.match(await title(), /Second/);
      await writeFile(join(root, "site.yaml"), "titel: Third\n");
      const bad = site(["reload", "--root", root]);
      assert.equal(await bad.ended(), 1);
      assert.match(bad.text(), /site\.yaml:1:1 {2}titel {2}received "Third"/);
      assert.match(await title(), /Second/);
      await writeFile(join(root, "site.yaml"), "title: Third\n");
      const good = site(["reload", "--root", root]);
      assert.equal(await good.ended(), 0, good.text());
      assert.match(await title(), /Third/);
    } finally {
      isDone = true;
      await writeFile(join(root, "site.yaml"), "title: T\n");
    }
    await Promise.all(loads);
    assert.deepEqual([...new Set(seen)], [200]);
    started.child.kill("SIGTERM");
    assert.equal(await ended(started), 0);
    const none = site(["reload", "--root", root]);
    assert.equal(await none.ended(), 1);
    assert.match(none.text(), /no server runs on the site root/);
  });

  it("closes and exits with 1 on an uncaught error, survives and counts a rejection", async () => {
    await mkdir(join(root, "plugins"), { recursive: true });
    await writeFile(join(root, "plugins", "fault.ts"), FAULT);
    await writeFile(
      join(root, "site.yaml"),
      "title: T\nplugins:\n  - health\n  - tracing\n  - src: ./plugins/fault.ts\n",
    );
    await writeFile(join(root, "system.yaml"), "metrics: { enabled: true }\n");
    try {
      const { started, url } = await serve();
      const rejections = async (): Promise<string | undefined> => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return /^site_unhandled_rejections_total (\d+)$/m.exec(metrics)?.[1];
      };
      assert.equal(await rejections(), "0");
      assert.equal((await fetch(`${url}/reject`)).status, 200);
      await started.printed(/process\.unhandled_rejection/);
      assert.equal((await fetch(`${url}/health/live`)).status, 200);
      assert.equal(await rejections(), "1");
      assert.equal((await fetch(`${url}/throw`)).status, 200);
      await started.printed(/process\.uncaught_exception/);
      assert.equal(await ended(started), 1);
      assert.match(started.text(), /fault closed/);
    } finally {
      await writeFile(join(root, "site.yaml"), "title: T\n");
      await rm(join(root, "system.yaml"));
      await rm(join(root, "plugins"), { recursive: true });
    }
  });

  it("--safe reports that it is on and what is disabled, in the log too, and serves without it", async () => {
    await mkdir(join(root, "plugins"), { recursive: true });
    await writeFile(join(root, "plugins", "broken.ts"), "throw new Error('not even loaded');\n");
    await writeFile(join(root, "site.yaml"), "title: T\nplugins: [./plugins/broken.ts]\n");
    try {
      const { started, url } = await serve("--safe");
      assert.match(started.text(), /SAFE MODE.*only first-party plugins run/);
      assert.match(started.text(), /disabled plugins: \.\/plugins\/broken\.ts/);
      assert.match(started.text(), /site\.without.*\.\/plugins\/broken\.ts/);
      assert.equal((await fetch(`${url}/hello`)).status, 200);
      assert.doesNotMatch(started.text(), /not even loaded/);
    } finally {
      await writeFile(join(root, "site.yaml"), "title: T\n");
      await rm(join(root, "plugins"), { recursive: true });
    }
  });

  it("--verbose prints the startup steps, slowest first; otherwise none are printed", async () => {
    const step = /^ +(\d+\.\d) ms {2}(configuration and modules|set up|get ready|startup hooks)/gm;
    const verbose = await serve("--verbose");
    const times = [...verbose.started.text().matchAll(step)].map(([, ms]) => Number(ms));
    assert.ok(times.length > 0, verbose.started.text());
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    verbose.started.child.kill("SIGKILL");
    await ended(verbose.started);
    const { started } = await serve();
    assert.doesNotMatch(started.text(), step);
  });

  it("continues to serve while its log is not read, and after its reader closed", async () => {
    const started = run(["serve", "--root", root, "--port", "0"], { SITE_LOG_FORMAT: "json" });
    const [, port] = await started.printed(/localhost:(\d+)/);
    const url = `http://127.0.0.1:${port}/health/live`;
    const ask = async (times: number): Promise<void> => {
      for (let at = 0; at < times; at += 1) assert.equal((await fetch(url)).status, 200);
    };
    await ask(1);
    started.child.stdout?.pause();
    await ask(2_000);
    started.child.stdout?.destroy();
    started.child.stderr?.destroy();
    await ask(2_000);
    started.child.kill("SIGTERM");
    assert.equal(await ended(started), 0);
  });

  it("writes only JSON lines, one per request, without secrets of a query", async () => {
    const started = run(["serve", "--root", root, "--port", "0"], { SITE_LOG_FORMAT: "json" });
    const [, port] = await started.printed(/localhost:(\d+)/);
    await started.printed(/"event":"site.ready"/);
    await fetch(`http://127.0.0.1:${port}/hello?token=canary`);
    const [line] = await started.printed(/\{[^\n]*"event":"request"[^\n]*\}/);
    const { path, status, method } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([method, path, status], ["GET", "/hello", 200]);
    assert.doesNotMatch(started.text(), /canary/);
    started.child.kill("SIGTERM");
    assert.equal(await ended(started), 0);
    const events = started
      .text()
      .trim()
      .split("\n")
      .map((text) => Object(JSON.parse(text))["event"]);
    assert.ok(events.includes("site.listening") && events.includes("site.stopping"));
  });

  it("rejects a second server on the same root, naming the first, and starts when that has ended", async () => {
    const { started } = await serve();
    const second = site(["serve", "--root", root, "--port", "0"]);
    assert.equal(await ended(second), 1);
    assert.match(second.text(), new RegExp(`process ${started.child.pid} serves this site root`));
    started.child.kill("SIGKILL");
    await ended(started);
    await serve();
  });

  it("names the process on the port, and exits with 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const started = run(["serve", "--root", root, "--port", String(port)]);
    assert.equal(await ended(started), 1);
    assert.match(started.text(), new RegExp(`port ${port} .*in use`));
    other.close();
  });

  it("lists every problem of the configuration and exits with 1", async () => {
    await writeFile(join(root, "system.yaml"), "cache: {lifetime: soon}\nserch: {}\n");
    const started = run(["serve", "--root", root, "--port", "0"]);
    assert.equal(await ended(started), 1);
    await rm(join(root, "system.yaml"));
    assert.match(started.text(), /system\.yaml:1:\d+ {2}cache\.lifetime/);
    assert.match(
      started.text(),
      /system\.yaml:2:1 {2}serch .*"search"|system\.yaml:2:1 {2}serch.*search/,
    );
  });

  it("prints help for every command and exits with 0; for an unknown one with 2 and a suggestion", async () => {
    const help = run(["--help"]);
    assert.equal(await ended(help), 0);
    const names = [...help.text().matchAll(/^ {2}([a-z][\w:-]*)/gm)].map(([, name]) => name ?? "");
    assert.ok(names.length > 8, help.text());
    for (const name of ["serve", "dev", "new", "config:validate"])
      assert.ok(names.includes(name), name);
    const one = run(["config:validate", "--help"]);
    assert.equal(await ended(one), 0);
    assert.match(one.text(), /--json/);
    const wrong = run(["serv"]);
    assert.equal(await ended(wrong), 2);
    assert.match(wrong.text(), /serve/);
  });

  it("names the missing folder, and exits with 2", async () => {
    const started = run(["serve", "--root", join(root, "nowhere"), "--port", "0"]);
    assert.equal(await ended(started), 2);
    assert.match(started.text(), /folder ".*nowhere" does not exist ERR_CONFIG_ROOT/);
  });

  it("rejects an invalid port with its fix, no position, and exit code 2", async () => {
    const started = run(["serve", "--root", root, "--port", "99999"]);
    assert.equal(await ended(started), 2);
    assert.match(started.text(), /--port is "99999"[^]*fix: pass a whole number from 0 to 65535/);
    assert.doesNotMatch(started.text(), /^\s*at[: ]/m);
  });
});
