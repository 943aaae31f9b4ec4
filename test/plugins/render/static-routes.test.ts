import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const immutable = "public, max-age=31536000, immutable";

describe("static files", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      env: { SITE_ENV: "production" },
      files: {
        "content/01.home/default.md": "# Hi",
        "static/robot.txt": "hello",
        "static/img/über uns.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "static/.env": "SECRET=1",
        "static/.well-known/x": "hidden",
        "static/large.bin": Buffer.alloc(5 * 1024 * 1024, 7),
        "secret.txt": "secret",
      },
    });
  });
  after(() => site.close());

  const assetUrl = async (): Promise<string> => {
    const html = await (await site.fetch("/")).text();
    return /href="([^"]*style\.css[^"]*)"/.exec(html)?.[1] ?? assert.fail("no stylesheet");
  };

  it("caches a theme's file for a year at the address with its hash", async () => {
    const response = await site.fetch(await assetUrl());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/css; charset=utf-8");
    assert.equal(response.headers.get("cache-control"), immutable);
  });

  it("caches it for only an hour when the hash differs", async () => {
    const url = await assetUrl();
    for (const query of ["", "?v=000000000000", `?v=${"x".repeat(50)}`]) {
      const response = await site.fetch(url.replace(/\?.*$/, query));
      assert.equal(response.status, 200);
      assert.notEqual(response.headers.get("cache-control"), immutable);
    }
  });

  it("distinguishes the two after one of them was requested", async () => {
    const url = await assetUrl();
    await site.fetch(url.replace(/\?.*$/, ""));
    assert.equal((await site.fetch(url)).headers.get("cache-control"), immutable);
    const plain = await site.fetch(url.replace(/\?.*$/, ""));
    assert.notEqual(plain.headers.get("cache-control"), immutable);
  });

  it("serves the site's static folder with the right types", async () => {
    const text = await site.fetch("/static/robot.txt");
    assert.deepEqual([text.status, await text.text()], [200, "hello"]);
    const svg = await site.fetch("/static/img/%C3%BCber%20uns.svg");
    assert.equal(svg.headers.get("content-type"), "image/svg+xml");
    assert.match(svg.headers.get("content-security-policy") ?? "", /sandbox/);
    assert.equal(svg.headers.get("x-content-type-options"), "nosniff");
  });

  it("serves a range of a large file", async () => {
    const response = await site.fetch("/static/large.bin", { headers: { Range: "bytes=0-9" } });
    assert.equal(response.status, 206);
    assert.equal((await response.arrayBuffer()).byteLength, 10);
  });

  it("sends a large file as media are sent, within the limits of downloads", async () => {
    const response = await site.fetch("/static/large.bin");
    assert.equal((await response.arrayBuffer()).byteLength, 5 * 1024 * 1024);
    assert.equal(response.headers.get("cache-control"), "public, max-age=3600, must-revalidate");
    // The package `send` would have sent a weak one.
    assert.match(response.headers.get("etag") ?? "", /^"/);
  });

  for (const path of [
    "/static/",
    "/static/img",
    "/static/missing.txt",
    "/static/.env",
    "/static/.well-known/x",
    "/static/..%2fsecret.txt",
    "/static/%2e%2e/secret.txt",
    "/static/..%5csecret.txt",
    "/static/a%00b",
    "/static//etc/passwd",
    "/themes/default/static/..%2f..%2ftheme.yaml",
    "/themes/default/static/missing.css",
    "/themes/other/static/style.css",
    "/themes/default/theme.yaml",
    "/themes/default/templates/default.tsx",
    "/themes/__proto__/static/style.css",
  ]) {
    it(`serves nothing at ${path}`, async () => {
      const response = await site.fetch(path);
      assert.ok([400, 404].includes(response.status), String(response.status));
      assert.doesNotMatch(await response.text(), /SECRET|secret|config_schema/);
    });
  }

  it("does not follow links that lead out of the folder", async () => {
    await mkdir(join(site.root, "static"), { recursive: true });
    await symlink(join(site.root, "secret.txt"), join(site.root, "static", "link.txt"));
    await symlink(site.root, join(site.root, "static", "up"));
    for (const path of ["/static/link.txt", "/static/up/secret.txt"]) {
      assert.equal((await site.fetch(path)).status, 404);
    }
  });

  it("serves the theme's icon, and the site's own if there is one", async () => {
    assert.match(await (await site.fetch("/favicon.svg")).text(), /<svg/);
    const made = await site.fetch("/favicon.ico");
    assert.equal(made.status, 200);
    await site.write("static/favicon.svg", "<svg id='own'/>");
    assert.match(await (await site.fetch("/favicon.svg")).text(), /own/);
    assert.equal((await site.fetch("/favicon.ico")).status, 404, "an image without dimensions");
  });

  it("serves the built-in stylesheet", async () => {
    const response = await site.fetch("/_site/document.css");
    assert.equal(response.headers.get("content-type"), "text/css; charset=utf-8");
  });
});
