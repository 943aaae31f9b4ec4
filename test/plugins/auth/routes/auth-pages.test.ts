import assert from "node:assert/strict";
import type { AuthContext } from "../../../../plugins/auth/routes/auth-context.js";
import { AuthPages, type ConfirmPage } from "../../../../plugins/auth/routes/auth-pages.js";
import { AUTH_PLUGINS, bootAuthSite, type AuthSite } from "../../../support/sites/auth-site.js";
import { bootSite } from "../../../support/sites/boot-site.js";

const client = { clientId: "a", clientSecret: "b" };
const GITHUB = { providers: { github: client } };
const BARE = { plugins: ["auth", "email"] };

describe("login pages", () => {
  let site: AuthSite;
  afterEach(() => site.close());
  const page = async (query = ""): Promise<string> =>
    (await site.fetch(`/auth/login${query}`)).text();

  it("render a built-in document without the render plugin", async () => {
    site = await bootAuthSite(GITHUB, BARE);
    const answer = await site.fetch("/auth/login?next=/a%26b");
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    const html = await answer.text();
    assert.match(html, /^<!doctype html>.*<title>Log in<\/title>/);
    assert.match(html, /href="\/auth\/github\?next=%2Fa%26b">Continue with GitHub</);
  });

  it("show the e-mail form when magic links are enabled, and keep `next`", async () => {
    site = await bootAuthSite({ providers: { magicLink: { enabled: true } } }, BARE);
    const html = await page("?next=/x%22y");
    assert.match(html, /<form id="magic-form" method="post" action="\/auth\/magic\/send">/);
    assert.match(html, /name="next" value="\/x%22y"/);
    assert.doesNotMatch(html, /no way to log in/);
  });

  it("show their own error texts, never text of the URL", async () => {
    site = await bootAuthSite(GITHUB, BARE);
    for (const [code, words] of [
      ["denied", "The login was cancelled."],
      ["expired", "The link has expired or was already used."],
      ["<script>alert(1)</script>", "That did not work."],
      ["constructor", "That did not work."],
    ] as const) {
      const html = await page(`?error=${encodeURIComponent(code)}`);
      assert.ok(html.includes(`<p role="alert">${words}`), code);
      assert.ok(!html.includes("<script"), code);
    }
    assert.doesNotMatch(await page(), /role="alert"/);
  });

  it("use the language of the referring page", async () => {
    site = await bootAuthSite(GITHUB, {
      plugins: AUTH_PLUGINS,
      files: { "system.yaml": "languages: { supported: [en, de] }\n" },
    });
    assert.match(
      await page("?next=/de/members"),
      /<html lang="de".*<title>Anmelden \| .*Weiter mit GitHub/s,
    );
    assert.match(await page("?next=/members"), /<html lang="en".*Continue with GitHub/s);
    assert.match(await page(), /<html lang="en"/);
  });

  it("use the theme's template, and the built-in page if it fails", async () => {
    const own = (text: string) => ({
      "site.yaml": "title: T\ntheme: { name: own, parent: default }\n",
      "themes/own/templates/auth/login.tsx": text,
    });
    const works = "export default ({ providers }) => <p>own: {providers[0].label}</p>;\n";
    site = await bootAuthSite(GITHUB, { plugins: AUTH_PLUGINS, files: own(works) });
    assert.match(await page(), /<p>own: GitHub<\/p>/);
    await site.close();
    const fails = "export default () => { throw new Error('of the theme'); };\n";
    site = await bootAuthSite(GITHUB, { plugins: AUTH_PLUGINS, files: own(fails) });
    assert.match(await page(), /Continue with GitHub/);
    assert.ok(site.log.some((line) => /^auth\.login_page_failed .*of the theme/.test(line)));
  });
});

describe("a page with one button", () => {
  it("escapes everything it is given", async () => {
    const evil = `"><script>alert(1)</script>`;
    const given: ConfirmPage = {
      title: `T${evil}`,
      text: `Text${evil}`,
      button: `Go${evil}`,
      action: `/to?a=${evil}`,
      method: "post",
      fields: { token: `t${evil}`, [`name${evil}`]: "" },
    };
    const site = await bootSite({
      plugins: ["health"],
      undeclared: true,
      extraPlugins: [
        {
          name: "probe",
          version: "1.0.0",
          setup(context) {
            const pages = new AuthPages({ site: context } as unknown as AuthContext);
            context.http.use("routes", (req, res) => pages.confirm(req, res, given));
          },
        },
      ],
    });
    const html = await (await site.fetch("/confirm")).text();
    await site.close();
    assert.ok(!html.includes("<script"));
    const safe = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
    assert.ok(html.includes(`<form method="post" action="/to?a=${safe}">`));
    assert.ok(html.includes(`<input type="hidden" name="token" value="t${safe}">`));
    assert.ok(html.includes(`<button type="submit">Go${safe}</button>`));
  });
});
