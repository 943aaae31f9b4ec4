import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../support/repository.js";
import { codeWith } from "./documentation.js";
import { copyInto, home, writeSite } from "./home.js";
import { said } from "./middlewares/said.js";

const PAGE = "content/06.extend/11.express-app/docs.md";
const MOUNTED = 'import { createEnv, createSite } from "sitewright";';

describe("the site in an Express app with the installed package", function () {
  this.timeout(60_000);
  let root: string;
  let app: ChildProcess;
  let output = "";
  let port = 0;
  before(async () => {
    root = await writeSite("host", {
      "my-site/site.yaml": codeWith(PAGE, "url: https://example.com/docs"),
      "my-site/content/index.md": "# Home\n",
      "app.mjs": hostApp(codeWith(PAGE, MOUNTED)),
    });
    const file = "middlewares/web-sockets.mjs";
    await copyInto(root, "web-sockets.mjs", join(repository, "test/acceptance", file));
    app = spawn(process.execPath, ["app.mjs"], { cwd: root });
    for (const stream of [app.stdout, app.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    port = await new Promise<number>((resolve, reject) => {
      app.stdout?.on("data", () => {
        const found = /listening on (\d+)/.exec(output)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
      app.once("exit", () => reject(new Error(output)));
    });
  });
  after(async () => {
    if (app.exitCode === null) {
      app.kill("SIGKILL");
      await once(app, "exit");
    }
    await rm(root, { recursive: true, force: true });
  });

  it("serves pages, the panel and the routes of the app", async () => {
    const ask = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" });
    assert.match(await (await ask("/docs/")).text(), /<h1[^>]*>Home/);
    assert.equal((await ask("/docs/admin/login")).status, 200);
    assert.equal((await ask("/docs/none")).status, 404);
    assert.equal(await (await ask("/shop")).text(), "the shop");
  });

  it("takes WebSockets of express-ws beside the site, and closes those that have no route", async () => {
    assert.equal(await said(`ws://127.0.0.1:${port}/echo`, "hello"), "echo hello");
    await assert.rejects(said(`ws://127.0.0.1:${port}/docs/`, "hello"), /closed/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/docs/`)).status, 200);
  });

  it("ends by SIGTERM", async () => {
    const ended = once(app, "exit");
    app.kill("SIGTERM");
    await ended;
    assert.deepEqual([app.exitCode, app.signalCode], [0, null], output);
  });
});

/** The code of the page on a free port, with WebSockets. */
function hostApp(code: string): string {
  return `import { addWebSockets } from "./web-sockets.mjs";
${code
  .replace('createSite("my-site"', `createSite(${JSON.stringify(join(home, "host", "my-site"))}`)
  .replace("const app = express();", "$&\naddWebSockets(app);")
  .replace("app.listen(3000)", 'app.listen(0, "127.0.0.1")')}
server.once("listening", () => console.log(\`listening on \${server.address().port}\`));
`;
}
