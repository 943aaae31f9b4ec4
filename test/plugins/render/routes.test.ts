import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";

const tree = {
  "content/01.home/default.md": "# Welcome\n\nHello.",
  "content/02.blog/blog.md": "---\ntitle: Blog\n---\nNews.",
  "content/02.blog/first/post.md": "---\ntitle: First\ndate: 2026-01-01\n---\nOne.",
  "content/02.blog/second/post.md": "---\ntitle: Second\ndate: 2026-02-01\n---\nTwo.",
  "content/03.about/default.md": "---\ntitle: About\nredirect_from: x\n---\nAbout.",
  "content/04.members/default.md": "---\ntitle: Members\nroles: any\n---\nSecret words.",
  "content/05.board/default.md": "---\ntitle: Board\nroles: [board]\n---\nSecret words.",
};

/** Names that are no templates. */
const TEMPLATES = ["../../../etc/passwd", "no-such", "__proto__", "a\\0b"];

describe("pages", () => {
  let site: TestSite;
  before(async () => {
    const invalid = TEMPLATES.map((template, at) => [
      `content/template-${at}/default.md`,
      `---\ntitle: T\ntemplate: ${JSON.stringify(template)}\n---\nText.`,
    ]);
    site = await bootSite({
      files: {
        ...tree,
        ...Object.fromEntries(invalid),
        "site.yaml":
          "title: Test\nredirects: { /old: /about, '/?p=12': /about, '/?p=13&x=1': '/blog?y=2' }\nroutes: { /us: /about }\n",
        "content/no-list/default.md": "---\ncollection: { items: 3 }\n---\nStill here.",
        "content/07.code/page.tsx":
          "export const frontmatter = { title: 'Code' };\nexport default ({ route, siteUser }) => <p id='whoami'>{route} {JSON.stringify(siteUser)}</p>;\n",
      },
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());

  it("serves a page as HTML with its title, body and navigation", async () => {
    const response = await site.fetch("/about");
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(html, /^<!doctype html><html lang="en" dir="ltr">/);
    assert.match(html, /<title>About \| Test<\/title>/);
    assert.match(html, /<a href="\/blog">Blog<\/a>/);
    assert.match(html, /<link rel="canonical" href="http:\/\/localhost:8000\/about">/);
    assert.doesNotMatch(html, /hreflang/);
  });

  it("shows one heading of the first level, the body's own if it has one", async () => {
    for (const path of ["/", "/about", "/blog", "/blog/first"]) {
      const html = await (await site.fetch(path)).text();
      assert.equal(html.match(/<h1[\s>]/g)?.length, 1, path);
    }
  });

  it("responds to HEAD without a body", async () => {
    const response = await site.fetch("/about", { method: "HEAD" });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  });

  it("serves pages to GET and HEAD only", async () => {
    const { status } = await site.fetch("/about", { method: "POST" });
    assert.ok([404, 405].includes(status));
  });

  it("lists a blog's articles, newest first", async () => {
    const html = await (await site.fetch("/blog")).text();
    assert.ok(html.indexOf("/blog/second") < html.indexOf("/blog/first"));
  });

  for (const path of ["/blog/page:3", "/about/page:2", "/blog/page:0", "/blog/page:1e3"]) {
    it(`responds 404 at ${path}`, async () => {
      assert.equal((await site.fetch(path)).status, 404);
    });
  }

  it("redirects an address with a trailing slash once, with its query string", async () => {
    const response = await site.fetch("/about/?a=1");
    assert.equal(response.status, 301);
    assert.equal(response.headers.get("location"), "/about?a=1");
    assert.equal((await site.fetch("/about?a=1")).status, 200);
  });

  it("follows redirects and aliases of the configuration", async () => {
    const redirected = await site.fetch("/old");
    assert.deepEqual([redirected.status, redirected.headers.get("location")], [301, "/about"]);
    assert.equal((await site.fetch("/us")).status, 200);
  });

  it("redirects an address with a query, also after its page was cached", async () => {
    const leads = async (address: string): Promise<string> => {
      const { status, headers } = await site.fetch(address);
      return `${status} ${headers.get("location") ?? ""}`.trim();
    };
    for (let count = 0; count < 3; count += 1) {
      assert.equal(await leads("/"), "200");
      assert.equal(await leads("/?p=12"), "301 /about");
      assert.equal(await leads("/?a=1&p=12"), "301 /about?a=1");
      assert.equal(await leads("/?x=1&p=13"), "301 /blog?y=2");
      assert.equal(await leads("/?p=13"), "200");
      assert.equal(await leads("/%3Fp=12"), "404");
    }
  });

  it("shows a page without its list when the list is invalid", async () => {
    const response = await site.fetch("/no-list");
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Still here\./);
  });

  for (const [at, template] of TEMPLATES.entries()) {
    it(`renders a page with template ${JSON.stringify(template)} with the default one`, async () => {
      const response = await site.fetch(`/template-${at}`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /page-text/);
    });
  }

  it("serves no page below a missing page", async () => {
    for (const path of [
      "/members/x.css",
      "/members;a.js",
      "/members%2f..%2fx.css",
      "/about/x.css",
    ]) {
      const response = await site.fetch(path);
      assert.equal(response.status, 404, path);
      assert.doesNotMatch(response.headers.get("cache-control") ?? "", /public/);
    }
  });

  it("responds 404 to very long and very deep paths", async () => {
    for (const path of [`/${"a/".repeat(1000)}`, `/${"a".repeat(5000)}`]) {
      assert.equal((await site.fetch(path)).status, 404);
    }
  });

  it("renders pages written in TSX, including whole documents", async () => {
    const response = await site.fetch("/code", { headers: { "x-site-user": '{"id":"1"}' } });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /\/code null/);
  });
});

describe("pages of a site", () => {
  let site: TestSite;
  const boot = async (options: BootOptions = {}): Promise<void> => {
    site = await bootSite({ files: tree, env: { SITE_ENV: "production" }, ...options });
  };
  /** Gives every visitor these roles. */
  const visitor = (roles: string[]) =>
    definePlugin({
      name: "visitor",
      version: "1.0.0",
      setup: ({ http }) =>
        http.use("identity", (req, _res, next) => {
          Object.assign(req.ctx.state, {
            viewer: { roles, seesUnpublished: false },
            siteUser: { id: "1", name: "Ada", passwordHash: "$hash$" },
          });
          next();
        }),
    });
  afterEach(() => site.close());

  it("paginates the collection that a theme defines for a template", async () => {
    const posts = Array.from({ length: 12 }, (_, n) => [
      `content/02.blog/p${n}/post.md`,
      `---\ntitle: P${n}\ndate: 2025-01-${String(n + 10)}\n---\nText.`,
    ]);
    await boot({ files: { ...tree, ...Object.fromEntries(posts) } });
    const first = await (await site.fetch("/blog")).text();
    assert.match(first, /rel="next" href="\/blog\/page:2"/);
    const second = await site.fetch("/blog/page:2");
    assert.equal(second.status, 200);
    const html = await second.text();
    assert.match(html, /rel="prev" href="\/blog"/);
    assert.match(html, /rel="canonical" href="[^"]*\/blog\/page:2"/);
  });

  it("escapes front matter and configuration", async () => {
    const evil = `"></title><script>alert(1)</script>`;
    const quoted = JSON.stringify(evil);
    const page = `---\ntitle: ${quoted}\nsummary: ${quoted}\nimage: ${quoted}\ntaxonomy: { tag: [${quoted}] }\nhero: { title: ${quoted}, text: ${quoted}, actions: [{ label: ${quoted}, url: "javascript:alert(1)" }] }\n---\nText.`;
    await boot({
      files: {
        "site.yaml": `title: ${quoted}\ndescription: ${quoted}\nmetadata: { x: ${quoted} }\n`,
        "content/01.home/landing.md": page,
        "content/02.a/post.md": page,
        "content/03.b/item.md": page,
        "content/04.c/docs.md": page,
        "content/05.d/default.md": page,
        "content/06.e/blog.md": page,
        "content/06.e/f/post.md": page,
      },
    });
    for (const path of ["/", "/a", "/b", "/c", "/d", "/e", "/e/f", "/missing"]) {
      const html = await (await site.fetch(path)).text();
      assert.doesNotMatch(html, /<script>alert|javascript:/, path);
    }
  });

  it("redirects a visitor without a session to the login, and back afterwards", async () => {
    await boot({ settings: { site: { auth: { providers: { magicLink: { enabled: true } } } } } });
    const response = await site.fetch("/members?a=1");
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), "/auth/login?next=%2Fmembers%3Fa%3D1");
    assert.equal(response.headers.get("cache-control"), "private, no-store");
  });

  it("needs at most one redirect for any page in any language", async () => {
    await boot({
      files: {
        ...tree,
        "system.yaml": "languages: { supported: [en, de], default: en }\n",
        "content/03.about/default.de.md": "---\ntitle: Über uns\n---\nHallo.",
      },
    });
    for (const path of [
      "/",
      "/de",
      "/de/",
      "/en",
      "/en/about/",
      "/de/about",
      "/de/about/",
      "/about/",
    ]) {
      const response = await site.fetch(path);
      if (response.status === 200) continue;
      assert.equal(response.status, 301, path);
      assert.equal((await site.fetch(response.headers.get("location") ?? "")).status, 200, path);
    }
  });

  it("contains language, direction and translations of a page", async () => {
    await boot({
      files: {
        ...tree,
        "system.yaml": "languages: { supported: [en, ar], default: en }\n",
        "content/03.about/default.ar.md": "---\ntitle: عنا\n---\nمرحبا",
      },
    });
    const html = await (await site.fetch("/ar/about")).text();
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(html, /hreflang="en" href="http:\/\/localhost:8000\/about"/);
    assert.match(html, /hreflang="x-default" href="http:\/\/localhost:8000\/about"/);
    assert.match(html, /انتقل إلى المحتوى/);
  });

  it("fires onRouteResolved, onBeforeRender and onAfterRender around a page", async () => {
    const seen: string[] = [];
    const listener = definePlugin({
      name: "listener",
      version: "1.0.0",
      hooks: {
        onRouteResolved: ({ data }) => void seen.push(`route ${data.match.kind}`),
        onBeforeRender: ({ data, setData }) => {
          seen.push(`before ${data.template}`);
          setData({ ...data, props: Object.assign(data.props, { pageTitle: "Changed" }) });
        },
        onAfterRender: ({ data, setData }) => {
          seen.push("after");
          setData({ ...data, html: data.html.replace("</body>", "<!-- end --></body>") });
        },
      },
    });
    await boot({ extraPlugins: [listener] });
    const html = await (await site.fetch("/about")).text();
    assert.deepEqual(seen, ["route page", "before default", "after"]);
    assert.match(html, /<title>Changed<\/title>/);
    assert.match(html, /<!-- end --><\/body>/);
  });

  it("shows a gated page only to permitted visitors, and 403 with a message of the theme to others", async () => {
    await boot({ extraPlugins: [visitor(["member"])] });
    const member = await site.fetch("/members");
    assert.equal(member.status, 200);
    assert.equal(member.headers.get("cache-control"), "private, no-store");
    assert.match(await member.text(), /Secret words/);
    const response = await site.fetch("/board");
    const html = await response.text();
    assert.equal(response.status, 403);
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.match(html, /No access[^]*You are logged in, but you do not have access to this page/);
    assert.doesNotMatch(html, /Secret words/);
  });

  it("passes the packaged helpers and the visitor without the password hash to a site's own theme", async () => {
    await boot({
      extraPlugins: [visitor([])],
      files: {
        ...tree,
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx":
          'import { formatDate, Html } from "sitewright/theme";\nimport { useState } from "preact/hooks";\n' +
          'export default ({ page, children, Layout, user }) => { const [n] = useState(3); return <Layout><b>{formatDate("2026-03-01")} {n}</b><p>{JSON.stringify(user)}</p><Html html={page.html} /></Layout>; };\n',
      },
    });
    const html = await (await site.fetch("/about")).text();
    assert.match(html, /<b>March 1, 2026 3<\/b>/);
    assert.match(html, /About\./);
    assert.match(html, /Ada/);
    assert.doesNotMatch(html, /hash/);
  });

  it("waits for templates that load data themselves, and uses the theme's components in MDX", async () => {
    await boot({
      files: {
        ...tree,
        "site.yaml": "title: Test\ntheme: { name: mine, parent: default }\n",
        "themes/mine/templates/default.tsx":
          "export default async (props) => { const word = await Promise.resolve('later'); const { Layout } = props; return <Layout {...props}><p>{word}</p></Layout>; };\n",
        "themes/mine/mdx-components.tsx":
          "export const Note = ({ children }) => <aside>{children}</aside>;\n",
        "content/07.mdx/docs.mdx": "---\ntitle: MDX\n---\n\n<Note>Noted.</Note>\n",
      },
    });
    assert.match(await (await site.fetch("/about")).text(), /<p>later<\/p>/);
    assert.match(await (await site.fetch("/mdx")).text(), /<aside>[\s\S]*Noted\.[\s\S]*<\/aside>/);
  });

  it("shows a changed excerpt and title in the list at once, also in cached responses", async () => {
    await boot();
    const save = (title: string, text: string) => {
      const content = `---\ntitle: ${title}\ndate: 2026-01-01\n---\n${text}`;
      return site.site
        .use("content")
        .apply([{ op: "write", path: "02.blog/first/post.md", content }]);
    };
    // The first is not cached, but caches the excerpt.
    for (const path of ["/blog?a=1", "/blog", "/blog/first", "/blog", "/blog/first"])
      assert.match(await (await site.fetch(path)).text(), /One\./);
    await save("First", "Uno.");
    assert.match(await (await site.fetch("/blog")).text(), /Uno\./);
    await save("Renamed", "Other words.");
    assert.match(await (await site.fetch("/blog")).text(), /Renamed[\s\S]*Other words/);
    assert.match(await (await site.fetch("/blog/first")).text(), /Renamed[\s\S]*Other words/);
  });

  it("shows a page in the navigation as soon as it exists, and not after it is deleted", async () => {
    await boot();
    const content = site.site.use("content");
    await site.fetch("/about");
    await content.apply([{ op: "write", path: "09.new/default.md", content: "# Brand new" }]);
    assert.match(await (await site.fetch("/about")).text(), /href="\/new"/);
    await content.apply([{ op: "delete", path: "09.new/default.md" }]);
    assert.doesNotMatch(await (await site.fetch("/about")).text(), /href="\/new"/);
    assert.equal((await site.fetch("/new")).status, 404);
  });
});
