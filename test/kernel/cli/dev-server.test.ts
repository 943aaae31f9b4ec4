import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeRoot } from "../../support/config-root.js";
import { startProcess, type SiteProcess } from "../../support/site-process.js";

/** Below the time limit of the tests, so that a failure says what was there instead. */
const LIMIT_MS = 100_000;
const PLUGIN = "plugins/mine/index.ts";
const plugin = (body: string): string => `import { definePlugin } from "sitewright";
import { word } from "../shared.js";

export default definePlugin({
  name: "mine",
  version: "1.0.0",
  setup(site) {
    ${body}
  },
});
`;
const ANSWERS = plugin(
  'site.http.use("pages", (req, res, next) => req.ctx.path === "/mine" ? void res.end(word) : next());',
);

describe("site dev", function () {
  this.timeout(120_000);
  let root = "";
  let dev: SiteProcess;
  let url = "";
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const start = async (files: Record<string, string> = {}): Promise<void> => {
    root = await makeRoot({
      "site.yaml": "title: First\nplugins:\n  mine: { src: ./plugins/mine/index.ts }\n",
      "content/default.md": "# Hello\n",
      "plugins/shared.ts": 'export const word: string = "one";\n',
      [PLUGIN]: ANSWERS,
      ...files,
    });
    dev = startProcess(["dev", "--root", root, "--port", "0"]);
    const [, port] = await dev.printed(/(?:localhost|127\.0\.0\.1):(\d+)/);
    url = `http://127.0.0.1:${port}`;
    await dev.printed(/ready after|waiting for a file change/);
  };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const html = { accept: "text/html" };
  /** A response that matches; the site may be restarting. */
  const until = async (path: string, wanted: RegExp): Promise<{ status: number; text: string }> => {
    const end = performance.now() + LIMIT_MS;
    for (;;) {
      const found = await get(path, html).catch(() => null);
      if (found !== null && wanted.test(found.text)) return found;
      // A loop that goes on keeps the process of the tests alive.
      if (performance.now() > end) assert.fail(`no ${wanted} but ${found?.text}\n${dev.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const reloads = async (): Promise<{ ended: Promise<unknown> }> => {
    const stream = await fetch(`${url}/_site/reload`);
    assert.match(stream.headers.get("content-type") ?? "", /event-stream/);
    return { ended: stream.text().catch(() => null) };
  };
  afterEach(async () => {
    dev.child.kill("SIGINT");
    assert.equal(await dev.ended(), 0, dev.text());
    await rm(root, { recursive: true, force: true });
  });

  it("restarts when a plugin, a file it imports or site.yaml changes, on the same port", async () => {
    await start();
    assert.equal((await get("/mine")).text, "one");
    const stream = await reloads();
    await put("plugins/shared.ts", 'export const word: string = "two";\n');
    await until("/mine", /^two$/);
    await stream.ended;
    assert.match(dev.text(), /plugins\/shared\.ts changed: restarting/);
    await put(PLUGIN, ANSWERS.replace("res.end(word)", 'res.end(word + "!")'));
    await until("/mine", /^two!$/);
    await put("site.yaml", "title: Second\nplugins:\n  mine: { src: ./plugins/mine/index.ts }\n");
    await until("/", /<title>[^<]*Second/);
  });

  it("stays up when a plugin throws in setup, shows where, and continues when it is fixed", async () => {
    await start();
    await put(PLUGIN, plugin('throw new Error("on purpose <b>");'));
    const { status, text } = await until("/", /on purpose/);
    assert.equal(status, 500);
    assert.match(text, /plugins\/mine\/index\.ts:8:\d+/);
    assert.match(text, /&gt; {1,2}8 \| {5}throw new Error/);
    assert.match(text, /on purpose &lt;b(?:&gt;|>)/);
    assert.match(text, /EventSource\("\/_site\/reload"\)/);
    const json = await get("/api/pages", { accept: "application/json" });
    assert.match(String((JSON.parse(json.text) as { error: string }).error), /on purpose/);
    await dev.printed(/waiting for a file change/);
    assert.match(dev.text(), /plugins\/mine\/index\.ts:8:/);
    const stream = await reloads();
    await put(PLUGIN, ANSWERS);
    await until("/mine", /^one$/);
    await stream.ended;
  });

  it("stays up when onReady throws, when a module does not parse and when site.yaml is invalid", async () => {
    await start();
    await put(PLUGIN, plugin('site.lifecycle.onReady(() => { throw new Error("not ready"); });'));
    assert.match((await until("/", /not ready/)).text, /plugins\/mine\/index\.ts:8:/);
    await put(PLUGIN, "export default {;\n");
    assert.match((await until("/", /could not be loaded/)).text, /plugins\/mine\/index\.ts:1:/);
    await put(PLUGIN, ANSWERS);
    await until("/mine", /^one$/);
    await put("site.yaml", "titel: First\n");
    await dev.printed(/site\.yaml:1:1 {2}titel.*the site runs on with the configuration before/s);
    assert.equal((await get("/mine")).text, "one");
    const { text } = await until("/_site/problems", /"place":"site\.yaml:1"/);
    assert.match(text, /titel.*the configuration before.*> 1 \| titel: First/s);
    await put("site.yaml", "title: Third\n");
    await until("/", /<title>[^<]*Third/);
    assert.doesNotMatch((await get("/_site/problems")).text, /titel/);
  });

  it("shows the error of the first start too, and starts once it is fixed", async () => {
    await start({ [PLUGIN]: plugin('throw new Error("from the start");') });
    assert.match((await get("/", html)).text, /from the start/);
    await put(PLUGIN, ANSWERS);
    await until("/mine", /^one$/);
  });

  it("survives an uncaught exception", async () => {
    await start();
    await put(PLUGIN, plugin('setTimeout(() => { throw new Error("too late"); }, 300);'));
    assert.match((await until("/", /too late/)).text, /plugins\/mine\/index\.ts:8:/);
    await put(PLUGIN, ANSWERS);
    await until("/mine", /^one$/);
  });

  it("reports that a changed package needs a restart, and why", async () => {
    const manifest = '{ "name": "pack", "version": "1.0.0", "main": "index.js" }';
    await start({
      "site.yaml": "title: T\nplugins:\n  pack: { src: npm:pack@^1.0.0 }\n",
      "node_modules/pack/package.json": manifest,
      "node_modules/pack/index.js": 'module.exports = { name: "pack", version: "1.0.0" };\n',
    });
    await put("node_modules/pack/package.json", manifest.replace("1.0.0", "1.0.1"));
    await dev.printed(/restart needed: package pack has changed; packages are loaded once/);
  });
});
