import assert from "node:assert/strict";
import { join } from "node:path";
import { killProcess } from "../support/processes/site-process.js";
import { repository } from "../support/repository.js";
import { copyInto, runSite, serveSite, writeSite } from "./home.js";
import { requests } from "./middlewares/requests.js";

describe("npm middlewares in a plugin of the installed package", function () {
  this.timeout(240_000);
  let root: string;
  let server: Awaited<ReturnType<typeof serveSite>>;
  before(async () => {
    root = await writeSite("middlewares", {
      "site.yaml":
        "title: Middlewares\nplugins:\n  middlewares: { src: ./plugins/middlewares/middlewares.mjs }\n",
      "content/index.md": "# Home\n",
      "plugins/middlewares/package.json": '{ "type": "module" }\n',
    });
    const source = join(repository, "test/acceptance/middlewares");
    await copyInto(root, "plugins/middlewares/middlewares.mjs", join(source, "middlewares.mjs"));
    for (const file of ["requests.ts", "said.ts", "web-sockets.mjs"])
      await copyInto(root, `plugins/middlewares/${file}`, join(source, file));
    const test = "plugins/middlewares/middlewares.test.ts";
    await copyInto(root, test, join(source, "in-test-site.ts"));
    server = await serveSite(root);
  });
  after(() => killProcess(server));

  for (const [name, check] of Object.entries(requests)) {
    it(`${name} works under site serve`, () =>
      check({
        root,
        fetch: (path, init) => fetch(`${server.url}${path}`, { redirect: "manual", ...init }),
      }));
  }

  it("all of them work under createTestSite", async () => {
    const { code, text } = await runSite("plugins:test", "middlewares", "--root", root);
    assert.equal(code, 0, text);
    // And express-ws, which needs the server of an app that mounts the site.
    assert.match(text, new RegExp(`pass ${Object.keys(requests).length + 1}\\b`));
  });
});
