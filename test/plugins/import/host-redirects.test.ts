import assert from "node:assert/strict";
import { plainRule } from "../../../plugins/import/sources/files/host-redirects.js";
import { isRecord } from "../../../lib/values/index.js";
import { readYaml } from "../../../lib/yaml/index.js";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

/** Imports a site of Jekyll with a page `/docs/setup` and these files. */
async function importWith(files: Readonly<Record<string, string>>, text = "Text") {
  const site = await bootEmpty({
    "src/_config.yml": "url: https://old.example\n",
    "src/index.md": `---\ntitle: Start\n---\n${text}\n`,
    "src/docs/setup.md": "---\ntitle: Setup\n---\nText\n",
    ...files,
  });
  try {
    const { json } = await runImport(site, ["jekyll", "src"], { json: true });
    const yaml = await readFile(join(site.root, "site.yaml"), "utf8").catch(() => "");
    const { values } = readYaml(yaml);
    return {
      report: JSON.stringify(json),
      redirects: isRecord(values) && isRecord(values["redirects"]) ? values["redirects"] : {},
      home: await contentOf(site, "01.home/default.md"),
    };
  } finally {
    await site.close();
  }
}

describe("redirects of the host of an imported site", () => {
  it("reads lines with an equals sign", async () => {
    const { redirects, home } = await importWith(
      { "src/_redirects": "# Moved\n/begin=/docs/setup\n/shop/**=https://shop.example\n" },
      "[a](/begin) [b](/shop/x)",
    );
    assert.equal(redirects["/begin"], "/docs/setup");
    assert.equal(redirects["/shop/*"], "https://shop.example");
    assert.match(home, /\[a\]\(\/docs\/setup\) \[b\]\(https:\/\/shop\.example\)/);
  });

  const FILES: Readonly<Record<string, string>> = {
    "src/_redirects":
      "# Moved\n/begin /docs/setup 301!\n/old/* /docs/:splat\n/shop https://shop.example/ 302 # other\nhttps://old.example/start/ /docs/setup#first\n/*/amp /docs/setup\n/app/* /index.html 200\n/de /docs/setup 302 Language=de\n",
    "src/netlify.toml":
      '[[redirects]]\nfrom = "/begin"\nto = "/docs/setup"\n[[redirects]]\nfrom = "/old/*"\nto = "/docs/:splat"\nstatus = 301\n[[redirects]]\nfrom = "/shop"\nto = "https://shop.example/"\n[[redirects]]\nfrom = "https://old.example/start"\nto = "/docs/setup#first"\n[[redirects]]\nfrom = "/*/amp"\nto = "/docs/setup"\n[[redirects]]\nfrom = "/app/*"\nto = "/index.html"\nstatus = 200\n[[redirects]]\nfrom = "/de"\nto = "/docs/setup"\nconditions = { Language = ["de"] }\n',
    "src/vercel.json": JSON.stringify({
      redirects: [
        { source: "/begin/", destination: "/docs/setup/" },
        { source: "/old/:path*", destination: "/docs/:path*", permanent: true },
        { source: "/shop", destination: "https://shop.example/" },
        { source: "/start/", destination: "/docs/setup/#first" },
        { source: "/:lang/amp", destination: "/docs/setup" },
        { source: "/app/(.*)", destination: "/index.html", statusCode: 200 },
        { source: "/de", destination: "/docs/setup", has: [{ type: "header", key: "x" }] },
      ],
    }),
    "src/firebase.json": JSON.stringify({
      hosting: {
        redirects: [
          { source: "/begin", destination: "/docs/setup", type: 301 },
          { source: "/old/:rest*", destination: "/docs/:rest", type: 301 },
          { source: "/shop", destination: "https://shop.example/", type: 302 },
          { source: "/start", destination: "/docs/setup#first", type: 301 },
          { source: "/**/amp", destination: "/docs/setup", type: 301 },
          { regex: "/app/.*", destination: "/index.html", type: 301 },
          { regex: "^/de$", destination: "/docs/setup", type: 301 },
        ],
      },
    }),
  };
  const TEXT =
    "[a](/begin/#x) [b](/old/setup) [c](/shop) [d](/start) [e](https://old.example/begin) [f](/gone)";

  for (const [name, source] of Object.entries(FILES)) {
    it(`reads ${name.slice(4)}, and changes links to old addresses`, async () => {
      const { report, redirects, home } = await importWith({ [name]: source }, TEXT);
      assert.deepEqual(redirects, {
        "/begin": "/docs/setup",
        "/old/*": "/docs/:splat",
        "/shop": "https://shop.example/",
        "/start": "/docs/setup#first",
        "/docs/setup.html": "/docs/setup",
      });
      assert.match(
        home,
        /\[a\]\(\/docs\/setup#x\) \[b\]\(\/docs\/setup\) \[c\]\(https:\/\/shop\.example\/\) \[d\]\(\/docs\/setup#first\) \[e\]\(\/docs\/setup\) \[f\]\(\/gone\)/,
      );
      assert.equal(report.match(/the rule of the host from/g)?.length, 3);
      assert.match(report, /"unresolved":1\b/);
    });
  }

  it("leaves out rules for the address of a page or for all addresses", async () => {
    const { report, redirects } = await importWith({
      "src/_redirects": "/docs/setup /other\n/* https://new.example/:splat 301\n",
    });
    assert.equal(redirects["/docs/setup"], undefined);
    assert.equal(redirects["/*"], undefined);
    assert.match(report, /from \/\* to https:\/\/new\.example\/:splat has no counterpart/);
    assert.match(
      report,
      /redirect from \/docs\/setup: the page docs\/setup\/default\.md has this address/,
    );
  });

  it("reports files, lines and settings that it does not read", async () => {
    const { report, redirects } = await importWith({
      "src/_redirects": "/a /docs/setup\n/half\n",
      "src/netlify.toml": '[[headers]]\nfor = "/*"\n[build]\ncommand = "x"\n',
      "src/static/netlify.toml": "[[redirects\n",
      "src/vercel.json": JSON.stringify({ rewrites: [{ source: "/b", destination: "/c" }] }),
      "src/firebase.json": JSON.stringify({
        hosting: [
          { target: "one", redirects: [{ source: "/c", destination: "/docs/setup", type: 301 }] },
          { target: "two", redirects: [{ source: "/d", destination: "/docs/setup", type: 301 }] },
        ],
        functions: { source: "x" },
      }),
    });
    assert.deepEqual(
      ["/a", "/c", "/d"].map((from) => redirects[from]),
      ["/docs/setup", "/docs/setup", "/docs/setup"],
    );
    assert.match(report, /_redirects","line":2,"reason":"the rule \\"\/half\\" has no target/);
    assert.match(
      report,
      /static\/netlify\.toml","reason":"invalid TOML: .*; its redirects were not read/,
    );
    for (const key of ["headers", "build", "rewrites", "functions"])
      assert.match(report, new RegExp(`setting \\\\"${key}\\\\" has no counterpart`));
  });

  it("takes the rest of an address as it is", async () => {
    const { home } = await importWith(
      { "src/_redirects": "/old/* https://new.example/:splat\n" },
      "[a](/old/$&x)",
    );
    assert.match(home, /\[a\]\(https:\/\/new\.example\/\$&x\)/);
  });

  it("puts the rest of an address in the place that the target names", () => {
    assert.deepEqual(plainRule("/a/:slug", "/b/:slug/c"), { from: "/a/*", to: "/b/:splat/c" });
    assert.deepEqual(plainRule("/a/(.*)", "/b/$1"), { from: "/a/*", to: "/b/:splat" });
    assert.deepEqual(plainRule("/a/*", "/b"), { from: "/a/*", to: "/b" });
    assert.deepEqual(plainRule("/a", "/b"), { from: "/a", to: "/b" });
    assert.equal(plainRule("/a/:x/:y", "/b/:y/:x"), null);
    assert.equal(plainRule("/a", "/b/:splat"), null);
    assert.equal(plainRule("/a*", "/b"), null);
  });
});
