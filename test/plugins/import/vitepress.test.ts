import assert from "node:assert/strict";
import { PNG, withImported } from "../../support/sites/import-tree.js";

const CONFIG = `
import { defineConfig, type DefaultTheme } from 'vitepress'
import { shared } from './shared'

const base: string = '/project/'

// https://vitepress.dev/reference/site-config
export default defineConfig({
  ...shared,
  base,
  srcDir: './src',
  srcExclude: ['**/README.md', 'drafts/**'],
  rewrites: { 'packages/:pkg/src/:slug*': ':pkg/:slug*' },
  head: [['link', { rel: 'icon', href: '/favicon.ico' }]],
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de-DE' },
  },
  themeConfig: {
    nav: nav(),
    sidebar: makeSidebar({ from: process.cwd() }),
    logo: await loadLogo(),
  },
})
function nav(): DefaultTheme.NavItem[] {
  return [{ text: 'Guide', link: '/guide/' }]
}
`;

describe("site import vitepress", () => {
  it("brings pages, containers, files and addresses, and reports what needs Vue", () =>
    withImported(
      {
        source: "vitepress",
        languages: ["de"],
        files: {
          "package.json": "{}",
          "docs/.vitepress/config.mts": CONFIG,
          "docs/.vitepress/shared.ts":
            "export const shared = { title: 'My docs', cleanUrls: false, sitemap: { hostname: 'https://old.example' } }\n",
          "docs/.vitepress/theme/index.ts": "export default {}\n",
          "docs/.vitepress/dist/index.html": "<p>built</p>\n",
          "docs/src/index.md":
            "---\nlayout: home\nhero:\n  name: My docs\n  text: Write it down\n  tagline: Quickly\n  image: { src: /logo.png, alt: Logo }\n  actions:\n    - { theme: brand, text: Start, link: /guide/ }\n    - { theme: alt, text: Code, link: 'https://code.example' }\nfeatures:\n  - { icon: 🛠️, title: Simple, details: Just <b>Markdown</b>, link: /guide/second }\n---\n",
          "docs/src/guide/index.md":
            '---\noutline: deep\nprev: false\nlastUpdated: 2024-05-01\n---\n\n# Guide <Badge type="tip" text="beta" />\n\n## Usage <Badge text="new" />\n\n[usage](#usage) [second](./second) [third](third.md#custom) [html](/guide/second.html) [package](../packages/core/src/api.md) [base](/project/guide/second) [old](https://old.example/project/guide/third.html)\n\n![Logo](/logo.png) ![Own](./own.png)\n\n[[toc]]\n\n::: details Click {open}\n```js{1,3-4}\nlet a = \'{{ notOutput }}\' // [!code ++]\n```\n:::\n\n> [!WARNING] Be careful\n> Really.\n',
          "docs/src/guide/second.md":
            '<script setup>\nimport Counter from \'./Counter.vue\'\nconst x = 1\n</script>\n\n# Second\n\nIt is {{ x }} and {{ $frontmatter.version }} and `{{ code }}`. <Counter :start="1" /> <span v-if="x">shown</span>\n\n<CodeGroup>\n  <CodeGroupItem title="npm">\n\n```sh\nnpm i\n```\n\n  </CodeGroupItem>\n</CodeGroup>\n\n<style module>\n.a { color: red }\n</style>\n',
          "docs/src/guide/third.md": "---\nversion: 2\n---\n# Third\n\n## Part {#custom}\n",
          "docs/src/guide/own.png": PNG,
          "docs/src/guide/Counter.vue": "<template></template>\n",
          "docs/src/guide/README.md": "# Not a page\n",
          "docs/src/drafts/x.md": "# Not a page\n",
          "docs/src/packages/core/src/api.md": "# API\n\n[guide](/guide/)\n",
          "docs/src/packages/[pkg].md": "# Generated\n",
          "docs/src/de/guide/index.md": "# Anleitung\n\n[zwei](./second)\n",
          "docs/src/de/guide/second.md": "# Zwei\n",
          "docs/src/public/logo.png": PNG,
        },
      },
      async ({ text, notes, routes, unresolved, answer, dead }) => {
        const home = await text("01.home/landing.md");
        assert.match(
          home,
          /^hero:\n {2}title: My docs\n {2}text: Write it down\. Quickly\n {2}actions:\n {4}- label: Start\n {6}url: \/guide\n/m,
        );
        assert.match(
          home,
          /^features:\n {2}- title: Simple\n {4}text: Just Markdown\n {4}url: \/guide\/second$/m,
        );
        assert.match(home, /^image: \/content-media\/media\/docs\/src\/public\/logo\.png$/m);
        const guide = await text("guide/docs.md");
        assert.match(guide, /^updated: 2024-05-01$/m);
        assert.match(guide, /^## Usage ==new== \{#usage\}$/m);
        assert.match(
          guide,
          /^\[usage\]\(#usage\) \[second\]\(\/guide\/second\) \[third\]\(\/guide\/third#custom\) \[html\]\(\/guide\/second\) \[package\]\(\/core\/api\) \[base\]\(\/guide\/second\) \[old\]\(\/guide\/third\)$/m,
        );
        assert.match(guide, /!\[Own\]\(own\.png\)/);
        assert.match(guide, /^```js\{1,3-4\}\nlet a = '\{\{ notOutput \}\}' \/\/ \[!code \+\+\]$/m);
        assert.match(guide, /^> \[!WARNING\]\n> \*\*Be careful\*\*\n> Really\.$/m);
        const second = await text("guide/second/docs.md");
        assert.match(
          second,
          /^It is <!-- \{\{ x \}\} --> and <!-- \{\{ \$frontmatter\.version \}\} --> and `\{\{ code \}\}`\./m,
        );
        assert.match(second, /^:::: tabs\n::: tab npm\n```sh\nnpm i\n```\n:::\n::::$/m);
        assert.doesNotMatch(second, /script|style|Counter/);
        assert.match(await text("guide/docs.de.md"), /\[zwei\]\(\/de\/guide\/second\)/);
        assert.ok(!routes.some((route) => /drafts|readme|pkg/i.test(route)), routes.join(" "));
        for (const expected of [
          /config\.mts: themeConfig\.sidebar is computed/,
          /config\.mts: themeConfig\.logo is computed/,
          /config\.mts: the setting head has no counterpart/,
          /config\.mts: the setting themeConfig\.nav has no counterpart/,
          /theme\/index\.ts: the theme of the site has no counterpart/,
          /guide\/index\.md: .*front matter "prev" has no counterpart/,
          /second\.md: .*<script> was left out/,
          /second\.md: .*output \{\{ x \}\} stays as a comment/,
          /second\.md: .*component <Counter \/> was left out/,
          /second\.md: .*the attribute v-if of Vue/,
          /Counter\.vue: code of the site/,
          /\[pkg\]\.md: .*a dynamic route/,
        ]) {
          assert.ok(
            notes.some((note) => expected.test(note)),
            `${expected}\n${notes.join("\n")}`,
          );
        }
        assert.equal(unresolved, 0);
        assert.equal(await answer("/guide/second.html"), "301 /guide/second");
        assert.equal(
          await answer("/logo.png"),
          "301 /content-media/media/docs/src/public/logo.png",
        );
        assert.deepEqual(await dead(), []);
      },
    ));
});

describe("site import vuepress", () => {
  it("takes README.md as the page of its folder, permalinks, groups of code and files of .vuepress/public", () =>
    withImported(
      {
        source: "vuepress",
        files: {
          "docs/.vuepress/config.js":
            "const { defaultTheme } = require('vuepress')\nmodule.exports = {\n  base: '/docs/',\n  title: 'Hello',\n  theme: defaultTheme({ sidebar: ['/guide/'] }),\n  plugins: [['@vuepress/search', {}]],\n}\n",
          "docs/.vuepress/public/hero.png": PNG,
          "docs/README.md":
            "---\nhome: true\nheroImage: /hero.png\nheroText: Hello\ntagline: To the world\nactionText: Start\nactionLink: /guide/\nfeatures:\n  - { title: Fast, details: Very }\nfooter: MIT\n---\n",
          "docs/guide/README.md":
            "---\nsidebarDepth: 2\n---\n# Guide\n\n[next](./next.md) [other](../other.html) ![Hero](/hero.png)\n\n:::: code-group\n::: code-group-item Yarn\n```sh\nyarn\n```\n:::\n::::\n\n::: tip\nText\n:::\n",
          "docs/guide/next.md": "---\npermalink: /n/next.html\ndate: 2020-05-01\n---\n# Next\n",
          "docs/other.md":
            '# Other\n\n::: code-tabs#shell\n@tab npm\n```sh\nnpm i\n```\n@tab:active yarn#id\n```sh\nyarn\n```\n:::\n\n<RouterLink to="/guide/">Guide</RouterLink>\n',
        },
      },
      async ({ text, notes, unresolved, answer, dead }) => {
        assert.match(
          await text("01.home/landing.md"),
          /^hero:\n {2}title: Hello\n {2}text: To the world\n {2}actions:\n {4}- label: Start\n {6}url: \/guide\n/m,
        );
        const guide = await text("guide/docs.md");
        assert.match(guide, /^\[next\]\(\/n\/next\) \[other\]\(\/other\)/m);
        assert.match(guide, /^:::: tabs\n::: tab Yarn\n```sh$/m);
        assert.match(await text("n/next/docs.md"), /^date: 2020-05-01$/m);
        assert.match(
          await text("other/docs.md"),
          /^:::: tabs\n::: tab npm\n```sh\nnpm i\n```\n:::\n::: tab yarn\n```sh\nyarn\n```\n:::\n::::$/m,
        );
        assert.match(await text("other/docs.md"), /^\[Guide\]\(\/guide\)$/m);
        assert.ok(
          notes.some((note) => /config\.js: the setting plugins/.test(note)),
          notes.join("\n"),
        );
        assert.ok(notes.some((note) => /front matter "sidebarDepth"/.test(note)));
        assert.equal(unresolved, 0);
        assert.equal(await answer("/guide/next.html"), "301 /n/next");
        assert.deepEqual(await dead(), []);
      },
    ));

  it("reads <code-group> of VuePress as tabs", () =>
    withImported(
      {
        source: "vuepress",
        files: {
          ".vuepress/config.js": "module.exports = {};\n",
          "README.md": "# Home\n",
          "guide.md":
            '# Guide\n\n<code-group>\n<code-block title="YARN" active>\n```bash\nyarn add a\n```\n</code-block>\n\n<code-block title="NPM">\n```bash\nnpm add a\n```\n</code-block>\n</code-group>\n',
        },
      },
      async ({ text, notes }) => {
        assert.match(
          await text("guide/docs.md"),
          /^:::: tabs\n::: tab YARN\n```bash\nyarn add a\n```\n:::\n::: tab NPM\n```bash\nnpm add a\n```\n:::\n::::$/m,
        );
        assert.doesNotMatch(notes.join("\n"), /code-/i);
      },
    ));
});
