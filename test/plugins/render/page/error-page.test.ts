import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type BootOptions, type TestSite } from "../../../support/sites/boot-site.js";
import { rawRequest } from "../../../support/servers/raw-request.js";

describe("error pages of the packaged theme", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      env: { SITE_ENV: "production" },
      files: { "content/01.home/default.md": "# Hi" },
    });
  });
  after(() => site.close());

  it("shows a 404 in the style of the theme", async () => {
    const response = await site.fetch("/missing");
    assert.equal(response.status, 404);
    assert.match(await response.text(), /page-error[\s\S]*Page not found/);
  });

  for (const path of [
    "/<script>alert(1)</script>",
    "/%3Cimg%20src=x%20onerror=1%3E",
    "/a?<script>alert(1)</script>",
  ]) {
    it(`does not reflect the path ${path}`, async () => {
      const response = await site.fetch(path);
      assert.doesNotMatch(await response.text(), /<script>alert|<img/);
    });
  }

  it("responds 400 to a path that cannot be decoded", async () => {
    const { status } = await rawRequest(
      site.url,
      "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    assert.equal(status, 400);
  });

  it("is not cached: a new page is visible at once", async () => {
    assert.equal((await site.fetch("/later")).status, 404);
    await site.site.use("content").apply([{ op: "write", path: "later.md", content: "# Later" }]);
    assert.equal((await site.fetch("/later")).status, 200);
  });
});

describe("error pages", () => {
  let site: TestSite;
  const boot = async (options: BootOptions = {}): Promise<void> => {
    const files = { "content/01.home/default.md": "# Hi", ...options.files };
    site = await bootSite({ env: { SITE_ENV: "production" }, ...options, files });
  };
  afterEach(() => site.close());

  it("uses the language of the path", async () => {
    await boot({ files: { "system.yaml": "languages: { supported: [en, de], default: en }\n" } });
    assert.match(await (await site.fetch("/de/fehlt")).text(), /Seite nicht gefunden/);
  });

  it("uses a site's own template", async () => {
    await boot({
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/error.tsx": "export default ({ status }) => <p>own {status}</p>;\n",
      },
    });
    assert.match(await (await site.fetch("/missing")).text(), /<p>own 404<\/p>/);
  });

  const countingTheme = {
    "site.yaml": "title: Test\ntheme: { name: mine }\n",
    "themes/mine/templates/error.tsx":
      "let count = 0;\nexport default (props) => <p>render {++count} {props.pathname}{props.search} {props.message}</p>;\n",
  };
  const textOf = async (path: string, init: RequestInit = {}): Promise<string> =>
    /<p>.*?<\/p>/.exec(await (await site.fetch(path, init)).text())?.[0] ?? "";

  it("renders the page of missing addresses once for all of them", async () => {
    await boot({ files: countingTheme });
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => textOf(`/missing/${at}?x=${at}`)),
    );
    assert.deepEqual(new Set(texts), new Set(["<p>render 1 / Not found</p>"]));
    assert.match(
      await textOf("/", { method: "POST", headers: { Accept: "text/html" } }),
      /allowed/,
    );
  });

  it("renders it again after a content change, because it contains the navigation", async () => {
    await boot({ files: countingTheme });
    await textOf("/missing");
    await site.site.use("content").apply([{ op: "write", path: "new.md", content: "# New" }]);
    assert.match(await textOf("/missing"), /render 2/);
  });

  it("renders it for each request when the template uses a nonce", async () => {
    const template =
      "export default ({ nonce }) => <script nonce={nonce()} src='/x.js'></script>;\n";
    await boot({ files: { ...countingTheme, "themes/mine/templates/error.tsx": template } });
    const pages = await Promise.all(
      ["/a", "/b", "/c"].map(async (path) => (await site.fetch(path)).text()),
    );
    assert.equal(new Set(pages).size, 3);
  });

  it("renders it for each request while a plugin uses a render hook", async () => {
    const plugin = definePlugin({
      name: "says",
      version: "1.0.0",
      setup: ({ hooks }) =>
        hooks.on("onAfterRender", ({ data, setData }) =>
          setData({ ...data, html: data.html + data.req.ctx.path }),
        ),
    });
    await boot({ files: countingTheme, extraPlugins: [plugin] });
    assert.match(await (await site.fetch("/one")).text(), /render 1[\s\S]*\/one$/);
    assert.match(await (await site.fetch("/two")).text(), /render 2[\s\S]*\/two$/);
  });

  it("uses the built-in style for a theme without an error template", async () => {
    await boot({
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx": "export default () => <p>page</p>;\n",
      },
    });
    const response = await site.fetch("/missing");
    assert.equal(response.status, 404);
    assert.match(await response.text(), /<h1>Page not found<\/h1>/);
  });

  it("responds 500 without the reason when a template throws, and when the error template throws too", async () => {
    await boot({
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx":
          "export default () => { throw new Error('secret reason'); };\n",
        "themes/mine/templates/error.tsx":
          "export default () => { throw new Error('also secret'); };\n",
      },
    });
    const response = await site.fetch("/");
    const html = await response.text();
    assert.equal(response.status, 500);
    assert.doesNotMatch(html, /secret|themes\/mine|\.tsx/);
  });

  it("renders an error of a plugin's route as HTML", async () => {
    const failing = definePlugin({
      name: "failing",
      version: "1.0.0",
      setup: ({ http }) =>
        http.route({
          method: "get",
          path: "/fail",
          summary: "fails",
          handler: () => {
            throw new Error("secret reason");
          },
        }),
    });
    await boot({ extraPlugins: [failing] });
    const response = await site.fetch("/fail");
    const html = await response.text();
    assert.equal(response.status, 500);
    assert.match(html, /Something went wrong/);
    assert.doesNotMatch(html, /secret/);
  });
});
