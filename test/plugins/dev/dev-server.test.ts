import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makeRoot } from "../../support/sites/config-root.js";
import { startProcess, type SiteProcess } from "../../support/processes/site-process.js";

/** Below the time limit of the tests, so that a failure says what was there instead. */
const LIMIT_MS = 200_000;
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

const mistakeShape = z.object({
  place: z.string().optional(),
  cause: z.string(),
  fix: z.string().optional(),
  note: z.string().optional(),
  excerpt: z.string().optional(),
});
const problemsShape = z.object({ mistakes: z.array(mistakeShape) });

describe("site dev", function () {
  this.timeout(240_000);
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

  it("says what to do next, and lists no steps of the startup", async () => {
    await start();
    await dev.printed(/ready after \d+ ms: save a file to reload the browser, Ctrl\+C stops/);
    assert.doesNotMatch(dev.text(), /other steps/);
  });

  it("reloads when a plugin, a file it imports or site.yaml changes, on the same port", async () => {
    await start();
    assert.equal((await get("/mine")).text, "one");
    const stream = await reloads();
    await put("plugins/shared.ts", 'export const word: string = "two";\n');
    await until("/mine", /^two$/);
    await stream.ended;
    assert.match(dev.text(), /plugins\/shared\.ts changed: reloading/);
    await put(PLUGIN, ANSWERS.replace("res.end(word)", 'res.end(word + "!")'));
    await until("/mine", /^two!$/);
    await put("site.yaml", "title: Second\nplugins:\n  mine: { src: ./plugins/mine/index.ts }\n");
    await until("/", /<title>[^<]*Second/);
  });

  const mistake = async (wanted: RegExp): Promise<z.output<typeof mistakeShape>> => {
    const { text } = await until("/_site/problems", wanted);
    const { mistakes } = problemsShape.parse(JSON.parse(text));
    const found = mistakes.find(({ cause }) => wanted.test(cause));
    assert.ok(found !== undefined, text);
    return found;
  };

  it("runs on when a plugin throws in setup, shows where over the page, and reloads when it is fixed", async () => {
    await start();
    const stream = await reloads();
    await put(PLUGIN, plugin('throw new Error("on purpose <b>");'));
    const { place, cause, excerpt, fix, note } = await mistake(/on purpose/);
    assert.equal(place, "plugins/mine/index.ts:8");
    assert.equal(cause, 'plugin "mine" could not start: on purpose <b>');
    assert.match(excerpt ?? "", /^> {1,2}8 \| {5}throw new Error/m);
    assert.match(fix ?? "", /^fix it, or disable it/);
    assert.match(note ?? "", /the site runs as it did before/);
    await dev.printed(/plugins\/mine\/index\.ts:8:[^]*the site runs on as before/);
    assert.equal((await get("/mine")).text, "one");
    assert.equal((await get("/", html)).status, 200);
    await put(PLUGIN, ANSWERS.replace("res.end(word)", 'res.end(word + "!")'));
    await until("/mine", /^one!$/);
    await stream.ended;
    assert.doesNotMatch((await get("/_site/problems")).text, /on purpose/);
  });

  it("runs on when onReady throws, a module does not parse or site.yaml is invalid, and shows why pages fail", async () => {
    await start();
    await put(PLUGIN, plugin('site.lifecycle.onReady(() => { throw new Error("not ready"); });'));
    assert.equal((await mistake(/not ready/)).place, "plugins/mine/index.ts:8");
    await put(PLUGIN, "export default {;\n");
    assert.equal((await mistake(/could not be loaded/)).place, "plugins/mine/index.ts:1");
    const fails = 'if (req.ctx.path === "/") throw new Error("no page"); next();';
    await put(PLUGIN, plugin(`site.http.use("routes", (req, _res, next) => { ${fails} });`));
    const failed = await mistake(/no page/);
    assert.match(failed.place ?? "", /^plugins\/mine\/index\.ts:8:/);
    assert.equal((await get("/", html)).status, 500);
    await put(PLUGIN, ANSWERS);
    await until("/mine", /^one$/);
    assert.doesNotMatch((await get("/_site/problems")).text, /no page/);
    await put("site.yaml", "titel: First\n");
    await dev.printed(/site\.yaml:1:1 {2}titel.*the site runs on as before/s);
    assert.equal((await get("/mine")).text, "one");
    assert.deepEqual(await mistake(/titel/), {
      place: "site.yaml:1",
      cause: 'titel: received "First", expected a known key',
      fix: 'did you mean "title"?',
      note: "until this is fixed, the site runs as it did before the change",
      excerpt: "> 1 | titel: First\n  2 | ",
    });
    await put("site.yaml", "title: Third\n");
    await until("/", /<title>[^<]*Third/);
    assert.doesNotMatch((await get("/_site/problems")).text, /titel/);
  });

  it("reloads when the file that a failed start names is saved, wherever it is", async () => {
    const theme = "name: mine\nversion: 1.0.0\nparent: default\n";
    await start({ "themes/mine/theme.yaml": "name: mine\nparent: [3]\n" });
    await put("site.yaml", "title: Second\ntheme: { name: mine }\n");
    const failed = await mistake(/theme\.yaml/);
    assert.equal(failed.place, "themes/mine/theme.yaml:2");
    assert.match(failed.excerpt ?? "", /^> 2 \| parent/m);
    await put("themes/mine/theme.yaml", theme);
    await until("/", /<title>[^<]*Second/);
    assert.doesNotMatch((await get("/_site/problems")).text, /theme\.yaml/);
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
    const stream = await fetch(`${url}/_site/reload`);
    await put("node_modules/pack/package.json", manifest.replace("1.0.0", "1.0.1"));
    await dev.printed(/restart needed: package pack has changed; packages are loaded once/);
    const reader = stream.body?.getReader();
    const decoder = new TextDecoder();
    for (let text = ""; !text.includes("event: reload");) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      assert.ok(!done, `the stream ended after ${text}`);
      text += decoder.decode(value);
    }
    assert.match((await mistake(/restart needed/)).cause, /pack has changed/);
    // Another site of the same process has the same package.
    const site = "title: Second\nplugins:\n  pack: { src: npm:pack@^1.0.0 }\n";
    await put("site.yaml", site);
    await until("/", /<title>[^<]*Second/);
    await mistake(/restart needed/);
  });
});
