import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { useAdmin } from "../../../../support/sites/use-site.js";

const render = "/admin/api/render-markdown";

describe("POST {admin.path}/api/render-markdown", () => {
  const site = useAdmin();
  const author = site.user("author");
  const html = async (markdown: string) =>
    (await author.json(200, "POST", render, { markdown })).html as string;

  it("renders Markdown, by either name of the field, and resolves links of a page", async () => {
    assert.match(await html("# Hi *there*"), /<h1[^>]*>.*Hi <em>there<\/em>/s);
    assert.match(
      (await author.json(200, "POST", render, { content: "**b**" })).html,
      /<strong>b<\/strong>/,
    );
    assert.equal((await author.send("POST", render, {})).status, 400);
  });

  for (const [markdown, forbidden] of [
    ["<script>alert(1)</script>", /<script/i],
    ["<img src=x onerror=alert(1)>", /onerror/i],
    ["[x](javascript:alert(1))", /javascript:/i],
    ["[x](java&#x09;script:alert(1))", /script:alert/i],
    ["<svg><script>1</script></svg>", /<script/i],
    ["<a href='javascript&colon;alert(1)'>x</a>", /href="javascript/i],
    ["<iframe srcdoc='<script>1</script>'></iframe>", /<iframe/i],
    ['![a](x "onload=alert(1)")', /\sonload=/i],
  ] as const) {
    it(`neutralises ${markdown.slice(0, 40)}`, async () => {
      assert.doesNotMatch(await html(markdown), forbidden);
    });
  }

  it("adds noopener to links that open a window", async () => {
    const out = await html('<a href="https://e.example" target="_blank">x</a>');
    if (out.includes("target=")) assert.match(out, /noopener/);
  });

  it("responds 413 above 512 KB", async () => {
    await author.json(413, "POST", render, { markdown: "a".repeat(600_000) });
  });

  const bad: [string, string | Uint8Array, Record<string, string>, number][] = [
    ["broken JSON", "{", {}, 400],
    ["a list", "[]", {}, 400],
    ["an empty body", "", {}, 400],
    [
      "invalid UTF-8",
      Buffer.from([0x7b, 0x22, 0x6d, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      {},
      400,
    ],
    [
      "another charset",
      '{"markdown":"x"}',
      { "content-type": "application/json; charset=utf-16" },
      415,
    ],
    ["deep JSON", "[".repeat(10_000), {}, 400],
    ["a deep field", `{"markdown":"x","a":${"[".repeat(100)}${"]".repeat(100)}}`, {}, 400],
    ["a compressed body", gzipSync(Buffer.alloc(1_000_000)), { "content-encoding": "gzip" }, 415],
    ["text", '{"markdown":"x"}', { "content-type": "text/plain" }, 415],
    ["an empty multipart", "", { "content-type": "multipart/form-data; boundary=" }, 400],
    ["a form", "markdown=x", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a number for a text", '{"markdown":5}', {}, 400],
  ];
  for (const [name, body, headers, status] of bad) {
    it(`${name} is ${status}, on every route that takes JSON`, async () => {
      const admin = await site.as("admin", {
        username: `a${Math.abs(name.length * 31 + status)}${name.length}${body.length % 97}`,
      });
      const routes = site.site
        .context("admin")
        .http.routes.filter(
          ({ path, body: wanted }) => path.startsWith("/admin/api") && wanted?.as === "json",
        );
      assert.ok(routes.length > 10);
      for (const { method, path } of name.startsWith("a number")
        ? [{ method: "post", path: render }]
        : routes) {
        const answer = await site.fetch(path.replaceAll(/[:*]\w+/g, "none"), {
          method: method.toUpperCase(),
          headers: {
            cookie: admin.cookie,
            "x-csrf-token": admin.csrf,
            "sec-fetch-site": "same-origin",
            "content-type": "application/json",
            ...headers,
          },
          body: typeof body === "string" ? body : new Uint8Array(body),
        });
        assert.equal(answer.status, status, `${method} ${path}`);
        assert.equal(typeof ((await answer.json()) as { error: string }).error, "string");
      }
    });
  }
});
